// The physical keyboard. It works wherever the focus is, except in fields and
// panels that are not the question's.

import { useLayoutEffect, useRef } from "../html.js";

const moves = {
  ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right", Home: "first", End: "last",
};
const editable = "input, textarea, select, [contenteditable]";

// useKeys calls
//   character(c)  a character was typed; back(): Backspace or Delete
//   enter(), escape()
//   move(where)   an arrow, Home or End: "down", "up", "left", "right", "first", "last"
//   paste(text)
// with the event last. Those left out, and what returns false, stay the browser's.
export function useKeys(root, handlers) {
  const latest = useRef(handlers);
  latest.current = handlers;
  // Before the question can be seen: what is typed into it at once counts.
  useLayoutEffect(() => {
    const down = (event) => {
      if (!isOurs(root.current, event)) return;
      const [name, argument] = meaning(event);
      const handle = name && latest.current[name];
      if (!handle || pressesButton(event)) {
        if (event.repeat && pressesButton(event)) event.preventDefault(); // one press, one answer
        return;
      }
      if (event.repeat && (name === "enter" || name === "escape")) {
        event.preventDefault();
        return;
      }
      if (handle(argument, event) !== false) event.preventDefault();
    };
    const paste = (event) => {
      const text = event.clipboardData?.getData("text/plain");
      if (!text || !isOurs(root.current, event) || !latest.current.paste) return;
      if (latest.current.paste(text, event) !== false) event.preventDefault();
    };
    window.addEventListener("keydown", down);
    window.addEventListener("paste", paste);
    return () => {
      window.removeEventListener("keydown", down);
      window.removeEventListener("paste", paste);
    };
  }, []);
}

function isOurs(root, event) {
  const at = event.target instanceof Element ? event.target : null;
  if (!root || event.defaultPrevented || event.isComposing) return false;
  if (at && root.contains(at)) return true;
  return !at?.closest(`${editable}, .side, .panel, .paper`);
}

function meaning(event) {
  const { key } = event;
  const isAltGraph = event.getModifierState("AltGraph");
  if (event.metaKey || (event.ctrlKey || event.altKey) && !isAltGraph) return [];
  if (key === "Backspace" || key === "Delete") return ["back"];
  if (key === "Enter") return ["enter"];
  if (key === "Escape") return ["escape"];
  if (moves[key]) return ["move", moves[key]];
  return key === "Dead" || Array.from(key).length === 1 ? ["character", key] : [];
}

// pressesButton tells whether the browser makes a press of a focused button of the key.
function pressesButton(event) {
  return (event.key === "Enter" || event.key === " ") && event.target instanceof Element
    && event.target.closest("button, a") && !event.target.closest("[role=radio]");
}
