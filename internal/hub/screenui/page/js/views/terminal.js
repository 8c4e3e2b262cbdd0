// One terminal: how it is, its log as it comes, its transactions; its name, its shop, and the end of it.
import { alter, flat, logs as readLogs, read, revoke, transactions as readTransactions } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { words } from "../i18n.js";
import { Pages, usePages } from "../list.js";
import { Asking, Facts, Field, SearchField, Told, When } from "../parts.js";
import { ShopSelect, placeName, usePlaces } from "../places.js";
import { hashOf, useFilter } from "../route.js";
import { States, printerText, screenText } from "../states.js";
import { useStore } from "../store.js";
import { Button } from "../ui.js";
import { why } from "../why.js";
import { Gaps, LogRows } from "./logs.js";
import { TransactionRows } from "./transactions.js";

const t = words({
  "pt-BR": {
    back: "Terminais", state: "Estado", version: "Versão", seen: "Visto", since: "No ar desde", joined: "Entrou", revokedAt: "Revogado", id: "Identificação", printer: "Impressora", screen: "Tela", place: "Loja", api: "Interface, por este hub",
    transactions: "Transações", logs: "Log", search: "Palavras do log", rename: "Renomear", name: "Nome", save: "Gravar", move: "Mudar de loja", moveText: "O que já foi registrado fica com a loja de agora.", revoke: "Revogar",
    sure: "O terminal é desligado agora e não volta a se ligar com esta chave. Os registros ficam.", gone: "Terminal não encontrado.", failed: "Não foi possível ler: {why}", again: "Tentar de novo", reading: "Lendo…", noTransactions: "Nenhuma transação ainda.", noLogs: "Nenhuma entrada.",
  },
  en: {
    back: "Terminals", state: "State", version: "Version", seen: "Seen", since: "On-line since", joined: "Joined", revokedAt: "Revoked", id: "Id", printer: "Printer", screen: "Screen", place: "Shop", api: "Interface, by this hub",
    transactions: "Transactions", logs: "Log", search: "Words of the log", rename: "Rename", name: "Name", save: "Save", move: "Move to a shop", moveText: "What was recorded so far stays with the present shop.", revoke: "Revoke",
    sure: "The terminal is cut off now and never comes back with this key. Its records stay.", gone: "Terminal not found.", failed: "Could not be read: {why}", again: "Try again", reading: "Reading…", noTransactions: "No transactions yet.", noLogs: "No entries.",
  },
  es: {
    back: "Terminales", state: "Estado", version: "Versión", seen: "Visto", since: "En línea desde", joined: "Entró", revokedAt: "Revocado", id: "Identificación", printer: "Impresora", screen: "Pantalla", place: "Tienda", api: "Interfaz, por este hub",
    transactions: "Transacciones", logs: "Log", search: "Palabras del log", rename: "Renombrar", name: "Nombre", save: "Guardar", move: "Cambiar de tienda", moveText: "Lo registrado hasta ahora queda con la tienda actual.", revoke: "Revocar",
    sure: "El terminal se desconecta ahora y no vuelve con esta clave. Los registros quedan.", gone: "Terminal no encontrado.", failed: "No se pudo leer: {why}", again: "Intentar de nuevo", reading: "Leyendo…", noTransactions: "Aún no hay transacciones.", noLogs: "Ninguna entrada.",
  },
});

export function Terminal({ id }) {
  const path = "/terminals/" + encodeURIComponent(id);
  const { news, name, administers } = useStore((s) => ({ news: s.changed[id], name: s.names[id], administers: s.session.role === "administers" }));
  const { shops } = usePlaces();
  const [found, setFound] = useState({}); // terminal, or why not
  const [asked, ask] = useState("");
  const look = () => read(path).then(({ data, ...not }) => setFound(data ? { terminal: flat(data) } : (old) => (old.terminal ? old : { not })));
  useEffect(() => {
    look();
  }, [id]);
  if (found.not?.status === 404) return html`<a class="back" href=${hashOf("terminals")}>← ${t("back")}</a><h1 class="gone">${t("gone")}</h1>`;
  if (found.not) return html`<p class="bad" role="alert">${t("failed", { why: why(found.not) })} <button type="button" class="act" onClick=${look}>${t("again")}</button></p>`;
  if (!found.terminal) return html`<p class="why reading" role="status">${t("reading")}</p>`;
  const now = { ...found.terminal, ...news, ...(news && name ? { name } : {}) };
  const done = () => {
    ask("");
    look();
  };
  const change = async (body) => {
    const { data, ...not } = await alter(path, body);
    if (data) done();
    return not;
  };
  const end = async () => {
    const said = await revoke(path);
    if (said.error === undefined) done();
    return said;
  };
  return html`
    <header class="view-head">
      <div><a class="back" href=${hashOf("terminals")}>← ${t("back")}</a><h1>${now.name}</h1></div>
      ${administers && !now.revokedAt && html`<div class="acts">
        <${Button} kind="plain" data-do="rename" onPress=${() => ask("rename")}>${t("rename")}<//>
        ${shops.length > 1 && html`<${Button} kind="plain" data-do="move" onPress=${() => ask("move")}>${t("move")}<//>`}
        <${Button} kind="plain" class="danger" data-do="revoke" onPress=${() => ask("revoke")}>${t("revoke")}<//>
      </div>`}
    </header>
    <${Facts} data-terminal=${id} items=${factsOf(id, now)} />
    ${!now.revokedAt && html`<${Told} label=${t("api")} text=${`${location.origin}/terminals/${id}`} name="api" />`}
    <${Gaps} terminal=${id} />
    <${Records} key=${id} id=${id} />
    ${asked === "rename" && html`<${Rename} before=${now.name} send=${change} onClose=${() => ask("")} />`}
    ${asked === "move" && html`<${Move} before=${now.shop} send=${change} onClose=${() => ask("")} />`}
    ${asked === "revoke" && html`<${Asking} title=${t("revoke")} name="revoke" onClose=${() => ask("")} send=${end} act=${t("revoke")} does="revoke-sure"><p>${t("sure")}</p><//>`}`;
}

function factsOf(id, now) {
  return [
    [t("state"), html`<${States} terminal=${now} />`], [t("screen"), screenText(now)], [t("printer"), printerText(now.printer)], [t("place"), placeName(now)], [t("version"), now.version],
    now.online ? [t("since"), html`<${When} at=${now.since} />`] : [t("seen"), html`<${When} at=${now.seenAt} />`],
    [t("joined"), html`<${When} at=${now.joinedAt} />`], [t("revokedAt"), now.revokedAt && html`<${When} at=${now.revokedAt} />`], [t("id"), html`<code>${id}</code>`],
  ];
}

// Records come by themselves as the hub reads them.
function Records({ id }) {
  const [filter, set] = useFilter({ search: "" });
  const transactions = usePages((cursor) => readTransactions({ terminal: id, limit: 20 }, cursor), id, { live: true });
  const logs = usePages((cursor) => readLogs({ terminal: id, limit: 100, search: filter.search }, cursor), filter.search, { live: true });
  return html`
    <section aria-label=${t("transactions")}><h2>${t("transactions")}</h2><${Pages} list=${transactions} none=${t("noTransactions")}>${(items) => html`<${TransactionRows} items=${items} />`}<//></section>
    <section aria-label=${t("logs")}><h2>${t("logs")}</h2>
      <div class="tools"><${SearchField} label=${t("search")} name="words" value=${filter.search} onInput=${set("search")} /></div>
      <${Pages} list=${logs} none=${t("noLogs")}>${(items) => html`<${LogRows} items=${items} />`}<//></section>`;
}

function Rename({ before, send, onClose }) {
  const [name, setName] = useState(before);
  return html`
    <${Asking} title=${t("rename")} name="rename" onClose=${onClose} send=${() => send({ name: name.trim() })} act=${t("save")} does="rename-save" ready=${Boolean(name.trim())}>
      <${Field} label=${t("name")} name="new-name" value=${name} onInput=${setName} maxlength="100" autocomplete="off" />
    <//>`;
}

function Move({ before, send, onClose }) {
  const [shop, setShop] = useState(before);
  return html`
    <${Asking} title=${t("move")} name="move" onClose=${onClose} send=${() => send({ shop })} act=${t("save")} does="move-save" ready=${shop !== before}>
      <${ShopSelect} shop=${shop} onPick=${setShop} />
      <p class="why">${t("moveText")}</p>
    <//>`;
}
