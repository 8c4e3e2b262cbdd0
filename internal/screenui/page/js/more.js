// Words that may not all be in sight.
import { useLayoutEffect, useRef } from "./html.js";

// useMore marks a box that scrolls data-more while there is something below what is in sight.
export function useMore() {
  const box = useRef(null);
  useLayoutEffect(() => {
    const node = box.current;
    if (!node) return undefined;
    // A few pixels are no line of text.
    const look = () => node.toggleAttribute("data-more", node.scrollHeight - node.clientHeight - node.scrollTop > 6);
    const sizes = new ResizeObserver(look);
    sizes.observe(node);
    node.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      node.removeEventListener("scroll", look);
    };
  });
  return box;
}
