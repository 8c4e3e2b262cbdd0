// The sums of a period across terminals.
import { exportOf, read, query } from "../api.js";
import { money } from "../format.js";
import { html, useEffect, useState } from "../html.js";
import { words } from "../i18n.js";
import { Field } from "../parts.js";
import { nameOf, useNames } from "../names.js";
import { useStore } from "../store.js";

const t = words({
  "pt-BR": { title: "Fechamento", from: "De", to: "Até", method: "Forma", count: "Quantidade", gross: "Recebido", reversed: "Estornado", net: "Líquido", terminal: "Terminal", none: "Nada neste período.", exports: "Exportar CSV", credit: "crédito", debit: "débito", pix: "PIX", sum: "Soma" },
  en: { title: "Closing", from: "From", to: "To", method: "Method", count: "Count", gross: "Taken", reversed: "Reversed", net: "Net", terminal: "Terminal", none: "Nothing in this period.", exports: "Export CSV", credit: "credit", debit: "debit", pix: "PIX", sum: "Sum" },
  es: { title: "Cierre", from: "Desde", to: "Hasta", method: "Forma", count: "Cantidad", gross: "Recibido", reversed: "Devuelto", net: "Neto", terminal: "Terminal", none: "Nada en este período.", exports: "Exportar CSV", credit: "crédito", debit: "débito", pix: "PIX", sum: "Suma" },
});

function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export function Closing() {
  useNames();
  const [filter, setFilter] = useState({ since: today(), until: today() });
  const [closing, setClosing] = useState(null);
  const news = useStore((s) => Math.floor(s.news / 10)); // sums need not be drawn with each change
  useEffect(() => {
    let ended = false;
    read("/closings" + query(filter)).then(({ data }) => !ended && data && setClosing(data));
    return () => { ended = true; };
  }, [filter, news]);
  const set = (key) => (value) => setFilter({ ...filter, [key]: value });
  const rows = closing?.closings ?? [];
  return html`
    <header class="view-head"><h1>${t("title")}</h1><a class="button plain" href=${exportOf("closings", filter)} download>${t("exports")}</a></header>
    <div class="tools">
      <${Field} label=${t("from")} name="from" type="date" value=${filter.since} onInput=${set("since")} />
      <${Field} label=${t("to")} name="to" type="date" value=${filter.until} onInput=${set("until")} />
    </div>
    ${closing && (rows.length ? html`
      <table class="rows">
        <thead><tr><th>${t("terminal")}</th><th>${t("method")}</th><th class="number">${t("count")}</th><th class="number">${t("gross")}</th><th class="number">${t("reversed")}</th><th class="number">${t("net")}</th></tr></thead>
        <tbody>
          ${rows.map((row) => html`<${Row} key=${row.terminal + row.method} name=${nameOf(row.terminal)} row=${row} />`)}
          <${Row} name=${t("sum")} row=${closing.total} />
        </tbody>
      </table>` : html`<p class="why">${t("none")}</p>`)}`;
}

function Row({ name, row }) {
  return html`
    <tr>
      <td>${name}</td><td data-label=${t("method")}>${t.has(row.method) ? t(row.method) : row.method}</td>
      <td class="number" data-label=${t("count")}>${row.gross.count}</td><td class="number" data-label=${t("gross")}>${money(row.gross.amount)}</td>
      <td class="number" data-label=${t("reversed")}>${money(row.reversed.amount)}</td><td class="number" data-label=${t("net")}>${money(row.net)}</td>
    </tr>`;
}
