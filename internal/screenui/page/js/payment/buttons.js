// Buttons that the physical keyboard walks and presses.
import { useRef } from "../html.js";
import { useKeys } from "../keys.js";

const strides = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
const typingPause = 1000;

// useButtonKeys moves the focus over the buttons in the element of the ref by arrows, Home and End. A digit presses
// the nth button; where the buttons have numbers of their own (data-number), digits type the number of the one to go to.
export function useButtonKeys() {
  const list = useRef(null);
  const typed = useRef({ text: "", at: 0 });
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])];
  useKeys({
    character: (key) => {
      const all = buttons();
      if (!all.length || !/^[0-9]$/.test(key)) return false;
      if (all[0].dataset.number) numbered(all, typed.current, key)?.focus();
      else all[key - 1]?.click();
    },
    move: (key) => {
      const all = buttons();
      if (!all.length) return false;
      const at = all.indexOf(document.activeElement);
      const next = key === "Home" ? 0 : key === "End" ? all.length - 1 : at < 0 ? 0 : (at + strides[key] + all.length) % all.length;
      all[next].focus();
    },
  });
  return list;
}

function numbered(buttons, typed, digit) {
  const now = performance.now();
  const find = (text) => buttons.find((button) => button.dataset.number === text);
  const longer = now - typed.at < typingPause ? typed.text + digit : digit;
  typed.text = find(longer) ? longer : digit;
  typed.at = now;
  return find(typed.text);
}
