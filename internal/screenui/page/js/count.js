// A sum that is seen to change.
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { useMedia } from "./hooks.js";
import { money } from "./format.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const lasts = 180; // milliseconds
const pause = 24; // between two figures

// Counted draws an amount as money. When it changes it counts there: what passes is only drawn, so that a float does, and
// the last figure is the amount itself. Another name is another sum, which begins where it is.
export function Counted({ name, amount }) {
  const quiet = useMedia(still);
  const [passing, setPassing] = useState(null);
  const before = useRef({ name, amount });
  useLayoutEffect(() => {
    const from = before.current;
    before.current = { name, amount };
    const step = amount - from.amount;
    if (quiet || from.name !== name || !Number.isFinite(step) || step === 0) return undefined;
    const began = performance.now();
    const next = () => {
      const done = (performance.now() - began) / lasts;
      setPassing(done < 1 ? (from.amount - -step * done * (2 - done)).toFixed(2) : null);
      if (done >= 1) clearInterval(timer);
    };
    setPassing(from.amount);
    const timer = setInterval(next, pause);
    return () => {
      clearInterval(timer);
      setPassing(null);
    };
  }, [name, amount, quiet]);
  const letters = { "--letters": String(money(amount).length) };
  return html`<dd style=${letters} aria-live="polite" aria-busy=${passing !== null}>${money(passing ?? amount)}</dd>`;
}
