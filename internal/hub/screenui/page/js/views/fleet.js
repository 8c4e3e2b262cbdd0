// The fleet: every terminal that is seen, with search and filters.
import { terminals as find } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Pages, Table, usePages } from "../list.js";
import { Chips, SearchField, Select, When } from "../parts.js";
import { PlaceFilter, placeName, usePlaces } from "../places.js";
import { hashOf, useFilter } from "../route.js";
import { States } from "../states.js";
import { getState, useStore } from "../store.js";
import { Button } from "../ui.js";
import { Join } from "./join.js";

const t = words({
  "pt-BR": {
    title: "Terminais", search: "Buscar por nome, id ou versão", join: "Ligar um terminal", show: "Mostrar", all: "todos", online: "no ar", offline: "fora do ar", busy: "ocupados", paperOut: "sem papel",
    printer: "impressora com problema", acquirer: "adquirente com problema", unresolved: "pagamentos sem desfecho", clock: "relógio errado", revoked: "revogados",
    name: "Nome", state: "Estado", version: "Versão", seen: "Visto", place: "Loja", one: "1 terminal", count: "{n} terminais", anyVersion: "todas", away: "Sem contato há", anyTime: "tanto faz",
    h1: "1 hora", d1: "1 dia", d7: "7 dias", d30: "30 dias", none: "Nenhum terminal assim.", first: "Nenhum terminal ainda. Ligue o primeiro com um código.",
  },
  en: {
    title: "Terminals", search: "Search by name, id or version", join: "Join a terminal", show: "Show", all: "all", online: "on-line", offline: "off-line", busy: "busy", paperOut: "out of paper",
    printer: "printer trouble", acquirer: "acquirer trouble", unresolved: "unresolved payments", clock: "clock off", revoked: "revoked",
    name: "Name", state: "State", version: "Version", seen: "Seen", place: "Shop", one: "1 terminal", count: "{n} terminals", anyVersion: "all", away: "Not seen for", anyTime: "no matter",
    h1: "1 hour", d1: "1 day", d7: "7 days", d30: "30 days", none: "No such terminal.", first: "No terminal yet. Join the first one with a code.",
  },
  es: {
    title: "Terminales", search: "Buscar por nombre, id o versión", join: "Conectar un terminal", show: "Mostrar", all: "todos", online: "en línea", offline: "fuera de línea", busy: "ocupados", paperOut: "sin papel",
    printer: "impresora con problema", acquirer: "adquirente con problema", unresolved: "pagos sin resolver", clock: "reloj desviado", revoked: "revocados",
    name: "Nombre", state: "Estado", version: "Versión", seen: "Visto", place: "Tienda", one: "1 terminal", count: "{n} terminales", anyVersion: "todas", away: "Sin contacto desde hace", anyTime: "no importa",
    h1: "1 hora", d1: "1 día", d7: "7 días", d30: "30 días", none: "Ningún terminal así.", first: "Aún no hay terminales. Conecte el primero con un código.",
  },
});

// The states that the hub narrows the list down to.
const states = ["", "online", "offline", "busy", "paperOut", "printer", "acquirer", "unresolved", "clock", "revoked"];
const hours = { h1: 1, d1: 24, d7: 7 * 24, d30: 30 * 24 };
const usual = { search: "", state: "", tenant: "", shop: "", version: "", away: "" };

export function Fleet() {
  const [filter, set, go] = useFilter(usual);
  const [joining, setJoining] = useState(false);
  const administers = useStore((s) => s.session.role === "administers");
  usePlaces();
  const list = usePages((cursor) => find(asked(filter), cursor), JSON.stringify(filter), { live: true });
  const { total, counts = {}, versions = {} } = list;
  const narrowed = Object.values(filter).some(Boolean);
  const known = [...new Set([...Object.keys(versions), filter.version])].filter(Boolean).sort().reverse();
  const columns = [
    { title: t("name"), cell: (item) => html`<a href=${hashOf("terminals", item.id)}>${item.name}</a>` },
    { title: t("state"), cell: (item) => html`<${States} terminal=${item} />` },
    { title: t("place"), cell: placeName },
    { title: t("version"), cell: (item) => item.version || "–" },
    { title: t("seen"), cell: (item) => html`<${When} at=${item.seenAt} />` },
  ];
  return html`
    <header class="view-head">
      <h1>${t("title")}</h1>
      ${administers && html`<${Button} kind="primary" data-do="join" onPress=${() => setJoining(true)}>${t("join")}<//>`}
    </header>
    <div class="tools">
      <${SearchField} label=${t("search")} name="search" value=${filter.search} onInput=${set("search")} />
      <${PlaceFilter} ...${filter} onPick=${go} />
      ${known.length > 1 || filter.version ? html`<${Select} label=${t("version")} name="version" value=${filter.version} onPick=${set("version")} options=${[["", t("anyVersion")], ...known.map((v) => [v, v])]} />` : null}
      <${Select} label=${t("away")} name="away" value=${filter.away} onPick=${set("away")} options=${[["", t("anyTime")], ...Object.keys(hours).map((id) => [id, t(id)])]} />
    </div>
    <${Chips} label=${t("show")} name="state" value=${filter.state} onPick=${set("state")} options=${states.map((id) => [id, t(id || "all"), filter.state === "revoked" ? undefined : counts[id]])} />
    ${total !== undefined && html`<p class="why" role="status" data-total=${total}>${t(total === 1 ? "one" : "count", { n: total })}</p>`}
    <${Pages} list=${list} none=${t(narrowed ? "none" : "first")}>${(items) => html`
      <${Table} label=${t("title")} columns=${columns} items=${items.map(fresh)} row=${(item) => ({ key: item.id, "data-terminal": item.id })} />`}<//>
    ${joining && html`<${Join} shop=${filter.shop} onClose=${() => setJoining(false)} />`}`;
}

function asked({ away, ...filter }) {
  return { ...filter, limit: 100, seenBefore: away ? new Date(Date.now() - hours[away] * 3600_000).toISOString() : "" };
}

// fresh is a terminal with what was told of it since the list was read.
function fresh(terminal) {
  return { ...terminal, ...getState().changed[terminal.id] };
}
