// The log across the fleet, and what is missing of it.
import { exportOf, gaps as findGaps, logs as find } from "../api.js";
import { html } from "../html.js";
import { words } from "../i18n.js";
import { Pages, usePages } from "../list.js";
import { nameOf, useNames } from "../names.js";
import { Field, SearchField, Select, When } from "../parts.js";
import { PlaceFilter } from "../places.js";
import { hashOf, useFilter } from "../route.js";

const t = words({
  "pt-BR": {
    title: "Logs", text: "Palavras", level: "Nível", all: "todos", from: "De", to: "Até", exports: "Exportar CSV", none: "Nenhuma entrada.", gaps: "Faltam registros de 1 trecho", gapss: "Faltam registros de {n} trechos",
    why: "O terminal já os tinha apagado quando o hub os pediu, ou os seus dados foram trocados.", log: "log", ledger: "transações", gap: "{kind}, do número {first} ao {last}",
    fatal: "fatal", error: "erro", warning: "aviso", info: "info", trace: "trace", path: "path", debug: "debug",
  },
  en: {
    title: "Logs", text: "Words", level: "Level", all: "all", from: "From", to: "To", exports: "Export CSV", none: "No entries.", gaps: "Records of 1 stretch are missing", gapss: "Records of {n} stretches are missing",
    why: "The terminal had deleted them when the hub asked, or its data were replaced.", log: "log", ledger: "transactions", gap: "{kind}, from number {first} to {last}",
    fatal: "fatal", error: "error", warning: "warning", info: "info", trace: "trace", path: "path", debug: "debug",
  },
  es: {
    title: "Logs", text: "Palabras", level: "Nivel", all: "todos", from: "Desde", to: "Hasta", exports: "Exportar CSV", none: "Ninguna entrada.", gaps: "Faltan registros de 1 tramo", gapss: "Faltan registros de {n} tramos",
    why: "El terminal ya los había borrado cuando el hub los pidió, o sus datos fueron cambiados.", log: "log", ledger: "transacciones", gap: "{kind}, del número {first} al {last}",
    fatal: "fatal", error: "error", warning: "aviso", info: "info", trace: "trace", path: "path", debug: "debug",
  },
});

const levels = ["fatal", "error", "warning", "info", "trace", "path", "debug"];
const usual = { search: "", level: "", dateFrom: "", dateTo: "", tenant: "", shop: "" };

export function Logs() {
  const [filter, set, go] = useFilter(usual);
  const list = usePages((cursor) => find({ ...filter, limit: 200 }, cursor), JSON.stringify(filter), { live: true });
  return html`
    <header class="view-head"><h1>${t("title")}</h1><a class="button plain" data-do="export" href=${exportOf("logs", filter)} download>${t("exports")}</a></header>
    <div class="tools">
      <${SearchField} label=${t("text")} name="words" value=${filter.search} onInput=${set("search")} />
      <${Select} label=${t("level")} name="level" value=${filter.level} onPick=${set("level")} options=${[["", t("all")], ...levels.map((l) => [l, t(l)])]} />
      <${PlaceFilter} ...${filter} onPick=${go} />
      <${Field} label=${t("from")} name="from" type="date" value=${filter.dateFrom} onInput=${set("dateFrom")} />
      <${Field} label=${t("to")} name="to" type="date" value=${filter.dateTo} onInput=${set("dateTo")} />
    </div>
    <${Gaps} />
    <${Pages} list=${list} none=${t("none")}>${(items) => html`<${LogRows} items=${items} terminals=${true} />`}<//>`;
}

export function LogRows({ items, terminals }) {
  useNames(terminals ? items.map((e) => e.terminal) : []);
  return html`<div class="log" role="log" aria-live="off" tabindex="0" aria-label=${t("title")}>
    ${items.map((e) => html`
      <div key=${`${e.terminal} ${e.createdAt} ${e.id}`} class=${"log-row " + e.level}>
        <${When} at=${e.createdAt} /><b>${t.has(e.level) ? t(e.level) : e.level}</b>
        ${terminals && html`<a href=${hashOf("terminals", e.terminal)}>${nameOf(e.terminal)}</a>`}
        <span>${e.message}</span>
      </div>`)}
  </div>`;
}

// Gaps are the stretches of records that the hub could not read, of one terminal or of all. Of many, only those of the pages read are counted.
export function Gaps({ terminal = "" }) {
  const list = usePages((cursor) => findGaps({ terminal }, cursor), terminal);
  const read = list.items ?? []; // newest first
  useNames(terminal ? [] : read.map((g) => g.terminal));
  if (!read.length) return null;
  return html`
    <details class="gaps" data-gaps=${read.length}>
      <summary>${t(read.length === 1 ? "gaps" : "gapss", { n: read.length + (list.next ? "+" : "") })}</summary>
      <p class="why">${t("why")}</p>
      <${Pages} list=${list}>${(items) => html`<ul>${items.map((g) => html`<li key=${g.terminal + g.epoch + g.kind + g.first}>
        ${!terminal && html`<a href=${hashOf("terminals", g.terminal)}>${nameOf(g.terminal)}</a>: `}${t("gap", { kind: t.has(g.kind) ? t(g.kind) : g.kind, first: g.first, last: g.last })} <span class="why"><${When} at=${g.foundAt} /></span></li>`)}</ul>`}<//>
    </details>`;
}
