// The physical keyboard.
import { useListener } from "./hooks.js";

const moves = new Set(["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "Home", "End"]);

// useKeys calls the handler of a key with the key and the event. Handlers go by the key's name (event.key); besides,
//   character  takes every key that types
//   move       takes the arrows, Home and End
// A key without a handler stays the browser's, and so does one whose handler returns false. Enter and Escape count
// once, however long they are held.
export function useKeys(handlers, root) {
  useListener(window, "keydown", (event) => {
    if (!isForScreen(event, root) || isShortcut(event)) return;
    const handle = pressesButton(event) ? null : handlerOf(handlers, event.key);
    const held = event.repeat && (handle ? event.key === "Enter" || event.key === "Escape" : pressesButton(event));
    if (held || handle && handle(event.key, event) !== false) event.preventDefault();
  });
}

function handlerOf(handlers, key) {
  if (key in handlers) return handlers[key];
  if (moves.has(key)) return handlers.move;
  return key === "Dead" || Array.from(key).length === 1 ? handlers.character : null;
}

// isForScreen tells what is typed at the screen from what is typed into a field, the paper or the emulator's panel.
// With a root, a ref, its own fields are the screen's too, and a root that is covered gets nothing.
export function isForScreen(event, root) {
  const at = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented || event.isComposing || root && (!root.current || root.current.closest("[hidden]"))) return false;
  return Boolean(root?.current.contains(at)) || !at.closest("input, textarea, select, [contenteditable], .side, .paper");
}

function isShortcut(event) {
  return event.metaKey || (event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph");
}

// pressesButton tells whether the browser makes a press of the focused button of the key.
function pressesButton({ key, target }) {
  return (key === "Enter" || key === " ") && target instanceof Element && target.closest("button, a") && !target.closest("[role=radio]");
}
