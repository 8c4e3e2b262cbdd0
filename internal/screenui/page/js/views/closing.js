// How a sale ended: the caller's message, what was paid and, larger than anything else, the change.
import { html, useMemo } from "../html.js";
import { serverNow } from "../clock.js";
import { post } from "../http.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { isZero, money } from "../format.js";
import { useMore } from "../more.js";
import { Button } from "../ui.js";
import { Mark } from "../mark.js";
import { useKeys } from "../keys.js";

const t = words({
  "pt-BR": {
    finalized: "Venda finalizada", thanks: "Obrigado pela preferência!", cancelled: "Venda cancelada", total: "Total {amount}", change: "Troco",
    paid: "Foram pagos {amount} nesta venda. Devolva ao cliente.", close: "Fechar",
  },
  en: {
    finalized: "Sale completed", thanks: "Thank you for shopping with us!", cancelled: "Sale cancelled", total: "Total {amount}", change: "Change",
    paid: "{amount} was paid in this sale. Give it back to the customer.", close: "Close",
  },
  es: {
    finalized: "Venta finalizada", thanks: "¡Gracias por su preferencia!", cancelled: "Venta cancelada", total: "Total {amount}", change: "Vuelto",
    paid: "Se pagaron {amount} en esta venta. Devuélvalos al cliente.", close: "Cerrar",
  },
});

// Closing goes on where the result of the payment left off: the same colour and the same mark, with other words.
export function Closing({ after }) {
  const closing = useStore((s) => s.closing);
  const close = () => post("/closing/dismiss");
  // A page that comes late shows what is left of the time, and so does a message that was covered for a while.
  const gone = useMemo(() => (closing ? closing.interval - closing.left + Math.max(0, serverNow() - (closing.began ?? 0)) : 0), [closing?.began]);
  const more = useMore();
  const mayClose = Boolean(closing?.showCloseButton);
  useKeys({ Enter: mayClose ? close : null, Escape: mayClose ? close : null });
  if (!closing) return html`<section class="closing" data-view="closing" />`;
  const { finalized, message, buttonCloseText, interval, began } = closing;
  const kind = t(finalized ? "finalized" : "cancelled");
  const said = message || (finalized ? t("thanks") : null);
  return html`<section class=${`ending closing ${finalized ? "approved" : "cancelled"} ${after === "result" ? "goes-on" : ""}`} data-view="closing" data-finalized=${String(finalized)}>
    <div class="closing-body">
      <${Mark} verdict=${finalized ? "approved" : "refused"} />
      <div class="closing-say" role="status">
        ${said ? html`<p class="closing-kind">${kind}</p>` : null}
        <h1 ref=${more} tabindex="0" class=${said?.length > 140 ? "longest" : said?.length > 60 ? "long" : ""}>${said ?? kind}</h1>
        <${Sums} of=${closing} />
      </div>
    </div>
    ${mayClose ? html`<div class="closing-foot"><${Button} kind="clear" data-do="close" onPress=${close}>${buttonCloseText || t("close")}<//></div>` : null}
    ${interval > 0 && began ? html`<span class="closing-time" key=${began} style=${{ animationDuration: `${interval}ms`, animationDelay: `-${gone}ms` }} />` : null}
  </section>`;
}

// Sums: of a sale that was cancelled only what somebody has to give back.
function Sums({ of }) {
  const { finalized, total, paid, change } = of;
  if (!finalized) return isZero(paid) ? null : html`<p class="closing-paid">${t("paid", { amount: money(paid) })}</p>`;
  return [
    isZero(total) ? null : html`<p class="closing-total" key="total">${t("total", { amount: money(total) })}</p>`,
    isZero(change) ? null : html`<p class="closing-change" key="change" data-sum="change" style=${{ "--letters": String(money(change).length) }}>
      <span>${t("change")}</span> <b>${money(change)}</b>
    </p>`,
  ];
}
