// A screen that has only just come takes no decision yet: the second tap of a double tap, or a finger already on its
// way, was meant for the screen before. Typing is not held back, only what decides.
import { useLayoutEffect } from "./html.js";

const settlesIn = 400;
const deciding = new Set(["Enter", "Escape", " "]);
let timer = 0;

// useFresh begins the pause whenever what is shown becomes another.
export function useFresh(shown) {
  useLayoutEffect(() => {
    document.documentElement.dataset.fresh = "";
    clearTimeout(timer);
    timer = setTimeout(() => delete document.documentElement.dataset.fresh, settlesIn);
  }, [shown]);
}

function isFresh(event) {
  const at = event.target instanceof Element ? event.target : document.body;
  return "fresh" in document.documentElement.dataset && !at.closest(".side, .mouth");
}

function hold(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// The keys of a pad or a keyboard type; everything else that can be pressed decides.
addEventListener("click", (event) => {
  if (isFresh(event) && !event.target.closest?.("[data-key]:not([data-key=enter])")) hold(event);
}, true);
for (const name of ["keydown", "keyup"]) {
  addEventListener(name, (event) => {
    const types = event.key === " " && event.target instanceof Element && event.target.closest("input, textarea");
    if (deciding.has(event.key) && !types && isFresh(event)) hold(event);
  }, true);
}
