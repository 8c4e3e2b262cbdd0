// Joining a terminal: a code for ten minutes, the line to type, and a picture of it.
import { make } from "../api.js";
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Asking, Dialog, Field, QR, Told, When } from "../parts.js";
import { ShopSelect, usePlaces } from "../places.js";
import { hashOf } from "../route.js";
import { useStore } from "../store.js";

const t = words({
  "pt-BR": {
    title: "Ligar um terminal", name: "Nome do terminal (opcional)", make: "Gerar código", until: "Vale uma vez, até", line: "No terminal, digite",
    screen: "Ou, na tela do terminal: Configurações, Hub, e cole a linha ou leia o QR com um leitor.", picture: "QR com a linha acima", came: "{name} entrou.", waiting: "Esperando o terminal…",
  },
  en: {
    title: "Join a terminal", name: "Name of the terminal (optional)", make: "Make a code", until: "Good for one use, until", line: "At the terminal, type",
    screen: "Or, on the terminal's screen: Settings, Hub, and paste the line or scan the QR.", picture: "QR of the line above", came: "{name} has joined.", waiting: "Waiting for the terminal…",
  },
  es: {
    title: "Conectar un terminal", name: "Nombre del terminal (opcional)", make: "Generar código", until: "Vale una vez, hasta", line: "En el terminal, escriba",
    screen: "O, en la pantalla del terminal: Configuración, Hub, y pegue la línea o lea el QR.", picture: "QR de la línea de arriba", came: "{name} entró.", waiting: "Esperando al terminal…",
  },
});

export function Join({ shop: first, onClose }) {
  const { shops } = usePlaces();
  const [name, setName] = useState("");
  const [picked, setShop] = useState(first);
  const [code, setCode] = useState(null);
  const shop = picked || shops[0]?.id || "";
  if (code) return html`<${Dialog} title=${t("title")} name="join" onClose=${onClose}><${Made} code=${code} /><//>`;
  const ask = async () => {
    const { data, ...not } = await make("/codes", { name: name.trim(), shop });
    if (data) setCode(data);
    return not;
  };
  return html`
    <${Asking} title=${t("title")} name="join" onClose=${onClose} send=${ask} act=${t("make")} does="make-code">
      <${Field} label=${t("name")} name="terminal-name" value=${name} onInput=${setName} maxlength="100" autocomplete="off" />
      ${shops.length > 1 && html`<${ShopSelect} shop=${shop} onPick=${setShop} />`}
    <//>`;
}

const codeLasts = 10 * 60_000;

// Made shows the code, and the terminal that has come with it.
function Made({ code }) {
  const { line, shop } = code;
  const since = new Date(Date.parse(code.expiresAt) - codeLasts).toISOString();
  const came = useStore((s) => Object.keys(s.changed).find((id) => s.changed[id].joinedAt >= since && s.changed[id].shop === shop && (!code.name || s.names[id] === code.name)));
  const name = useStore((s) => s.names[came]);
  if (came) return html`<p class="came" role="status" data-came=${came}><a href=${hashOf("terminals", came)}>${t("came", { name })}</a></p>`;
  return html`
    <p class="code" data-code=${code.code}>${code.code.slice(0, 4)} ${code.code.slice(4)}</p>
    <p class="why">${t("until")} <${When} at=${code.expiresAt} /></p>
    <${Told} label=${t("line")} text=${line} name="line" />
    <${QR} text=${line} alt=${t("picture")} />
    <p class="why">${t("screen")}</p>
    <p class="why" role="status">${t("waiting")}</p>`;
}
