// Requests that nobody waited for: how far they are, and what became of them.
import { operations as find } from "../api.js";
import { html } from "../html.js";
import { words } from "../i18n.js";
import { Pages, Table, usePages } from "../list.js";
import { nameOf, useNames } from "../names.js";
import { Badge, Select, When } from "../parts.js";
import { PlaceFilter } from "../places.js";
import { hashOf, useFilter } from "../route.js";

const t = words({
  "pt-BR": {
    title: "Operações", about: "Pedidos com Prefer: respond-async; ficam por 7 dias, a princípio.", state: "Situação", all: "todas", waiting: "esperando", running: "no terminal", done: "respondida", broken: "resposta perdida",
    begun: "Começou", terminal: "Terminal", request: "Pedido", reference: "Referência", ended: "Terminou", answer: "Resposta", none: "Nenhuma operação.",
  },
  en: {
    title: "Operations", about: "Requests with Prefer: respond-async; kept for 7 days unless the hub was told otherwise.", state: "State", all: "all", waiting: "waiting", running: "at the terminal", done: "answered", broken: "answer lost",
    begun: "Begun", terminal: "Terminal", request: "Request", reference: "Reference", ended: "Ended", answer: "Answer", none: "No operations.",
  },
  es: {
    title: "Operaciones", about: "Pedidos con Prefer: respond-async; quedan 7 días, en principio.", state: "Situación", all: "todas", waiting: "esperando", running: "en el terminal", done: "respondida", broken: "respuesta perdida",
    begun: "Empezó", terminal: "Terminal", request: "Pedido", reference: "Referencia", ended: "Terminó", answer: "Respuesta", none: "Ninguna operación.",
  },
});

const colours = { waiting: "warn", running: "warn", done: "good", broken: "bad" };

export function Operations() {
  const [filter, set, go] = useFilter({ state: "", tenant: "", shop: "" });
  const list = usePages((cursor) => find(filter, cursor), JSON.stringify(filter), { live: true });
  return html`
    <header class="view-head"><h1>${t("title")}</h1></header>
    <p class="why about">${t("about")}</p>
    <div class="tools">
      <${Select} label=${t("state")} name="state" value=${filter.state} onPick=${set("state")} options=${[["", t("all")], ...Object.keys(colours).map((id) => [id, t(id)])]} />
      <${PlaceFilter} ...${filter} onPick=${go} />
    </div>
    <${Pages} list=${list} none=${t("none")}>${(items) => html`<${Rows} items=${items} />`}<//>`;
}

function Rows({ items }) {
  useNames(items.map((item) => item.terminal));
  const columns = [
    { title: t("begun"), cell: (item) => html`<${When} at=${item.createdAt} />` },
    { title: t("terminal"), cell: (item) => html`<a href=${hashOf("terminals", item.terminal)}>${nameOf(item.terminal)}</a>` },
    { title: t("request"), cell: (item) => html`<code>${item.method} ${item.path}</code>` },
    { title: t("reference"), cell: (item) => item.referenceId || "–" },
    { title: t("state"), short: true, cell: (item) => html`<${Badge} kind=${colours[item.state]}>${t.has(item.state) ? t(item.state) : item.state}<//>` },
    { title: t("answer"), cell: (item) => item.answer?.status ?? "–" },
    { title: t("ended"), cell: (item) => html`<${When} at=${item.endedAt} />` },
  ];
  return html`<${Table} label=${t("title")} columns=${columns} items=${items} row=${(item) => ({ key: item.id, "data-operation": item.id })} />`;
}
