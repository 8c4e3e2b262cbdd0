// Transactions across terminals, with filters and export; each with what became of it, step by step.
import { exportOf, read, transactions as find } from "../api.js";
import { money } from "../format.js";
import { html, useEffect, useState } from "../html.js";
import { words } from "../i18n.js";
import { Pages, Table, usePages } from "../list.js";
import { nameOf, useNames } from "../names.js";
import { Dialog, Facts, Field, SearchField, Select, When } from "../parts.js";
import { Status, methods, paymentWord, statuses } from "../payments.js";
import { PlaceFilter, placeName, usePlaces } from "../places.js";
import { hashOf, useFilter } from "../route.js";

const t = words({
  "pt-BR": {
    title: "Transações", reference: "Referência", status: "Situação", method: "Forma", from: "De", to: "Até", all: "todas", exports: "Exportar CSV", when: "Quando", amount: "Valor", terminal: "Terminal", place: "Loja", nsu: "NSU",
    transaction: "Transação", updated: "Atualizada", number: "Número", history: "O que aconteceu", none: "Nenhuma transação.", details: "Ver a transação {ref}", payment: "pagamento", reversal: "estorno",
    begun: "começou", sent: "enviada ao adquirente", approved: "aprovada pelo adquirente", confirmed: "confirmada", refused: "recusada", cancelled: "cancelada", unknown: "sem resposta", undoing: "sendo desfeita", undone: "desfeita",
    reversing: "sendo estornada", returned: "devolvida em parte", reversed: "estornada",
  },
  en: {
    title: "Transactions", reference: "Reference", status: "Status", method: "Method", from: "From", to: "To", all: "all", exports: "Export CSV", when: "When", amount: "Amount", terminal: "Terminal", place: "Shop", nsu: "NSU",
    transaction: "Transaction", updated: "Updated", number: "Number", history: "What happened", none: "No transactions.", details: "See transaction {ref}", payment: "payment", reversal: "reversal",
    begun: "begun", sent: "sent to the acquirer", approved: "approved by the acquirer", confirmed: "confirmed", refused: "refused", cancelled: "cancelled", unknown: "no answer", undoing: "being undone", undone: "undone",
    reversing: "being reversed", returned: "partly returned", reversed: "reversed",
  },
  es: {
    title: "Transacciones", reference: "Referencia", status: "Situación", method: "Forma", from: "Desde", to: "Hasta", all: "todas", exports: "Exportar CSV", when: "Cuándo", amount: "Valor", terminal: "Terminal", place: "Tienda", nsu: "NSU",
    transaction: "Transacción", updated: "Actualizada", number: "Número", history: "Qué pasó", none: "Ninguna transacción.", details: "Ver la transacción {ref}", payment: "pago", reversal: "devolución",
    begun: "empezó", sent: "enviada al adquirente", approved: "aprobada por el adquirente", confirmed: "confirmada", refused: "rechazada", cancelled: "cancelada", unknown: "sin respuesta", undoing: "deshaciéndose", undone: "deshecha",
    reversing: "devolviéndose", returned: "devuelta en parte", reversed: "devuelta",
  },
});

const usual = { referenceId: "", status: "", method: "", since: "", until: "", tenant: "", shop: "" };

export function Transactions() {
  const [filter, set, go] = useFilter(usual);
  const list = usePages((cursor) => find({ ...filter, limit: 100 }, cursor), JSON.stringify(filter), { live: true });
  const choices = (all) => [["", t("all")], ...all.map((id) => [id, paymentWord(id)])];
  return html`
    <header class="view-head"><h1>${t("title")}</h1><a class="button plain" data-do="export" href=${exportOf("transactions", filter)} download>${t("exports")}</a></header>
    <div class="tools">
      <${SearchField} label=${t("reference")} name="reference" value=${filter.referenceId} onInput=${set("referenceId")} />
      <${Select} label=${t("status")} name="status" value=${filter.status} onPick=${set("status")} options=${choices(statuses)} />
      <${Select} label=${t("method")} name="method" value=${filter.method} onPick=${set("method")} options=${choices(methods)} />
      <${PlaceFilter} ...${filter} onPick=${go} />
      <${Field} label=${t("from")} name="from" type="date" value=${filter.since} onInput=${set("since")} />
      <${Field} label=${t("to")} name="to" type="date" value=${filter.until} onInput=${set("until")} />
    </div>
    <${Pages} list=${list} none=${t("none")}>${(items) => html`<${TransactionRows} items=${items} terminals=${true} />`}<//>`;
}

export function TransactionRows({ items, terminals }) {
  useNames(terminals ? items.map((item) => item.terminal) : []);
  const [shown, show] = useState(null);
  const columns = [
    { title: t("when"), cell: (item) => html`<button type="button" class="link" data-do="details" aria-label=${t("details", { ref: item.referenceId || item.attempt })} onClick=${() => show(item)}><${When} at=${item.createdAt} /></button>` },
    terminals && { title: t("terminal"), cell: (item) => html`<a href=${hashOf("terminals", item.terminal)}>${nameOf(item.terminal)}</a>` },
    { title: t("reference"), cell: (item) => item.referenceId || "–" },
    { title: t("method"), short: true, cell: (item) => paymentWord(item.method) },
    { title: t("amount"), number: true, cell: (item) => money(item.amount) },
    { title: t("status"), short: true, cell: (item) => html`<${Status} status=${item.status} />` },
  ].filter(Boolean);
  return html`
    <${Table} label=${t("title")} columns=${columns} items=${items} row=${(item) => ({ key: `${item.terminal} ${item.epoch} ${item.attempt}`, "data-transaction": item.referenceId })} />
    ${shown && html`<${Transaction} item=${shown} onClose=${() => show(null)} />`}`;
}

function Transaction({ item, onClose }) {
  useNames([item.terminal]);
  usePlaces();
  const [steps, setSteps] = useState([]);
  useEffect(() => {
    read(`/terminals/${encodeURIComponent(item.terminal)}/history/${encodeURIComponent(item.epoch)}/${item.attempt}`).then(({ data }) => setSteps(data ?? []));
  }, []);
  const facts = [
    [t("amount"), money(item.amount)], [t("status"), html`<${Status} status=${item.status} />`], [t("method"), paymentWord(item.method)], [t("reference"), item.referenceId], [t("nsu"), item.nsu],
    [t("terminal"), nameOf(item.terminal)], [t("place"), placeName(item)], [t("number"), item.attempt], [t("when"), html`<${When} at=${item.createdAt} />`], [t("updated"), html`<${When} at=${item.updatedAt} />`],
  ];
  return html`
    <${Dialog} title=${t("transaction")} name="transaction" onClose=${onClose}>
      <${Facts} items=${facts} />
      ${steps.length > 0 && html`<h3>${t("history")}</h3>
        <ol class="steps">${steps.map((step) => html`<li key=${step.number}><${When} at=${step.at} /> <b>${word(step.state)}</b>${step.operation === "reversal" ? `, ${t("reversal")}` : ""}${step.note ? html` <span class="why">${step.note}</span>` : null}</li>`)}</ol>`}
    <//>`;
}

function word(state) {
  return t.has(state) ? t(state) : state;
}
