// The fleet: every terminal that is seen, with search and filters.
import { terminals as find } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Field, Pages, Select, When, usePages } from "../parts.js";
import { hashOf } from "../route.js";
import { Presence, States } from "../states.js";
import { getState, useStore } from "../store.js";
import { Button } from "../ui.js";
import { Join } from "./join.js";

const t = words({
  "pt-BR": {
    title: "Terminais", search: "Buscar por nome, id ou versão", join: "Ligar um terminal", show: "Mostrar", all: "todos", online: "no ar", offline: "fora do ar", busy: "ocupados",
    printer: "impressora com problema", acquirer: "adquirente com problema", unresolved: "pagamentos sem desfecho", clock: "relógio errado", revoked: "revogados",
    name: "Nome", state: "Estado", version: "Versão", seen: "Visto", one: "1 terminal", count: "{n} terminais",
  },
  en: {
    title: "Terminals", search: "Search by name, id or version", join: "Join a terminal", show: "Show", all: "all", online: "on-line", offline: "off-line", busy: "busy",
    printer: "printer trouble", acquirer: "acquirer trouble", unresolved: "unresolved payments", clock: "clock off", revoked: "revoked",
    name: "Name", state: "State", version: "Version", seen: "Seen", one: "1 terminal", count: "{n} terminals",
  },
  es: {
    title: "Terminales", search: "Buscar por nombre, id o versión", join: "Conectar un terminal", show: "Mostrar", all: "todos", online: "en línea", offline: "fuera de línea", busy: "ocupados",
    printer: "impresora con problema", acquirer: "adquirente con problema", unresolved: "pagos sin resolver", clock: "reloj desviado", revoked: "revocados",
    name: "Nombre", state: "Estado", version: "Versión", seen: "Visto", one: "1 terminal", count: "{n} terminales",
  },
});

// The states that the hub narrows the list down to.
const states = ["", "online", "offline", "busy", "printer", "acquirer", "unresolved", "clock", "revoked"];

export function Fleet() {
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState("");
  const [joining, setJoining] = useState(false);
  const administers = useStore((s) => s.session.role === "administers");
  const terminals = usePages((cursor) => find({ search: search.trim(), state: filter, limit: 100 }, cursor), search.trim() + "\n" + filter, { live: true });
  return html`
    <header class="view-head">
      <h1>${t("title")}</h1>
      ${administers && html`<${Button} kind="primary" data-do="join" onPress=${() => setJoining(true)}>${t("join")}<//>`}
    </header>
    <div class="tools">
      <${Field} label=${t("search")} name="search" type="search" value=${search} onInput=${setSearch} />
      <${Select} label=${t("show")} name="filter" value=${filter} onPick=${setFilter} options=${states.map((id) => [id, t(id || "all")])} />
    </div>
    ${terminals.total !== undefined && html`<p class="why" data-total=${terminals.total}>${t(terminals.total === 1 ? "one" : "count", { n: terminals.total })}</p>`}
    <${Pages} list=${terminals}>${(items) => html`
      <table class="rows">
        <thead><tr><th>${t("name")}</th><th>${t("state")}</th><th>${t("version")}</th><th>${t("seen")}</th></tr></thead>
        <tbody>${items.map((item) => html`<${Row} key=${item.id} terminal=${fresh(item)} />`)}</tbody>
      </table>`}<//>
    ${joining && html`<${Join} onClose=${() => setJoining(false)} />`}`;
}

// fresh is a terminal with what was told of it since the list was read.
export function fresh(terminal) {
  return { ...terminal, ...getState().changed[terminal.id] };
}

function Row({ terminal }) {
  return html`
    <tr data-terminal=${terminal.id}>
      <td><a href=${hashOf("terminals", terminal.id)}>${terminal.name}</a></td>
      <td><${Presence} terminal=${terminal} /> <${States} terminal=${terminal} /></td>
      <td data-label=${t("version")}>${terminal.version || "–"}</td>
      <td data-label=${t("seen")}><${When} at=${terminal.seenAt} /></td>
    </tr>`;
}
