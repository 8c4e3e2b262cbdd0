// What the steps of a payment share: sending an act once, keys of a physical keyboard, a list walked by arrows.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { post } from "../feed.js";

// useAct sends what the person does to the prompt of that serial. One act is under way at a time; the step
// changes by the service's word alone, and when that does not come the buttons come back.
export function useAct(serial) {
  const [busy, setBusy] = useState(false);
  const lock = useRef(false);
  const alive = useRef(true);
  useEffect(() => () => (alive.current = false), []);
  const act = useCallback(async (body) => {
    if (lock.current) return false;
    lock.current = true;
    setBusy(true);
    const { ok } = await post("/payment/act", { serial, ...body });
    if (ok) await new Promise((done) => setTimeout(done, 1500));
    lock.current = false;
    if (alive.current) setBusy(false);
    return ok;
  }, [serial]);
  return { act, busy };
}

// useKeys listens to the physical keyboard, but for keys typed into fields or the panel and for Enter and Space
// upon a focused button, which press that button. Where handle returns true, the key does nothing else.
export function useKeys(handle) {
  const latest = useRef(handle);
  latest.current = handle;
  // Before the step can be seen: what is typed at once counts.
  useLayoutEffect(() => {
    const down = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.isComposing) return;
      const at = event.target instanceof Element ? event.target : null;
      if (at?.closest("input, textarea, select, .side, .paper")) return;
      if (event.repeat && (event.key === "Enter" || event.key === "Escape")) return;
      if ((event.key === "Enter" || event.key === " ") && at?.closest("button, a")) return;
      if (latest.current(event.key)) event.preventDefault();
    };
    window.addEventListener("keydown", down);
    return () => window.removeEventListener("keydown", down);
  }, []);
}

const strides = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

const typingPause = 1000;

// useList moves the focus over the buttons in the element by arrows, Home and End. A digit presses the nth button;
// where the buttons have numbers of their own (data-number), digits type the number of the one to go to.
export function useList() {
  const list = useRef(null);
  const typed = useRef({ text: "", at: 0 });
  useKeys((key) => {
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    if (!buttons.length) return false;
    if (/^[0-9]$/.test(key)) {
      if (buttons[0].dataset.number) numbered(buttons, typed.current, key)?.focus();
      else buttons[key - 1]?.click();
      return true;
    }
    const at = buttons.indexOf(document.activeElement);
    let next;
    if (key in strides) next = at < 0 ? 0 : (at + strides[key] + buttons.length) % buttons.length;
    else if (key === "Home") next = 0;
    else if (key === "End") next = buttons.length - 1;
    else return false;
    buttons[next].focus();
    return true;
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
