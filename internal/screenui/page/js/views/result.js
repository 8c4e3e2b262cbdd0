// How a payment or a reversal ended, and whether somebody wants its receipt.
import { html, useEffect, useRef, useState } from "../html.js";
import { post } from "../http.js";
import { useStore } from "../store.js";
import { money } from "../format.js";
import { useKeys } from "../keys.js";
import { useButtonKeys } from "../payment/buttons.js";
import { inParts, t } from "../payment/words.js";
import { settledWord } from "../settled.js";
import { printerTrouble } from "../status.js";
import { useMore } from "../more.js";
import { Button, Icon } from "../ui.js";
import { Mark, known } from "../mark.js";

const dismiss = () => post("/result/dismiss", {});

// Result shows state.result; a tap, Enter or Escape sends it away before the service does. Where it asks for the
// receipt, or says what nobody may overlook, only its buttons and Escape do: a touch beside them decides nothing.
export function Result() {
  const result = useStore((s) => s.result);
  const asks = Boolean(result?.receipts.ask);
  const stays = Boolean(result) && (result.settled || known(result.verdict) === "unknown");
  const buttons = asks || stays;
  useKeys({ Escape: dismiss, Enter: asks ? null : dismiss });
  if (!result) return null;
  const verdict = known(result.verdict);
  return html`
    <section class=${`ending result ${verdict} ${buttons ? "asking" : ""}`} data-view="result" data-verdict=${verdict} data-kind=${result.kind}
      data-do=${buttons ? undefined : "dismiss"} onClick=${buttons ? undefined : dismiss}>
      <${Mark} verdict=${verdict} />
      <${Said} result=${result} verdict=${verdict} />
      ${asks ? html`<${Receipt} of=${result.receipts} />` : html`<${Paper} of=${result.receipts} />`}
      ${!asks && stays ? html`<div class="result-choices"><${Button} data-do="dismiss" onPress=${dismiss}>${t("understood")}<//></div>` : null}
      ${buttons ? null : html`<p class="result-hint">${t("dismiss")}</p>`}
    </section>`;
}

function Said({ result, verdict }) {
  const { kind, amount, method, message, reference, settled } = result;
  const box = useMore();
  const title = t(settled ? settledWord(kind, verdict === "approved") : (kind === "payment" ? "" : `${kind}-`) + verdict);
  const own = message && message.toLowerCase() !== title.toLowerCase() ? message : null;
  const more = own ?? (verdict === "unknown" ? t(kind === "menu" ? "menu-unknown-hint" : "unknown-hint") : null);
  return html`
    <div class="result-say" role="status">
      <h1>${title}</h1>
      ${more && html`<p ref=${box} class=${`result-message ${more.length > 120 ? "long" : ""}`} tabindex=${more.length > 120 ? "0" : undefined}>${more}</p>`}
      ${kind !== "menu" && html`<p class="result-amount">${money(amount)}</p>`}
      ${method && method !== "any" && html`<p class="result-how"><span>${t("method-" + method)}</span>${result.installments > 1 && html`<span>${inParts(result)}</span>`}</p>`}
      ${reference && (verdict === "unknown" || settled) && html`<p class="result-reference">${t("reference", { reference })}</p>`}
    </div>`;
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
  // The screen may know how a copy came out before its request is answered: from then on it may be asked for again.
  const asked = useRef(false);
  useEffect(() => {
    if (!of.printing) asked.current = false;
  }, [of]);
  const print = (copy) => () => {
    if (of.printing || asked.current) return;
    asked.current = true;
    setRefused(none);
    post("/result/print", { copy }).then(({ status, data }) => {
      asked.current = false;
      if (status === 409 && data?.reason === "busy") setRefused(data.turn);
    });
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
