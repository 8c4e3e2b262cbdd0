// Pictures in turn.
import { html, useState, useEffect, useRef } from "./html.js";

const longest = 700; // of a transition, in milliseconds

// Carousel keeps three steps drawn: the one that leaves, the one that is seen and the next, already loaded. It
// turns when the interval is over and the next picture is ready to be painted, so it never shows half of one.
export function Carousel({ urls, interval, transition, label }) {
  const [step, setStep] = useState(0);
  const next = useRef(null);
  const every = Math.max(100, interval || 3000);
  useEffect(() => {
    if (urls.length < 2) return;
    let stopped = false;
    const turn = () => !stopped && setStep(step + 1);
    const timer = setTimeout(() => {
      if (!next.current) return turn();
      next.current.decode().then(turn, turn); // a broken picture has its turn too, as an empty one
    }, every);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [step, every, urls.length]);

  const steps = urls.length < 2 ? [0] : step === 0 ? [0, 1] : [step - 1, step, step + 1];
  const place = (n) => (n < step ? "is-past" : n === step ? "is-now" : "is-next");
  const speed = { transitionDuration: `${Math.min(longest, every * 0.5)}ms` };
  return html`<div class=${`carousel by-${transition}`} data-step=${step % urls.length}>
    ${steps.map((n) => html`<img key=${n} ref=${n === step + 1 ? next : null} class=${`slide ${place(n)}`} src=${urls[n % urls.length]}
      alt=${n === step ? `${label} ${(n % urls.length) + 1}/${urls.length}` : ""} aria-hidden=${n !== step} style=${speed} />`)}
  </div>`;
}
