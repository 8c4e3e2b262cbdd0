// The physical keyboard.
import { useLayoutEffect, useRef } from "./html.js";

// useKeys calls what the map names for a key (event.key), unless the key is meant for a field, a focused button
// or the emulator's panel.
export function useKeys(map) {
  const current = useRef(map);
  current.current = map;
  useLayoutEffect(() => {
    const down = (event) => {
      const act = current.current[event.key];
      if (!act || event.repeat || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      const at = event.target instanceof Element ? event.target : document.body;
      if (at.closest("input, select, textarea, .side")) return;
      if (event.key === "Enter" && at.closest("button, a")) return;
      event.preventDefault();
      act(event);
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, []);
}
