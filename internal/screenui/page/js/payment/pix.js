// PIX: the code to scan, the same as text to copy, and the time that is left.
import { html, useEffect, useState } from "../html.js";
import { serverNow } from "../clock.js";
import { copy } from "../copy.js";
import { minutes } from "../format.js";
import { useBriefly } from "../hooks.js";
import { session } from "../storage.js";
import { useStore } from "../store.js";
import { Button } from "../ui.js";
import { t } from "./words.js";

const seenKey = "maquininha.pix";
const late = 60; // seconds left from which on the countdown warns

export function Pix({ payment }) {
  const left = useCountdown(payment.expiresAt);
  const over = left === 0;
  const emulator = useStore((s) => s.emulator); // a customer has no hand on this screen's clipboard
  return html`
    <div class=${"pix" + (over ? " over" : "")}>
      <div class="pix-scan">
        <div class="pix-qr">${payment.qr && html`<img src=${payment.qr} alt=${t("qr")} draggable=${false} />`}</div>
      </div>
      <div class="pix-side">
        <p class="payment-line" role="status">${t(over ? "pix-over" : "pix")}</p>
        ${left !== null && html`<${Countdown} left=${left} expiresAt=${payment.expiresAt} />`}
        ${emulator && payment.brCode && html`<${Copy} text=${payment.brCode} />`}
      </div>
    </div>`;
}

function Countdown({ left, expiresAt }) {
  const [whole] = useState(() => wholeTime(expiresAt, left));
  return html`
    <div class=${"pix-time" + (left < late ? " late" : "")} role="timer" data-left=${left}>
      <span class="pix-time-label">${t("expires")}</span><b>${minutes(left)}</b>
      <div class="pix-bar"><i style=${{ transform: `scaleX(${whole ? Math.min(1, left / whole) : 0})` }}></i></div>
    </div>`;
}

// useCountdown returns the whole seconds until then by the service's clock, never below 0; null when it never ends.
function useCountdown(expiresAt) {
  const read = () => (expiresAt ? Math.max(0, Math.ceil((expiresAt - serverNow()) / 1000)) : null);
  const [left, setLeft] = useState(read);
  useEffect(() => {
    if (!expiresAt) return;
    let timer;
    const tick = () => {
      setLeft(read());
      const rest = expiresAt - serverNow();
      if (rest > 0) timer = setTimeout(tick, (rest % 1000) + 5 || 1000);
    };
    tick();
    return () => clearTimeout(timer);
  }, [expiresAt]);
  return left;
}

// wholeTime is how long the code lived when first seen, so that the bar is right after a reload too.
function wholeTime(expiresAt, left) {
  const [at, whole] = session.recall(seenKey) ?? [];
  if (at === expiresAt) return whole;
  session.remember(seenKey, [expiresAt, left]);
  return left;
}

function Copy({ text }) {
  const [said, say] = useBriefly(2500);
  const press = async () => say((await copy(text)) ? "copied" : "copy-failed");
  return html`
    <div class="pix-copy">
      <code class="pix-code" data-brcode>${text}</code>
      <${Button} kind="plain" data-do="copy" onPress=${press}>${t(said || "copy")}<//>
    </div>`;
}
