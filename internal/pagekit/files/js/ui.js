// The parts every view is made of.
import { html, useRef } from "./html.js";

// Button is pressed once at a time: while what it started is under way, further presses do nothing.
export function Button({ kind = "plain", onPress, disabled, children, class: extra = "", ...rest }) {
  const running = useRef(false);
  const press = async (event) => {
    if (running.current) return;
    running.current = true;
    try {
      await onPress?.(event);
    } finally {
      running.current = false;
    }
  };
  return html`<button type="button" class=${`button ${kind} ${extra}`} disabled=${disabled} onClick=${press} ...${rest}>${children}</button>`;
}

const icons = {
  check: ["M5 12.5l4.5 4.5L19 7.5"],
  cross: ["M6.5 6.5l11 11", "M17.5 6.5l-11 11"],
  card: ["M4.5 5.5h15a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z", "M2.5 10h19", "M6 15h4"],
  pix: ["M12 2.8l3.6 3.6-3.6 3.6-3.6-3.6z", "M12 14l3.6 3.6-3.6 3.6-3.6-3.6z", "M6.4 8.4L10 12l-3.6 3.6L2.8 12z", "M17.6 8.4l3.6 3.6-3.6 3.6L14 12z"],
  printer: ["M7 8.5V3.5h10v5", "M7 17.5H4.5a1.5 1.5 0 0 1-1.5-1.5v-6a1.5 1.5 0 0 1 1.5-1.5h15A1.5 1.5 0 0 1 21 10v6a1.5 1.5 0 0 1-1.5 1.5H17", "M7 14h10v6.5H7z"],
  paper: ["M6 3h12v18l-2-1.4-2 1.4-2-1.4-2 1.4-2-1.4L6 21z", "M9 8h6", "M9 12h6"],
  lock: ["M6.5 10.5h11a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 19v-7a1.5 1.5 0 0 1 1.5-1.5z", "M8 10.5V7.5a4 4 0 0 1 8 0v3", "M12 14.5v2"],
  back: ["M14.5 5.5L8 12l6.5 6.5"],
  erase: ["M9 5.5h10.5a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5H9L3 12z", "M11.5 9.5l5 5", "M16.5 9.5l-5 5"],
  gear: ["M12 8.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z", "M10.3 3h3.4l.5 2.5 1.9 1.1 2.4-.8 1.7 2.9-1.9 1.7v2.2l1.9 1.7-1.7 2.9-2.4-.8-1.9 1.1-.5 2.5h-3.4l-.5-2.5-1.9-1.1-2.4.8-1.7-2.9 1.9-1.7v-2.2L3.9 8.7l1.7-2.9 2.4.8 1.9-1.1z"],
  send: ["M21 3.5L3 10.5l7 3.5 3.5 7z", "M21 3.5L10 14"],
  bell: ["M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15z", "M10 20.5a2.2 2.2 0 0 0 4 0"],
  warn: ["M12 4L2.8 20h18.4z", "M12 10v4.5", "M12 17.3v.01"],
  down: ["M12 4.5v14", "M6 13l6 6 6-6"],
  globe: ["M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z", "M3.5 12h17", "M12 3.5c4.6 5 4.6 12 0 17", "M12 3.5c-4.6 5-4.6 12 0 17"],
  shop: ["M4 10v9.5h16V10", "M3 10l1.8-5.5h14.4L21 10z", "M9.5 19.5v-5h5v5"],
  sum: ["M17.5 7.5V4.5H6.5l6 7.5-6 7.5h11v-3"],
  lines: ["M4.5 6h15", "M4.5 10h10", "M4.5 14h15", "M4.5 18h7"],
  clock: ["M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z", "M12 7.5V12l3 2"],
  more: ["M4.5 7h15", "M4.5 12h15", "M4.5 17h15"],
  bag: ["M5.5 8h13l1 12.5h-15z", "M8.5 10.5V7a3.5 3.5 0 0 1 7 0v3.5"],
};

// Icon is a drawing that says nothing by itself: words stand beside it, or its button has a label.
export function Icon({ name, class: extra = "" }) {
  return html`<svg class=${`icon ${extra}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    ${(icons[name] ?? []).map((d) => html`<path d=${d} />`)}
  </svg>`;
}
