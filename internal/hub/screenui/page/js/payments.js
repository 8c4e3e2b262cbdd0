// Words for ways to pay and for what became of payments.
import { html } from "./html.js";
import { words } from "./i18n.js";
import { Badge } from "./parts.js";

const t = words({
  "pt-BR": { approved: "aprovada", refused: "recusada", cancelled: "cancelada", reversed: "estornada", pending: "pendente", credit: "crédito", debit: "débito", pix: "PIX", any: "a escolher" },
  en: { approved: "approved", refused: "refused", cancelled: "cancelled", reversed: "reversed", pending: "pending", credit: "credit", debit: "debit", pix: "PIX", any: "not chosen" },
  es: { approved: "aprobada", refused: "rechazada", cancelled: "cancelada", reversed: "devuelta", pending: "pendiente", credit: "crédito", debit: "débito", pix: "PIX", any: "a elegir" },
});

export const statuses = ["approved", "refused", "cancelled", "reversed", "pending"];
export const methods = ["credit", "debit", "pix"];

const colours = { approved: "good", reversed: "warn", pending: "bad" };

// paymentWord is a method or a status in the page's language, or as the terminal calls it.
export function paymentWord(id) {
  return id && t.has(id) ? t(id) : id || "–";
}

export function Status({ status }) {
  return html`<${Badge} kind=${colours[status] ?? "plain"}>${paymentWord(status)}<//>`;
}
