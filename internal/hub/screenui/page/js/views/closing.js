// The sums of a period across terminals.
import { dated, exportOf, query, read } from "../api.js";
import { isZero, money } from "../format.js";
import { html } from "../html.js";
import { words } from "../i18n.js";
import { Pages, Table, usePages } from "../list.js";
import { nameOf, useNames } from "../names.js";
import { Facts, Field } from "../parts.js";
import { paymentWord } from "../payments.js";
import { PlaceFilter } from "../places.js";
import { hashOf, useFilter } from "../route.js";

const t = words({
  "pt-BR": { title: "Fechamento", from: "De", to: "Até", method: "Forma", count: "Quantidade", gross: "Recebido", reversed: "Estornado", net: "Líquido", pending: "Pendente", terminal: "Terminal", none: "Nada neste período.", exports: "Exportar CSV" },
  en: { title: "Closing", from: "From", to: "To", method: "Method", count: "Count", gross: "Taken", reversed: "Reversed", net: "Net", pending: "Pending", terminal: "Terminal", none: "Nothing in this period.", exports: "Export CSV" },
  es: { title: "Cierre", from: "Desde", to: "Hasta", method: "Forma", count: "Cantidad", gross: "Recibido", reversed: "Devuelto", net: "Neto", pending: "Pendiente", terminal: "Terminal", none: "Nada en este período.", exports: "Exportar CSV" },
});

function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export function Closing() {
  const [filter, set, go] = useFilter({ since: today(), until: today(), tenant: "", shop: "" });
  const list = usePages((cursor) => sums(filter, Number(cursor || 0)), JSON.stringify(filter), { live: true });
  useNames((list.items ?? []).map((row) => row.terminal));
  const columns = [
    { title: t("terminal"), cell: (row) => html`<a href=${hashOf("terminals", row.terminal)}>${nameOf(row.terminal)}</a>` },
    { title: t("method"), short: true, cell: (row) => paymentWord(row.method) },
    { title: t("count"), number: true, cell: (row) => row.gross.count },
    { title: t("gross"), number: true, cell: (row) => money(row.gross.amount) },
    { title: t("reversed"), number: true, cell: (row) => money(row.reversed.amount) },
    { title: t("net"), number: true, cell: (row) => money(row.net) },
  ];
  if (list.total && !isZero(list.total.pending.amount)) columns.push({ title: t("pending"), number: true, cell: (row) => money(row.pending.amount) });
  return html`
    <header class="view-head"><h1>${t("title")}</h1><a class="button plain" data-do="export" href=${exportOf("closings", filter)} download>${t("exports")}</a></header>
    <div class="tools">
      <${Field} label=${t("from")} name="from" type="date" value=${filter.since} onInput=${set("since")} />
      <${Field} label=${t("to")} name="to" type="date" value=${filter.until} onInput=${set("until")} />
      <${PlaceFilter} ...${filter} onPick=${go} />
    </div>
    ${list.items?.length > 0 && html`<${Total} total=${list.total} />`}
    <${Pages} list=${list} none=${t("none")}>${(items) => html`
      <${Table} label=${t("title")} columns=${columns} items=${items} row=${(row) => ({ key: row.terminal + " " + row.method, "data-closing": row.terminal })} />`}<//>`;
}

const rowsAtOnce = 200;

// sums come whole and are shown in pieces: a large fleet has thousands of rows.
async function sums(filter, offset) {
  const { data, ...not } = await read("/closings" + query(dated(filter)));
  if (!data) return not;
  const past = offset + rowsAtOnce;
  return { items: data.closings.slice(offset, past), next: past < data.closings.length ? String(past) : "", total: data.total };
}

function Total({ total }) {
  return html`<${Facts} data-total="closing" items=${[
    [t("count"), String(total.gross.count)], [t("gross"), money(total.gross.amount)], [t("reversed"), money(total.reversed.amount)], [t("net"), html`<b>${money(total.net)}</b>`],
    [t("pending"), isZero(total.pending.amount) ? "" : money(total.pending.amount)],
  ]} />`;
}
