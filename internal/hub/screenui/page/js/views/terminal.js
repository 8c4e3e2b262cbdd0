// One terminal: how it is, its log as it comes, its transactions; its name, and the end of it.
import { all, alter, flat, logs as readLogs, read, revoke, transactions as readTransactions } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { words } from "../i18n.js";
import { Dialog, Field, Pages, When, usePages } from "../parts.js";
import { hashOf } from "../route.js";
import { Presence, States } from "../states.js";
import { useStore } from "../store.js";
import { Button } from "../ui.js";
import { LogRows } from "./logs.js";
import { TransactionRows } from "./transactions.js";

const t = words({
  "pt-BR": {
    back: "Terminais", state: "Estado", version: "Versão", seen: "Visto", joined: "Entrou", id: "Identificação", printer: "Impressora", api: "Interface",
    transactions: "Transações", logs: "Log", rename: "Renomear", name: "Nome", save: "Gravar", revoke: "Revogar", cancel: "Cancelar", gaps: "Faltam registros: o terminal já os tinha apagado.",
    sure: "O terminal é desligado agora e não volta a se ligar com esta chave. Os registros ficam.", failed: "Não foi feito: {why}", silent: "o hub não respondeu", gone: "Não encontrado.",
  },
  en: {
    back: "Terminals", state: "State", version: "Version", seen: "Seen", joined: "Joined", id: "Id", printer: "Printer", api: "Interface",
    transactions: "Transactions", logs: "Log", rename: "Rename", name: "Name", save: "Save", revoke: "Revoke", cancel: "Cancel", gaps: "Entries are missing: the terminal had deleted them.",
    sure: "The terminal is cut off now and never comes back with this key. Its records stay.", failed: "Not done: {why}", silent: "the hub did not answer", gone: "Not found.",
  },
  es: {
    back: "Terminales", state: "Estado", version: "Versión", seen: "Visto", joined: "Entró", id: "Identificación", printer: "Impresora", api: "Interfaz",
    transactions: "Transacciones", logs: "Log", rename: "Renombrar", name: "Nombre", save: "Guardar", revoke: "Revocar", cancel: "Cancelar", gaps: "Faltan registros: el terminal ya los había borrado.",
    sure: "El terminal se desconecta ahora y no vuelve con esta clave. Los registros quedan.", failed: "No se hizo: {why}", silent: "el hub no respondió", gone: "No encontrado.",
  },
});

export function Terminal({ id }) {
  const path = "/terminals/" + encodeURIComponent(id);
  const { news, administers } = useStore((s) => ({ news: s.changed[id], administers: s.session.role === "administers" }));
  const [terminal, setTerminal] = useState(undefined);
  const [asked, ask] = useState("");
  const look = () => read(path).then(({ data }) => setTerminal((old) => (data ? flat(data) : old ?? null)));
  const [gaps, setGaps] = useState([]);
  useEffect(() => {
    look();
    all("gaps?terminal=" + encodeURIComponent(id)).then(({ items = [] }) => setGaps(items));
  }, [id]);
  const transactions = usePages((cursor) => readTransactions({ terminal: id, limit: 20 }, cursor), id, { live: true });
  const logs = usePages((cursor) => readLogs({ terminal: id, limit: 100 }, cursor), id, { live: true });
  if (terminal === undefined) return null;
  if (terminal === null) return html`<p class="why">${t("gone")} <a href=${hashOf("terminals")}>${t("back")}</a></p>`;
  const now = { ...terminal, ...news };
  const done = () => {
    ask("");
    look();
  };
  return html`
    <header class="view-head">
      <div><a href=${hashOf("terminals")}>← ${t("back")}</a><h1>${now.name}</h1></div>
      ${administers && !now.revokedAt && html`<div class="acts">
        <${Button} kind="plain" data-do="rename" onPress=${() => ask("rename")}>${t("rename")}<//>
        <${Button} kind="plain" data-do="revoke" onPress=${() => ask("revoke")}>${t("revoke")}<//>
      </div>`}
    </header>
    <dl class="facts" data-terminal=${id}>
      <div><dt>${t("state")}</dt><dd><${Presence} terminal=${now} /> <${States} terminal=${now} /></dd></div>
      <div><dt>${t("version")}</dt><dd>${now.version || "–"}</dd></div>
      <div><dt>${t("printer")}</dt><dd>${now.printer || "–"}</dd></div>
      <div><dt>${t("seen")}</dt><dd><${When} at=${now.seenAt} /></dd></div>
      <div><dt>${t("joined")}</dt><dd><${When} at=${now.joinedAt} /></dd></div>
      <div><dt>${t("id")}</dt><dd><code>${id}</code></dd></div>
      <div><dt>${t("api")}</dt><dd><code>${location.origin}/terminals/${id}</code></dd></div>
    </dl>
    ${gaps.length > 0 && html`<p class="bad">${t("gaps")}</p>`}
    <section><h2>${t("transactions")}</h2><${Pages} list=${transactions}>${(items) => html`<${TransactionRows} items=${items} />`}<//></section>
    <section><h2>${t("logs")}</h2><${Pages} list=${logs}>${(items) => html`<${LogRows} items=${items} />`}<//></section>
    ${asked === "rename" && html`<${Rename} path=${path} before=${now.name} onClose=${() => ask("")} onDone=${done} />`}
    ${asked === "revoke" && html`<${Revoke} path=${path} onClose=${() => ask("")} onDone=${done} />`}`;
}

function Rename({ path, before, onClose, onDone }) {
  const [name, setName] = useState(before);
  const [error, setError] = useState("");
  const save = async () => {
    const { error: why } = await alter(path, { name: name.trim() });
    if (why === undefined) onDone();
    else setError(t("failed", { why: why || t("silent") }));
  };
  return html`
    <${Dialog} title=${t("rename")} name="rename" onClose=${onClose}>
      <${Field} label=${t("name")} name="new-name" value=${name} onInput=${setName} maxlength="100" />
      <p class="bad" role="alert">${error}</p>
      <${Button} kind="primary" data-do="rename-save" disabled=${!name.trim()} onPress=${save}>${t("save")}<//>
    <//>`;
}

function Revoke({ path, onClose, onDone }) {
  const [error, setError] = useState("");
  const end = async () => {
    const { error: why } = await revoke(path);
    if (why === undefined) onDone();
    else setError(t("failed", { why: why || t("silent") }));
  };
  return html`
    <${Dialog} title=${t("revoke")} name="revoke" onClose=${onClose}>
      <p>${t("sure")}</p>
      <p class="bad" role="alert">${error}</p>
      <div class="acts"><${Button} kind="plain" onPress=${onClose}>${t("cancel")}<//><${Button} kind="primary" data-do="revoke-sure" onPress=${end}>${t("revoke")}<//></div>
    <//>`;
}
