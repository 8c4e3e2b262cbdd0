// The mark that says from afar how something ended.
import { html } from "./html.js";

const marks = {
  approved: "M14 27l9 9 17-19",
  refused: "M17 17l20 20M37 17L17 37",
  cancelled: "M15 27h24",
  unknown: "M19 21a8 8 0 1 1 11 7.5c-2 1-3 2-3 4.5M27 39.5v.1",
};

// known is the verdict, or unknown for one that has no mark.
export const known = (verdict) => (marks[verdict] ? verdict : "unknown");

export function Mark({ verdict }) {
  return html`<svg class="mark" viewBox="0 0 54 54" aria-hidden="true" focusable="false">
    <circle cx="27" cy="27" r="24.5" /><path d=${marks[verdict]} pathLength="1" />
  </svg>`;
}
