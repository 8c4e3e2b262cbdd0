// What the hub may decide of terminals' settings, in words, and the dialog in which a version is made.
import { make } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Asking, Field, Select } from "../parts.js";
import { PlaceFilter } from "../places.js";

const t = words({
  "pt-BR": {
    edit: "Configurações de {whose}", save: "Gravar versão", comment: "Comentário", hint: "Marque o que o hub decide; o resto fica como está em cada terminal.", stays: "fica como está", whose: "Para",
    name: "Nome da loja", locale: "Idioma", colour: "Cor da tela", theme: "Tema", user: "Usuário dos PDVs", password: "Senha dos PDVs", pin: "PIN do operador", printer: "Impressora", printerModel: "Modelo da impressora", acquirer: "Adquirente", cardReceipt: "Comprovante",
    tradeName: "Nome fantasia no cupom", phone: "Telefone no cupom", itemNotes: "Observações dos itens no cupom",
    light: "claro", dark: "escuro", on: "imprimir", off: "não imprimir", none: "não imprimir", customer: "via do cliente", both: "as duas vias", ask: "perguntar na tela", secret: "••••••••", empty: "vazio",
  },
  en: {
    edit: "Settings of {whose}", save: "Save version", comment: "Comment", hint: "Tick what the hub decides; everything else stays as it is at each terminal.", stays: "stays as it is", whose: "For",
    name: "Shop name", locale: "Language", colour: "Screen colour", theme: "Theme", user: "User of the tills", password: "Password of the tills", pin: "Operator PIN", printer: "Printer", printerModel: "Printer model", acquirer: "Acquirer", cardReceipt: "Card receipt",
    tradeName: "Trade name on coupons", phone: "Telephone on coupons", itemNotes: "Notes of items on coupons",
    light: "light", dark: "dark", on: "print", off: "do not print", none: "do not print", customer: "customer's copy", both: "both copies", ask: "ask on the screen", secret: "••••••••", empty: "empty",
  },
  es: {
    edit: "Configuración de {whose}", save: "Guardar versión", comment: "Comentario", hint: "Marque lo que decide el hub; lo demás queda como está en cada terminal.", stays: "queda como está", whose: "Para",
    name: "Nombre de la tienda", locale: "Idioma", colour: "Color de la pantalla", theme: "Tema", user: "Usuario de las cajas", password: "Contraseña de las cajas", pin: "PIN del operador", printer: "Impresora", printerModel: "Modelo de la impresora", acquirer: "Adquirente", cardReceipt: "Comprobante",
    tradeName: "Nombre comercial en el cupón", phone: "Teléfono en el cupón", itemNotes: "Notas de los ítems en el cupón",
    light: "claro", dark: "oscuro", on: "imprimir", off: "no imprimir", none: "no imprimir", customer: "copia del cliente", both: "las dos copias", ask: "preguntar en la pantalla", secret: "••••••••", empty: "vacío",
  },
});

const languages = { "pt-BR": "Português (Brasil)", en: "English", es: "Español" };

// What can be decided: one of a few, or a text; hints are what it looks like.
const kinds = {
  name: {}, locale: { of: Object.keys(languages) }, colour: { hint: "#0b57d0" }, theme: { of: ["light", "dark"] }, user: {}, password: { secret: true }, pin: { secret: true, digits: true },
  printer: { hint: "tcp://192.168.0.50" }, printerModel: { hint: "mp-4200" }, acquirer: { hint: "none" }, cardReceipt: { of: ["none", "customer", "both", "ask"] }, tradeName: { of: ["off", "on"] }, phone: { of: ["off", "on"] }, itemNotes: { of: ["off", "on"] },
};

export function settingName(name) {
  return t.has(name) && kinds[name] ? t(name) : name;
}

// valueText is a value as people read it; of a secret only that there is one.
export function valueText(name, value) {
  if (value === null) return t("secret");
  if (value === "") return t("empty");
  return kinds[name]?.of ? languages[value] ?? (t.has(value) ? t(value) : value) : value;
}

// Editor makes a version: from the newest of a set, or for a place that is picked. whose says for whom where that is known.
export function Editor({ set, whose, onClose, onMade }) {
  const [place, setPlace] = useState({ tenant: set.tenant ?? "", shop: set.shop ?? "" });
  const [values, setValues] = useState(set.values ?? {});
  const [comment, setComment] = useState("");
  const save = async () => {
    const { data, ...not } = await make("/settings", { ...place, terminal: set.terminal ?? "", values, comment, ...(set.version === undefined ? {} : { base: set.version }) });
    if (data) onMade(data);
    return not;
  };
  const decide = (name) => (event) => {
    const { [name]: _, ...others } = values;
    setValues(event.currentTarget.checked ? { ...values, [name]: name in (set.values ?? {}) ? set.values[name] : kinds[name].of?.[0] ?? "" } : others);
  };
  return html`
    <${Asking} title=${t("edit", { whose: whose || "…" })} name="edit-settings" onClose=${onClose} send=${save} act=${t("save")} does="save-settings">
      ${!whose && html`<${PlaceFilter} ...${place} onPick=${setPlace} />`}
      <p class="why">${t("hint")}</p>
      ${Object.keys(kinds).map((name) => html`<div class="setting" key=${name}>
        <label class="check"><input type="checkbox" name=${"decide-" + name} checked=${name in values} onChange=${decide(name)} /> ${t(name)}</label>
        ${name in values && html`<${Value} name=${name} value=${values[name]} onInput=${(value) => setValues({ ...values, [name]: value })} />`}</div>`)}
      <${Field} label=${t("comment")} name="comment" value=${comment} onInput=${setComment} maxlength="200" autocomplete="off" />
    <//>`;
}

function Value({ name, value, onInput }) {
  const kind = kinds[name];
  const [kept] = useState(value === null); // a secret is not shown; what nobody types stays
  if (kind.of) return html`<${Select} label=${t(name)} name=${"set-" + name} value=${value} onPick=${onInput} options=${kind.of.map((one) => [one, valueText(name, one)])} />`;
  return html`<${Field} label=${t(name)} name=${"set-" + name} value=${value ?? ""} type=${kind.secret ? "password" : "text"} inputmode=${kind.digits ? "numeric" : undefined} autocomplete=${kind.secret ? "new-password" : "off"} placeholder=${kept ? t("stays") : kind.hint ?? ""}
    onInput=${(text) => onInput(kept && text === "" ? null : text)} />`;
}
