// One's own second factor: a secret goes into a telephone by a picture, and a code shows that it is there.
import { drop, make, put } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { words } from "../i18n.js";
import { nobody } from "../initial.js";
import { Asking, CodeField, QR, Told } from "../parts.js";
import { change, useStore } from "../store.js";

const t = words({
  "pt-BR": {
    title: "Segundo fator", must: "Quem administra este hub precisa de um segundo fator.", how: "Leia o QR com o aplicativo de códigos do celular e digite o código que ele mostra. Depois entre de novo.", picture: "QR do segredo", secret: "Ou digite o segredo no aplicativo",
    code: "Código do celular", current: "Código atual", set: "Definir", has: "Sua conta pede um código do celular ao entrar.", remove: "Retirar", again: "Trocar de celular",
  },
  en: {
    title: "Second factor", must: "Whoever administers this hub needs a second factor.", how: "Scan the QR with the telephone's app for codes and type the code that it shows. Then sign in again.", picture: "QR of the secret", secret: "Or type the secret into the app",
    code: "Code on the telephone", current: "Current code", set: "Set", has: "Your account asks for a code of the telephone when you sign in.", remove: "Remove", again: "Change telephones",
  },
  es: {
    title: "Segundo factor", must: "Quien administra este hub necesita un segundo factor.", how: "Lea el QR con la aplicación de códigos del teléfono y escriba el código que muestra. Después entre de nuevo.", picture: "QR del secreto", secret: "O escriba el secreto en la aplicación",
    code: "Código del teléfono", current: "Código actual", set: "Definir", has: "Su cuenta pide un código del teléfono al entrar.", remove: "Retirar", again: "Cambiar de teléfono",
  },
});

// Factor is the dialog; must: there is no way round it.
export function Factor({ must, onClose }) {
  const { id, factor } = useStore((s) => s.session);
  const [changing, setChanging] = useState(!factor);
  const path = `/people/${encodeURIComponent(id)}/factor`;
  return changing ? html`<${Setting} path=${path} has=${factor} must=${must} onClose=${onClose} />` : html`<${Removing} path=${path} onClose=${onClose} onChange=${() => setChanging(true)} />`;
}

// Whoever has changed it signs in again.
async function changed(asked) {
  const said = await asked;
  if (said.error === undefined) change(nobody);
  return said;
}

function Setting({ path, has, must, onClose }) {
  const [made, setMade] = useState(null);
  const [code, setCode] = useState("");
  const [current, setCurrent] = useState("");
  useEffect(() => {
    make("/factors", {}).then(({ data }) => setMade(data));
  }, []);
  return html`
    <${Asking} title=${t("title")} name="factor" onClose=${onClose} send=${() => changed(put(path, { secret: made.secret, code, current }))} act=${t("set")} does="factor-set" ready=${Boolean(made && code && (!has || current))}>
      ${must && html`<p>${t("must")}</p>`}
      <p>${t("how")}</p>
      ${made && html`<${QR} text=${made.uri} alt=${t("picture")} /><${Told} label=${t("secret")} text=${made.secret} name="factor-secret" />`}
      ${has && html`<${CodeField} label=${t("current")} name="factor-current" value=${current} onInput=${setCurrent} />`}
      <${CodeField} label=${t("code")} name="factor-code" value=${code} onInput=${setCode} />
    <//>`;
}

function Removing({ path, onClose, onChange }) {
  const [current, setCurrent] = useState("");
  return html`
    <${Asking} title=${t("title")} name="factor" onClose=${onClose} send=${() => changed(drop(path, { current }))} act=${t("remove")} does="factor-remove" ready=${Boolean(current)}>
      <p>${t("has")}</p>
      <${CodeField} label=${t("current")} name="factor-current" value=${current} onInput=${setCurrent} />
      <button type="button" class="act" data-do="factor-again" onClick=${onChange}>${t("again")}</button>
    <//>`;
}
