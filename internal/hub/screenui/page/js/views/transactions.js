// Transactions across terminals, with filters and export.
import { exportOf, transactions as find } from "../api.js";
import { money } from "../format.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Badge, Field, Pages, Select, When, usePages } from "../parts.js";
import { nameOf, useNames } from "../names.js";
import { hashOf } from "../route.js";

const t = words({
  "pt-BR": {
    title: "Transações", reference: "Referência", status: "Situação", method: "Forma", from: "De", to: "Até", all: "todas", exports: "Exportar CSV", when: "Quando", amount: "Valor", terminal: "Terminal",
    approved: "aprovada", refused: "recusada", cancelled: "cancelada", reversed: "estornada", pending: "pendente", credit: "crédito", debit: "débito", pix: "PIX",
  },
  en: {
    title: "Transactions", reference: "Reference", status: "Status", method: "Method", from: "From", to: "To", all: "all", exports: "Export CSV", when: "When", amount: "Amount", terminal: "Terminal",
    approved: "approved", refused: "refused", cancelled: "cancelled", reversed: "reversed", pending: "pending", credit: "credit", debit: "debit", pix: "PIX",
  },
  es: {
    title: "Transacciones", reference: "Referencia", status: "Situación", method: "Forma", from: "Desde", to: "Hasta", all: "todas", exports: "Exportar CSV", when: "Cuándo", amount: "Valor", terminal: "Terminal",
    approved: "aprobada", refused: "rechazada", cancelled: "cancelada", reversed: "devuelta", pending: "pendiente", credit: "crédito", debit: "débito", pix: "PIX",
  },
});

const statuses = ["approved", "refused", "cancelled", "reversed", "pending"];
const methods = ["credit", "debit", "pix"];
const colours = { approved: "good", refused: "plain", cancelled: "plain", reversed: "warn", pending: "bad" };

export function Transactions() {
  useNames();
  const [filter, setFilter] = useState({ referenceId: "", status: "", method: "", since: "", until: "" });
  const set = (key) => (value) => setFilter({ ...filter, [key]: value });
  const transactions = usePages((cursor) => find({ ...filter, limit: 100 }, cursor), JSON.stringify(filter), { live: true });
  const choices = (all) => [["", t("all")], ...all.map((id) => [id, t(id)])];
  return html`
    <header class="view-head"><h1>${t("title")}</h1><a class="button plain" data-do="export" href=${exportOf("transactions", filter)} download>${t("exports")}</a></header>
    <div class="tools">
      <${Field} label=${t("reference")} name="reference" type="search" value=${filter.referenceId} onInput=${set("referenceId")} />
      <${Select} label=${t("status")} name="status" value=${filter.status} onPick=${set("status")} options=${choices(statuses)} />
      <${Select} label=${t("method")} name="method" value=${filter.method} onPick=${set("method")} options=${choices(methods)} />
      <${Field} label=${t("from")} name="from" type="date" value=${filter.since} onInput=${set("since")} />
      <${Field} label=${t("to")} name="to" type="date" value=${filter.until} onInput=${set("until")} />
    </div>
    <${Pages} list=${transactions}>${(items) => html`<${TransactionRows} items=${items} terminals=${true} />`}<//>`;
}

export function TransactionRows({ items, terminals }) {
  return html`
    <table class="rows">
      <thead><tr><th>${t("when")}</th>${terminals && html`<th>${t("terminal")}</th>`}<th>${t("reference")}</th><th>${t("method")}</th><th class="number">${t("amount")}</th><th>${t("status")}</th></tr></thead>
      <tbody>${items.map((item) => html`
        <tr key=${`${item.terminal} ${item.epoch} ${item.attempt}`} data-transaction=${item.referenceId}>
          <td><${When} at=${item.createdAt} /></td>
          ${terminals && html`<td data-label=${t("terminal")}><a href=${hashOf("terminals", item.terminal)}>${nameOf(item.terminal)}</a></td>`}
          <td data-label=${t("reference")}>${item.referenceId || "–"}</td>
          <td data-label=${t("method")}>${t.has(item.method) ? t(item.method) : item.method}</td>
          <td class="number" data-label=${t("amount")}>${money(item.amount)}</td>
          <td><${Badge} kind=${colours[item.status]}>${t.has(item.status) ? t(item.status) : item.status}<//></td>
        </tr>`)}</tbody>
    </table>`;
}
