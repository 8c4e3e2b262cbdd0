// The card at the reader, and the PIN.
import { html, useState } from "../html.js";
import { Button } from "../ui.js";
import { Keypad } from "../keypad.js";
import { useKeys } from "../keys.js";
import { t } from "./words.js";

// CardArt is a reader that a card comes near to; payment.css moves it.
export function CardArt() {
  return html`
    <svg class="card-art" viewBox="0 0 200 176" aria-hidden="true" focusable="false">
      <g class="card-art-waves" fill="none" stroke="currentColor" stroke-width="5" stroke-linecap="round">
        <path d="M82 20a26 26 0 0 1 36 0" /><path d="M73 10a40 40 0 0 1 54 0" />
      </g>
      <rect class="card-art-reader" x="54" y="26" width="92" height="112" rx="14" />
      <rect class="card-art-screen" x="64" y="37" width="72" height="36" rx="6" />
      <g class="card-art-keys">
        ${[0, 1, 2].map((row) => [0, 1, 2].map((col) => html`<rect key=${row * 3 + col} x=${67 + col * 24} y=${82 + row * 14} width="18" height="9" rx="3" />`))}
      </g>
      <g class="card-art-card">
        <rect class="card-art-plastic" x="70" y="128" width="60" height="92" rx="7" />
        <rect class="card-art-chip" x="91" y="137" width="18" height="14" rx="3" />
      </g>
      <rect class="card-art-slot" x="62" y="127" width="76" height="7" rx="3.5" />
    </svg>`;
}

const shortest = 4;
const longest = 6;

// Pin counts the digits and neither keeps nor sends them: the service is only told that a PIN was typed.
export function Pin({ act, busy }) {
  const [count, setCount] = useState(0);
  const submit = async () => {
    if (count < shortest || busy) return;
    if (!(await act({ action: "pin" }))) setCount(0);
  };
  const press = (key) => {
    if (busy) return;
    if (/^[0-9]$/.test(key)) setCount((n) => Math.min(longest, n + 1));
    else if (key === "back") setCount((n) => Math.max(0, n - 1));
    else setCount(0);
  };
  useKeys({
    character: (key) => /^[0-9]$/.test(key) && press(key),
    Backspace: () => press("back"),
    Delete: () => press("clear"),
    Enter: submit,
  });
  return html`
    <div class="pin">
      <div class="pin-say">
        <p class="payment-line" id="pin-label">${t("pin")}</p>
        <div class="pin-dots" role="status" aria-labelledby="pin-label" aria-label=${t("pin-typed", { n: count })} data-count=${count}>
          ${Array.from({ length: Math.max(shortest, count) }, (_, i) => html`<i key=${i} class=${i < count ? "full" : ""}></i>`)}
        </div>
      </div>
      <${Keypad} onKey=${press} disabled=${busy} />
      <${Button} kind="primary" data-do="pin-ok" disabled=${busy || count < shortest} onPress=${submit}>${t("pin-ok")}<//>
    </div>`;
}
