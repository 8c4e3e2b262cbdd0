// How a sale ended, with the caller's message, for a moment.
import { html, useMemo } from "../html.js";
import { serverNow } from "../clock.js";
import { post } from "../http.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { Button, Icon } from "../ui.js";
import { useKeys } from "../keys.js";

const t = words({
  "pt-BR": { finalized: "Venda finalizada", thanks: "Obrigado pela preferência!", cancelled: "Venda cancelada", nothing: "Nada foi vendido.", close: "Fechar" },
  en: { finalized: "Sale completed", thanks: "Thank you for shopping with us!", cancelled: "Sale cancelled", nothing: "Nothing was sold.", close: "Close" },
  es: { finalized: "Venta finalizada", thanks: "¡Gracias por su preferencia!", cancelled: "Venta cancelada", nothing: "No se vendió nada.", close: "Cerrar" },
});

export function Closing() {
  const closing = useStore((s) => s.closing);
  const close = () => post("/closing/dismiss");
  // A page that comes late shows what is left of the time.
  const late = useMemo(() => Math.max(0, serverNow() - (closing?.began ?? 0)), [closing?.began]);
  const mayClose = Boolean(closing?.showCloseButton);
  useKeys({ Enter: mayClose ? close : null, Escape: mayClose ? close : null });
  if (!closing) return html`<section class="closing" data-view="closing" />`;
  const { finalized, message, buttonCloseText, interval, began } = closing;
  return html`<section class=${`closing ${finalized ? "good" : "bad"}`} data-view="closing" data-finalized=${String(finalized)}>
    <div class="closing-body" role="status">
      <span class="closing-mark"><${Icon} name=${finalized ? "check" : "cross"} /></span>
      <h1>${t(finalized ? "finalized" : "cancelled")}</h1>
      <p class="closing-message">${message || t(finalized ? "thanks" : "nothing")}</p>
    </div>
    <div class="closing-foot">
      ${mayClose ? html`<${Button} kind="primary" data-do="close" onPress=${close}>${buttonCloseText || t("close")}<//>` : null}
    </div>
    ${interval > 0 ? html`<span class="closing-time" key=${began} style=${{ animationDuration: `${interval}ms`, animationDelay: `-${late}ms` }} />` : null}
  </section>`;
}
