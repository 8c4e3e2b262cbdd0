// Prints that wait until somebody has seen to the printer, where no sale is open.
import { html } from "../html.js";
import { useKeys } from "../keys.js";
import { useButtonKeys } from "../payment/buttons.js";
import { Button, Icon } from "../ui.js";
import { useWaiting } from "../waiting.js";

export function Printer() {
  const waiting = useWaiting();
  const list = useButtonKeys();
  useKeys({ Enter: waiting?.print ?? null, Escape: waiting?.dismiss ?? null });
  if (!waiting) return html`<section class="ending trouble unknown" data-view="printer" />`;
  const { how, printing, title, advice, what, busy, later, print, dismiss } = waiting;
  return html`<section class="ending trouble unknown" data-view="printer" data-why=${how}>
    <${Icon} name=${how === "ok" ? "printer" : "warn"} />
    <div class="trouble-say" role="status">
      <h1>${title}</h1>
      <p>${busy ?? what}</p>
    </div>
    <div class="result-choices" ref=${list} aria-busy=${printing}>
      <${Button} data-do="print-waiting" onPress=${print}><${Icon} name="printer" />${advice}<//>
      <${Button} kind="clear" data-do="later" onPress=${dismiss}>${later}<//>
    </div>
  </section>`;
}
