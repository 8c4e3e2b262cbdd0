// How a payment or a reversal ended, and whether somebody wants its receipt.
import { html, useState } from "../html.js";
import { post } from "../http.js";
import { useStore } from "../store.js";
import { money } from "../format.js";
import { useKeys } from "../keys.js";
import { useButtonKeys } from "../payment/buttons.js";
import { t } from "../payment/words.js";
import { printerTrouble } from "../status.js";
import { Button, Icon } from "../ui.js";

const marks = {
  approved: "M14 27l9 9 17-19",
  refused: "M17 17l20 20M37 17L17 37",
  cancelled: "M15 27h24",
  unknown: "M19 21a8 8 0 1 1 11 7.5c-2 1-3 2-3 4.5M27 39.5v.1",
};

const dismiss = () => post("/result/dismiss", {});

// Result shows state.result; a tap, Enter or Escape sends it away before the service does. Where it asks for the
// receipt, only its buttons and Escape do: a touch beside them decides nothing.
export function Result() {
  const result = useStore((s) => s.result);
  const asks = Boolean(result?.receipts.ask);
  useKeys({ Escape: dismiss, Enter: asks ? null : dismiss });
  if (!result) return null;
  const verdict = marks[result.verdict] ? result.verdict : "unknown";
  const reversal = result.kind === "reversal";
  const title = t((reversal ? "reversal-" : "") + verdict);
  const message = result.message && result.message.toLowerCase() !== title.toLowerCase() ? result.message : null;
  return html`
    <section class=${`result ${verdict} ${asks ? "asking" : ""}`} data-view="result" data-verdict=${verdict} data-kind=${result.kind}
      data-do=${asks ? undefined : "dismiss"} onClick=${asks ? undefined : dismiss}>
      <svg class="result-mark" viewBox="0 0 54 54" aria-hidden="true" focusable="false">
        <circle cx="27" cy="27" r="24.5" /><path d=${marks[verdict]} pathLength="1" />
      </svg>
      <div class="result-say">
        <h1 role="status">${title}</h1>
        ${message && html`<p class="result-message">${message}</p>`}
        <p class="result-amount">${money(result.amount)}</p>
        ${result.method && result.method !== "any" && html`<p>${t("method-" + result.method)}</p>`}
      </div>
      ${asks ? html`<${Receipt} of=${result.receipts} />` : html`
        <${Paper} of=${result.receipts} />
        <p class="result-hint">${t("dismiss")}</p>`}
    </section>`;
}

// Paper says how the printing goes where nobody is asked about the receipt.
function Paper({ of }) {
  const said = of.printing ? "printing" : of.printed.length ? "printed" : null;
  return said && html`<p class="result-receipt" role="status" data-receipt=${said}><${Icon} name="printer" />${t("receipt-" + said)}</p>`;
}

const none = -1;

// Receipt offers the copies; each may be had again until the result goes.
function Receipt({ of }) {
  const trouble = useStore((s) => printerTrouble(s.printer.state));
  const turn = useStore((s) => s.turn);
  const [refused, setRefused] = useState(none); // the terminal's turn that was in the way
  const list = useButtonKeys();
  const print = (copy) => async () => {
    if (of.printing) return;
    setRefused(none);
    const { status, data } = await post("/result/print", { copy });
    if (status === 409 && data?.reason === "busy") setRefused(data.turn);
  };
  const said = of.printing ? "printing" : refused >= turn ? "busy" : of.failed ? "failed" : of.printed.length ? "printed" : "ask";
  return html`<div class="result-ask">
    <p class="result-receipt" role="status" data-receipt=${said}>
      ${["failed", "busy"].includes(said) && html`<${Icon} name="warn" />`}${t("receipt-" + said)}${said === "failed" && trouble ? ` (${trouble})` : ""}
    </p>
    <div class="result-choices" ref=${list} aria-busy=${of.printing}>
      ${["customer", "merchant"].filter((copy) => of[copy]).map((copy) => html`
        <${Button} key=${copy} data-do=${`print-${copy}`} onPress=${print(copy)}>
          <${Icon} name=${of.printed.includes(copy) ? "check" : "printer"} />${t("print-" + copy)}
        <//>`)}
      <${Button} kind="clear" data-do="dismiss" onPress=${dismiss}>${t(of.printed.length ? "close" : "no-receipt")}<//>
    </div>
  </div>`;
}
