// Who gets in: keys of programs, and people.
import { all as readAll, make, revoke } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Badge, Dialog, Field, Pages, Select, Told, When, usePages } from "../parts.js";
import { Button } from "../ui.js";

const t = words({
  "pt-BR": {
    keys: "Chaves de API", people: "Pessoas", newKey: "Nova chave", newPerson: "Nova pessoa", name: "Nome", role: "Pode", made: "Criada", revoke: "Revogar", revoked: "revogada", save: "Criar",
    reads: "ler", operates: "operar", administers: "administrar", user: "Usuário", secret: "Segredo", password: "Senha", once: "Anote agora: não será mostrado de novo.",
    references: "Exige referenceId nos pagamentos", sure: "Revogar {name} para sempre?", cancel: "Cancelar", failed: "Não foi feito: {why}", silent: "o hub não respondeu",
  },
  en: {
    keys: "API keys", people: "People", newKey: "New key", newPerson: "New person", name: "Name", role: "May", made: "Made", revoke: "Revoke", revoked: "revoked", save: "Make",
    reads: "read", operates: "operate", administers: "administer", user: "User", secret: "Secret", password: "Password", once: "Write it down now: it is not shown again.",
    references: "Payments need a referenceId", sure: "Revoke {name} for ever?", cancel: "Cancel", failed: "Not done: {why}", silent: "the hub did not answer",
  },
  es: {
    keys: "Claves de API", people: "Personas", newKey: "Nueva clave", newPerson: "Nueva persona", name: "Nombre", role: "Puede", made: "Creada", revoke: "Revocar", revoked: "revocada", save: "Crear",
    reads: "leer", operates: "operar", administers: "administrar", user: "Usuario", secret: "Secreto", password: "Contraseña", once: "Anótelo ahora: no se mostrará de nuevo.",
    references: "Exige referenceId en los pagos", sure: "¿Revocar {name} para siempre?", cancel: "Cancelar", failed: "No se hizo: {why}", silent: "el hub no respondió",
  },
});

const roles = ["reads", "operates", "administers"];

export function Access() {
  return html`<${Part} what="keys" title=${t("keys")} add=${t("newKey")} /><${Part} what="people" title=${t("people")} add=${t("newPerson")} />`;
}

function Part({ what, title, add }) {
  const items = usePages(() => readAll(what), what);
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState(null);
  const done = () => {
    setEnding(null);
    items.again();
  };
  return html`
    <header class="view-head"><h1>${title}</h1><${Button} kind="primary" data-do=${"new-" + what} onPress=${() => setMaking(true)}>${add}<//></header>
    <${Pages} list=${items}>${(all) => html`
      <table class="rows">
        <thead><tr><th>${t("name")}</th><th>${t("role")}</th><th>${t("made")}</th><th></th></tr></thead>
        <tbody>${all.map((item) => html`
          <tr key=${item.id} data-item=${item.name}>
            <td>${item.name}${what === "keys" && html` <code>${item.id}</code>`}</td>
            <td data-label=${t("role")}>${t(item.role)}</td><td data-label=${t("made")}><${When} at=${item.createdAt} /></td>
            <td>${item.revokedAt ? html`<${Badge} kind="bad">${t("revoked")}<//>` : html`<button type="button" class="act" data-do=${"revoke-" + what} onClick=${() => setEnding(item)}>${t("revoke")}</button>`}</td>
          </tr>`)}</tbody>
      </table>`}<//>
    ${making && html`<${Make} what=${what} title=${add} onClose=${() => { setMaking(false); items.again(); }} />`}
    ${ending && html`<${End} path=${`/${what}/${encodeURIComponent(ending.id)}`} name=${ending.name} onClose=${() => setEnding(null)} onDone=${done} />`}`;
}

function Make({ what, title, onClose }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("operates");
  const [needsReferences, setNeeds] = useState(false);
  const [made, setMade] = useState(null);
  const [error, setError] = useState("");
  const save = async () => {
    const { data, error: why } = await make("/" + what, { name: name.trim(), role, ...(what === "keys" ? { needsReferences } : {}) });
    setMade(data ?? null);
    setError(data ? "" : t("failed", { why: why || t("silent") }));
  };
  return html`
    <${Dialog} title=${title} name=${"new-" + what} onClose=${onClose}>
      ${made ? html`
        <p>${t("once")}</p>
        <${Told} label=${t("user")} text=${what === "keys" ? made.id : made.name} name="user" />
        <${Told} label=${what === "keys" ? t("secret") : t("password")} text=${made.secret ?? made.password} name="secret" />` : html`
        <${Field} label=${t("name")} name="item-name" value=${name} onInput=${setName} maxlength="100" autocomplete="off" />
        <${Select} label=${t("role")} name="role" value=${role} onPick=${setRole} options=${roles.map((id) => [id, t(id)])} />
        ${what === "keys" && html`<label class="check"><input type="checkbox" checked=${needsReferences} onChange=${(event) => setNeeds(event.currentTarget.checked)} /> ${t("references")}</label>`}
        <p class="bad" role="alert">${error}</p>
        <${Button} kind="primary" data-do="save" disabled=${!name.trim()} onPress=${save}>${t("save")}<//>`}
    <//>`;
}

function End({ path, name, onClose, onDone }) {
  const [error, setError] = useState("");
  const end = async () => {
    const { error: why } = await revoke(path);
    if (why === undefined) onDone();
    else setError(t("failed", { why: why || t("silent") }));
  };
  return html`
    <${Dialog} title=${t("revoke")} name="revoke" onClose=${onClose}>
      <p>${t("sure", { name })}</p>
      <p class="bad" role="alert">${error}</p>
      <div class="acts"><${Button} kind="plain" onPress=${onClose}>${t("cancel")}<//><${Button} kind="primary" data-do="revoke-sure" onPress=${end}>${t("revoke")}<//></div>
    <//>`;
}
