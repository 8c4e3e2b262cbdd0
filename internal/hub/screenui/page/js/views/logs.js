// The log across the fleet.
import { logs as find } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Field, Pages, Select, When, usePages } from "../parts.js";
import { nameOf, useNames } from "../names.js";
import { hashOf } from "../route.js";

const t = words({
  "pt-BR": { title: "Logs", text: "Palavras", level: "Nível", all: "todos" },
  en: { title: "Logs", text: "Words", level: "Level", all: "all" },
  es: { title: "Logs", text: "Palabras", level: "Nivel", all: "todos" },
});

const levels = ["fatal", "error", "warning", "info", "trace", "path", "debug"];

export function Logs() {
  useNames();
  const [filter, setFilter] = useState({ search: "", level: "" });
  const set = (key) => (value) => setFilter({ ...filter, [key]: value });
  const logs = usePages((cursor) => find({ ...filter, limit: 200 }, cursor), JSON.stringify(filter), { live: true });
  return html`
    <header class="view-head"><h1>${t("title")}</h1></header>
    <div class="tools">
      <${Field} label=${t("text")} name="words" type="search" value=${filter.search} onInput=${set("search")} />
      <${Select} label=${t("level")} name="level" value=${filter.level} onPick=${set("level")} options=${[["", t("all")], ...levels.map((l) => [l, l])]} />
    </div>
    <${Pages} list=${logs}>${(items) => html`<${LogRows} items=${items} terminals=${true} />`}<//>`;
}

export function LogRows({ items, terminals }) {
  return html`<div class="log" role="log" aria-live="off">
    ${items.map((e) => html`
      <div key=${`${e.terminal} ${e.createdAt} ${e.id}`} class=${"log-row " + e.level}>
        <${When} at=${e.createdAt} /><b>${e.level}</b>
        ${terminals && html`<a href=${hashOf("terminals", e.terminal)}>${nameOf(e.terminal)}</a>`}
        <span>${e.message}</span>
      </div>`)}
  </div>`;
}
