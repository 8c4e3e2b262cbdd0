// Who gets in: keys of programs, and people.
import { all as readAll, dated, drop, make, query, revoke } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { liveFirst, Pages, Table, usePages } from "../list.js";
import { Asking, Badge, Dialog, Field, Select, Told, When } from "../parts.js";
import { PlaceFilter, placeName, usePlaces } from "../places.js";
import { useStore } from "../store.js";
import { Button } from "../ui.js";

const t = words({
  "pt-BR": {
    keys: "Chaves de API", people: "Pessoas", newKey: "Nova chave", newPerson: "Nova pessoa", name: "Nome", role: "Pode", made: "Criada", revoke: "Revogar", revoked: "revogada", save: "Criar", sees: "Vê", everything: "tudo", acts: "Ações",
    reads: "ler", operates: "operar", administers: "administrar", user: "Usuário", secret: "Segredo", password: "Senha", once: "Anote agora: não será mostrado de novo.", newPassword: "Nova senha", you: "você",
    references: "Exige referenceId nos pagamentos", sure: "Revogar {name} para sempre?", passwordSure: "{name} recebe uma senha nova e precisa entrar de novo.",
    ends: "Vale até", ended: "vencida", used: "Último uso", current: "Senha atual", factor: "Segundo fator", yes: "sim", no: "não", noFactor: "Retirar segundo fator", noFactorSure: "{name} perdeu o celular? Entrará só com a senha até definir outro segundo fator.",
  },
  en: {
    keys: "API keys", people: "People", newKey: "New key", newPerson: "New person", name: "Name", role: "May", made: "Made", revoke: "Revoke", revoked: "revoked", save: "Make", sees: "Sees", everything: "everything", acts: "Actions",
    reads: "read", operates: "operate", administers: "administer", user: "User", secret: "Secret", password: "Password", once: "Write it down now: it is not shown again.", newPassword: "New password", you: "you",
    references: "Payments need a referenceId", sure: "Revoke {name} for ever?", passwordSure: "{name} gets a new password and has to sign in again.",
    ends: "Good until", ended: "expired", used: "Last used", current: "Current password", factor: "Second factor", yes: "yes", no: "no", noFactor: "Remove second factor", noFactorSure: "Has {name} lost the telephone? The password alone is enough until another second factor is set.",
  },
  es: {
    keys: "Claves de API", people: "Personas", newKey: "Nueva clave", newPerson: "Nueva persona", name: "Nombre", role: "Puede", made: "Creada", revoke: "Revocar", revoked: "revocada", save: "Crear", sees: "Ve", everything: "todo", acts: "Acciones",
    reads: "leer", operates: "operar", administers: "administrar", user: "Usuario", secret: "Secreto", password: "Contraseña", once: "Anótelo ahora: no se mostrará de nuevo.", newPassword: "Nueva contraseña", you: "usted",
    references: "Exige referenceId en los pagos", sure: "¿Revocar {name} para siempre?", passwordSure: "{name} recibe una contraseña nueva y debe entrar de nuevo.",
    ends: "Vale hasta", ended: "vencida", used: "Último uso", current: "Contraseña actual", factor: "Segundo factor", yes: "sí", no: "no", noFactor: "Retirar segundo factor", noFactorSure: "¿{name} perdió el teléfono? Entrará solo con la contraseña hasta definir otro segundo factor.",
  },
});

const roles = ["reads", "operates", "administers"];

export function Access() {
  usePlaces();
  return html`<${Part} what="keys" title=${t("keys")} add=${t("newKey")} /><${Part} what="people" title=${t("people")} add=${t("newPerson")} />`;
}

function Part({ what, title, add }) {
  const list = usePages(() => readAll(what), what);
  const me = useStore((s) => s.session.name);
  const [current, setCurrent] = useState(""); // one's own password
  const [asked, ask] = useState(null); // {making}, {ending: item}, {anew: item}, {bare: item} or {told}
  const done = (next = null) => {
    ask(next);
    list.again();
  };
  const end = async (item) => {
    const said = await revoke(`/${what}/${encodeURIComponent(item.id)}`);
    if (said.error === undefined) done();
    return said;
  };
  const anew = async (item) => {
    const { data, ...not } = await make(`/people/${encodeURIComponent(item.id)}/password`, item.name === me ? { current } : {});
    setCurrent("");
    if (data) done({ told: { ...data, name: item.name } });
    return not;
  };
  const bare = async (item) => {
    const { data, ...not } = await drop(`/people/${encodeURIComponent(item.id)}/factor`, {});
    if (data) done();
    return not;
  };
  const acts = (item) => (item.revokedAt ? html`<${Badge} kind="bad">${t("revoked")}<//>` : html`<span class="acts">
    ${what === "people" && html`<button type="button" class="act" data-do="new-password" onClick=${() => ask({ anew: item })}>${t("newPassword")}</button>`}
    ${item.factor && item.name !== me && html`<button type="button" class="act" data-do="no-factor" onClick=${() => ask({ bare: item })}>${t("noFactor")}</button>`}
    ${what === "people" && item.name === me ? null : html`<button type="button" class="act" data-do=${"revoke-" + what} onClick=${() => ask({ ending: item })}>${t("revoke")}</button>`}</span>`);
  const columns = [
    { title: t("name"), cell: (item) => html`${item.name}${what === "keys" ? html` <code>${item.id}</code>` : item.name === me ? html` <span class="why">(${t("you")})</span>` : null}` },
    { title: t("role"), short: true, cell: (item) => t(item.role) },
    { title: t("sees"), short: true, cell: (item) => (item.tenant ? placeName(item) : t("everything")) },
    { title: t("made"), cell: (item) => html`<${When} at=${item.createdAt} />` },
    ...(what === "keys" ? [
      { title: t("used"), cell: (item) => html`<${When} at=${item.lastUsedAt} />` },
      { title: t("ends"), cell: (item) => (item.expiresAt && Date.parse(item.expiresAt) <= Date.now() ? html`<${Badge} kind="warn">${t("ended")}<//>` : html`<${When} at=${item.expiresAt} />`) },
    ] : [{ title: t("factor"), short: true, cell: (item) => t(item.factor ? "yes" : "no") }]),
    { title: t("acts"), cell: acts },
  ];
  return html`
    <header class="view-head"><h1>${title}</h1><${Button} kind="primary" data-do=${"new-" + what} onPress=${() => ask({ making: true })}>${add}<//></header>
    <${Pages} list=${list}>${(items) => html`<${Table} label=${title} columns=${columns} items=${liveFirst(items)} row=${(item) => ({ key: item.id, "data-item": item.name })} />`}<//>
    ${asked?.making && html`<${Make} what=${what} title=${add} onClose=${() => ask(null)} onMade=${(told) => done({ told })} />`}
    ${asked?.ending && html`<${Asking} title=${t("revoke")} name="revoke" onClose=${() => ask(null)} send=${() => end(asked.ending)} act=${t("revoke")} does="revoke-sure"><p>${t("sure", { name: asked.ending.name })}</p><//>`}
    ${asked?.anew && html`<${Asking} title=${t("newPassword")} name="password" onClose=${() => ask(null)} send=${() => anew(asked.anew)} act=${t("newPassword")} does="password-sure"><p>${t("passwordSure", { name: asked.anew.name })}</p>
      ${asked.anew.name === me && html`<${Field} label=${t("current")} name="current-password" type="password" value=${current} onInput=${setCurrent} autocomplete="current-password" />`}<//>`}
    ${asked?.bare && html`<${Asking} title=${t("noFactor")} name="no-factor" onClose=${() => ask(null)} send=${() => bare(asked.bare)} act=${t("noFactor")} does="no-factor-sure"><p>${t("noFactorSure", { name: asked.bare.name })}</p><//>`}
    ${asked?.told && html`<${Secret} what=${what} title=${title} made=${asked.told} onClose=${() => ask(null)} />`}`;
}

function Make({ what, title, onClose, onMade }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("operates");
  const [place, setPlace] = useState({ tenant: "", shop: "" });
  const [needsReferences, setNeeds] = useState(false);
  const [expiresAt, setEnd] = useState("");
  const { shops } = usePlaces();
  const save = async () => {
    const tenant = place.tenant || shops.find((one) => one.id === place.shop)?.tenant || "";
    const { data, ...not } = await make(what === "keys" ? "/keys" + query(dated({})) : "/people", { name: name.trim(), role, tenant, shop: place.shop, ...(what === "keys" ? { needsReferences, expiresAt } : {}) });
    if (data) onMade(data);
    return not;
  };
  return html`
    <${Asking} title=${title} name=${"new-" + what} onClose=${onClose} send=${save} act=${t("save")} does="save" ready=${Boolean(name.trim())}>
      <${Field} label=${t("name")} name="item-name" value=${name} onInput=${setName} maxlength="100" autocomplete="off" />
      <${Select} label=${t("role")} name="role" value=${role} onPick=${setRole} options=${roles.map((id) => [id, t(id)])} />
      <${PlaceFilter} ...${place} onPick=${setPlace} />
      ${what === "keys" && html`<${Field} label=${t("ends")} name="expires" type="date" value=${expiresAt} onInput=${setEnd} />`}
      ${what === "keys" && html`<label class="check"><input type="checkbox" checked=${needsReferences} onChange=${(event) => setNeeds(event.currentTarget.checked)} /> ${t("references")}</label>`}
    <//>`;
}

// Secret is told once.
function Secret({ what, title, made, onClose }) {
  return html`
    <${Dialog} title=${title} name="secret" onClose=${onClose}>
      <p>${t("once")}</p>
      <${Told} label=${t("user")} text=${what === "keys" ? made.id : made.name} name="user" />
      <${Told} label=${what === "keys" ? t("secret") : t("password")} text=${made.secret ?? made.password} name="secret" />
    <//>`;
}
