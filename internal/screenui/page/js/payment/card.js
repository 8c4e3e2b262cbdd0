// The card at the reader, and the PIN.
import { html, useState } from "../html.js";
import { Button } from "../ui.js";
import { Keypad } from "../keypad.js";
import { useKeys } from "../keys.js";
import { t } from "./words.js";

// CardArt draws the ways to use a card, each by itself: near the reader, into it, along its side. payment.css moves the cards.
export function CardArt() {
  return html`<div class="card-art" aria-hidden="true">
    <${Way} name="insert" front=${html`<rect class="card-art-slot" x="28" y="121" width="64" height="6" rx="3" />`}>
      <rect class="card-art-plastic" x="36" y="100" width="48" height="76" rx="6" />
      <rect class="card-art-chip" x="53" y="132" width="14" height="12" rx="2.5" />
    <//>
    <${Way} name="tap" front=${html`<${Contactless} />`}>
      <rect class="card-art-plastic" x="22" y="8" width="76" height="48" rx="6" />
      <rect class="card-art-chip" x="31" y="20" width="13" height="11" rx="2.5" />
    <//>
    <${Way} name="swipe">
      <rect class="card-art-plastic" x="82" y="46" width="30" height="70" rx="5" />
      <rect class="card-art-stripe" x="88" y="46" width="8" height="70" />
    <//>
  </div>`;
}

// Way is a reader with a card: the card is behind the reader where something of the reader lies before it.
function Way({ name, front, children }) {
  const card = html`<g class="card-art-card">${children}</g>`;
  const behind = name === "insert";
  return html`<svg class=${`card-art-way by-${name}`} viewBox="0 0 120 164" focusable="false">
    ${behind && card}
    <rect class="card-art-reader" x="24" y="34" width="72" height="90" rx="11" />
    <rect class="card-art-screen" x="32" y="43" width="56" height="28" rx="5" />
    <g class="card-art-keys">
      ${[0, 1, 2].map((row) => [0, 1, 2].map((col) => html`<rect key=${row * 3 + col} x=${35 + col * 18.5} y=${79 + row * 12} width="13" height="7" rx="2.5" />`))}
    </g>
    ${!behind && card}
    ${front}
  </svg>`;
}

// Contactless is the sign of cards that need not touch.
function Contactless() {
  return html`<g class="card-art-waves" fill="none" stroke="currentColor" stroke-width="4.5" stroke-linecap="round">
    <path d="M62 26a9 9 0 0 1 0 12" /><path d="M69 21a17 17 0 0 1 0 22" /><path d="M76 16a25 25 0 0 1 0 32" />
  </g>`;
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
