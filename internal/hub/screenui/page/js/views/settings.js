// What the hub decides of terminals' settings: sets in versions, and who has what.
import { all as readAll, make, settingsStandings, settingsVersions } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Pages, Table, usePages } from "../list.js";
import { nameOf, useNames } from "../names.js";
import { Asking, Badge, Chips, SearchField, When } from "../parts.js";
import { PlaceFilter, placeName, usePlaces } from "../places.js";
import { hashOf, useFilter } from "../route.js";
import { Button } from "../ui.js";
import { Editor, settingName, valueText } from "./settings_edit.js";

const t = words({
  "pt-BR": {
    title: "Configurações", add: "Nova versão", whose: "De quem", everything: "tudo", version: "Versão", decides: "Decide", nothing: "nada", who: "Quem", at: "Quando", acts: "Ações", change: "Mudar", versions: "Versões", back: "Voltar à anterior", backTo: "Voltar a esta",
    sure: "Voltar aos valores da versão {version}? Vira uma versão nova, e os terminais a recebem agora.", none: "O hub ainda não decide nada: cada terminal tem as suas configurações.", standings: "Quem tem o quê", terminal: "Terminal", place: "Loja", state: "Situação", wanted: "Deve ter", has: "Tem",
    own: "Só deste", all: "todos", pending: "falta receber", taken: "tomou", refused: "recusou em parte", "state.none": "nada decidido", away: "fora do ar", words: "Palavras", noTerminals: "Nenhum terminal.", allSets: "Todas as configurações", differs: "Mudou", same: "nada", gone: "deixou de decidir", was: "antes: {value}", empty: "Nenhuma versão.",
    account: "conta", tenant: "cliente", shop: "loja", "layer.terminal": "terminal", other: "loja de antes",
  },
  en: {
    title: "Settings", add: "New version", whose: "Whose", everything: "everything", version: "Version", decides: "Decides", nothing: "nothing", who: "Who", at: "When", acts: "Actions", change: "Change", versions: "Versions", back: "Back to the one before", backTo: "Back to this one",
    sure: "Back to the values of version {version}? It becomes a new version, which terminals get now.", none: "The hub decides nothing yet: each terminal has its own settings.", standings: "Who has what", terminal: "Terminal", place: "Shop", state: "State", wanted: "Is to have", has: "Has",
    own: "For this one only", all: "all", pending: "yet to get it", taken: "took it", refused: "refused some", "state.none": "nothing decided", away: "off-line", words: "Words", noTerminals: "No terminals.", allSets: "All settings", differs: "Changed", same: "nothing", gone: "decides it no more", was: "before: {value}", empty: "No version.",
    account: "account", tenant: "tenant", shop: "shop", "layer.terminal": "terminal", other: "shop before",
  },
  es: {
    title: "Configuración", add: "Nueva versión", whose: "De quién", everything: "todo", version: "Versión", decides: "Decide", nothing: "nada", who: "Quién", at: "Cuándo", acts: "Acciones", change: "Cambiar", versions: "Versiones", back: "Volver a la anterior", backTo: "Volver a esta",
    sure: "¿Volver a los valores de la versión {version}? Será una versión nueva, que los terminales reciben ahora.", none: "El hub aún no decide nada: cada terminal tiene su configuración.", standings: "Quién tiene qué", terminal: "Terminal", place: "Tienda", state: "Estado", wanted: "Debe tener", has: "Tiene",
    own: "Solo de este", all: "todos", pending: "falta recibir", taken: "la tomó", refused: "rechazó una parte", "state.none": "nada decidido", away: "fuera de línea", words: "Palabras", noTerminals: "Ningún terminal.", allSets: "Todas las configuraciones", differs: "Cambió", same: "nada", gone: "dejó de decidir", was: "antes: {value}", empty: "Ninguna versión.",
    account: "cuenta", tenant: "cliente", shop: "tienda", "layer.terminal": "terminal", other: "tienda anterior",
  },
});

export function Settings({ id }) {
  usePlaces();
  return id ? html`<${Versions} key=${id} id=${id} />` : html`<${Sets} />`;
}

// whoseName is for whom a set is.
function whoseName(set) {
  return set.terminal ? nameOf(set.terminal) : set.tenant ? placeName(set) : t("everything");
}

function Values({ values }) {
  const names = Object.keys(values);
  return names.length ? html`<ul class="values">${names.map((name) => html`<li key=${name}>${settingName(name)}: <b>${valueText(name, values[name])}</b></li>`)}</ul>` : t("nothing");
}

// Back asks before an earlier version is made the newest.
function Back({ id, version, onClose, onMade }) {
  const send = async () => {
    const { data, ...not } = await make(`/settings/${encodeURIComponent(id)}/back`, { version });
    if (data) onMade();
    return not;
  };
  return html`<${Asking} title=${t("back")} name="back" onClose=${onClose} send=${send} act=${t("backTo")} does="back-sure"><p>${t("sure", { version })}</p><//>`;
}

function Sets() {
  const list = usePages(() => readAll("settings"), "settings");
  const [asked, ask] = useState(null); // {editing: set, whose} or {back: set}
  const [made, setMade] = useState(0);
  useNames((list.items ?? []).map((set) => set.terminal).filter(Boolean));
  const done = () => {
    ask(null);
    list.again();
    setMade(made + 1);
  };
  const columns = [
    { title: t("whose"), cell: (set) => html`<a href=${hashOf("settings", set.id)}>${whoseName(set)}</a>` },
    { title: t("version"), short: true, cell: (set) => set.version },
    { title: t("decides"), cell: (set) => html`<${Values} values=${set.values} />` },
    { title: t("who"), cell: (set) => html`${set.who}${set.comment && html` <span class="why">${set.comment}</span>`}` },
    { title: t("at"), cell: (set) => html`<${When} at=${set.at} />` },
    { title: t("acts"), cell: (set) => html`<span class="acts">
      <button type="button" class="act" data-do="change-settings" onClick=${() => ask({ editing: set, whose: whoseName(set) })}>${t("change")}</button>
      <a class="act" href=${hashOf("settings", set.id)}>${t("versions")}</a>
      ${set.version > 1 && html`<button type="button" class="act" data-do="back-settings" onClick=${() => ask({ back: set })}>${t("back")}</button>`}</span>` },
  ];
  const own = (terminal) => ask({ editing: list.items?.find((set) => set.id === terminal.id) ?? { terminal: terminal.id, tenant: terminal.tenant, shop: terminal.shop, version: 0 }, whose: terminal.name });
  return html`
    <header class="view-head"><h1>${t("title")}</h1><${Button} kind="primary" data-do="new-settings" onPress=${() => ask({ editing: {} })}>${t("add")}<//></header>
    <${Pages} list=${list} none=${t("none")}>${(items) => html`<${Table} label=${t("title")} columns=${columns} items=${items} row=${(set) => ({ key: set.id, "data-set": set.id, "data-version": set.version })} />`}<//>
    <${Standings} made=${made} onOwn=${own} />
    ${asked?.editing && html`<${Editor} ...${{ set: asked.editing, whose: asked.whose }} onClose=${() => ask(null)} onMade=${done} />`}
    ${asked?.back && html`<${Back} id=${asked.back.id} version=${asked.back.version - 1} onClose=${() => ask(null)} onMade=${done} />`}`;
}

const badges = { none: "plain", pending: "warn", taken: "good", refused: "bad" };

function layers(all) {
  return all.map(({ of, version }) => `${t(of === "terminal" ? "layer.terminal" : of)} ${version}`).join(", ") || "–";
}

// Standings are terminals, with what they have made of what is decided for them.
function Standings({ made, onOwn }) {
  const usual = { state: "", tenant: "", shop: "", search: "" };
  const [filter, set, go] = useFilter(usual);
  const list = usePages((cursor) => settingsStandings(filter, cursor), JSON.stringify(filter) + made, { live: true });
  const states = ["refused", "pending", "taken", "none"].map((state) => [state, t(state === "none" ? "state.none" : state), list.counts?.[state]]);
  const columns = [
    { title: t("terminal"), cell: (one) => html`<a href=${hashOf("terminals", one.id)}>${one.name}</a>` },
    { title: t("place"), cell: (one) => placeName(one) },
    { title: t("state"), cell: (one) => html`<${Badge} kind=${badges[one.state]}>${t(one.state === "none" ? "state.none" : one.state)}<//>
      ${one.state === "pending" && !one.online && html` <${Badge}>${t("away")}<//>`} ${one.state === "pending" && one.trouble && html`<span class="why">${one.trouble}</span>`}
      ${Object.entries(one.refused).map(([name, why]) => html`<div class="why" key=${name}>${settingName(name)}: ${why}</div>`)}` },
    { title: t("wanted"), cell: (one) => layers(one.wanted) },
    { title: t("has"), cell: (one) => html`${layers(one.has)} ${one.takenAt && html`<span class="why"><${When} at=${one.takenAt} /></span>`}` },
    { title: t("acts"), cell: (one) => html`<button type="button" class="act" data-do="own-settings" onClick=${() => onOwn(one)}>${t("own")}</button>` },
  ];
  return html`<section aria-label=${t("standings")}><h2>${t("standings")}</h2>
    <div class="tools"><${SearchField} label=${t("words")} name="words" value=${filter.search} onInput=${set("search")} /><${PlaceFilter} tenant=${filter.tenant} shop=${filter.shop} onPick=${go} /></div>
    <${Chips} label=${t("state")} name="settings" value=${filter.state} onPick=${set("state")} options=${[["", t("all")], ...states]} />
    <${Pages} list=${list} none=${t("noTerminals")}>${(items) => html`<${Table} label=${t("standings")} columns=${columns} items=${items} row=${(one) => ({ key: one.id, "data-standing": one.id, "data-state": one.state })} />`}<//>
  </section>`;
}

// Versions are those of one set, each with what it changed.
function Versions({ id }) {
  const list = usePages((cursor) => settingsVersions(id, cursor), id);
  const [asked, ask] = useState(0);
  useNames((list.items ?? []).slice(0, 1).map((set) => set.terminal).filter(Boolean));
  const done = () => {
    ask(0);
    list.again();
  };
  const columns = (items) => [
    { title: t("version"), short: true, cell: (set) => set.version },
    { title: t("differs"), cell: (set) => html`<${Differences} now=${set} before=${items.find((one) => one.version === set.version - 1)} />` },
    { title: t("who"), cell: (set) => html`${set.who}${set.comment && html` <span class="why">${set.comment}</span>`}` },
    { title: t("at"), cell: (set) => html`<${When} at=${set.at} />` },
    { title: t("acts"), cell: (set) => set !== items[0] && html`<button type="button" class="act" data-do="back-to" onClick=${() => ask(set.version)}>${t("backTo")}</button>` },
  ];
  return html`
    <header class="view-head"><div><a class="back" href=${hashOf("settings")}>← ${t("allSets")}</a><h1>${list.items?.length ? whoseName(list.items[0]) : t("versions")}</h1></div></header>
    <${Pages} list=${list} none=${t("empty")}>${(items) => html`<${Table} label=${t("versions")} columns=${columns(items)} items=${items} row=${(set) => ({ key: set.version, "data-version": set.version })} />`}<//>
    ${asked > 0 && html`<${Back} id=${id} version=${asked} onClose=${() => ask(0)} onMade=${done} />`}`;
}

// Differences are what a version says otherwise than the one before it. Of secrets nobody can tell here.
function Differences({ now, before }) {
  const was = before?.values ?? {};
  const changed = [...new Set([...Object.keys(now.values), ...Object.keys(was)])].filter((name) => !(name in now.values && name in was) || now.values[name] !== was[name]);
  if (!changed.length) return t("same");
  return html`<ul class="values">${changed.map((name) => html`<li key=${name}>${settingName(name)}: <b>${name in now.values ? valueText(name, now.values[name]) : t("gone")}</b>
    ${name in was && html` <span class="why">${t("was", { value: valueText(name, was[name]) })}</span>`}</li>`)}</ul>`;
}
