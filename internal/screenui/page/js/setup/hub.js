// The hub: joining one, how the link to it is, and leaving it.
import { useOnce } from "../hooks.js";
import { html, useEffect, useState } from "../html.js";
import { get, post, remove } from "../http.js";
import { locale, words } from "../i18n.js";
import { hubStatus } from "../status.js";
import { useStore } from "../store.js";
import { Button } from "../ui.js";
import { TextField } from "./fields.js";
import { Frame, Loading } from "./frame.js";
import { complaint, t } from "./words.js";

const own = words({
  "pt-BR": {
    address: "Endereço", terminal: "Nome no hub", account: "Conta", state: "Estado", up: "desde {at}", down: "desde {at}; nova tentativa em instantes",
    join: "Entrar", joining: "Entrando…", leave: "Sair do hub", sure: "Sair do hub?",
    sureText: "O que o hub já sabe deste terminal continua lá. Para voltar é preciso um código novo.", without: "Sem o hub a loja funciona como antes.",
    again: "Para voltar, saia do hub e entre com um código novo.",
  },
  en: {
    address: "Address", terminal: "Name at the hub", account: "Account", state: "State", up: "since {at}", down: "since {at}; trying again shortly",
    join: "Join", joining: "Joining…", leave: "Leave the hub", sure: "Leave the hub?",
    sureText: "What the hub knows of this terminal stays there. Coming back takes a new code.", without: "Without the hub the shop works as before.",
    again: "To come back, leave the hub and join with a new code.",
  },
  es: {
    address: "Dirección", terminal: "Nombre en el hub", account: "Cuenta", state: "Estado", up: "desde {at}", down: "desde {at}; se intenta de nuevo en breve",
    join: "Entrar", joining: "Entrando…", leave: "Salir del hub", sure: "¿Salir del hub?",
    sureText: "Lo que el hub sabe de este terminal queda allí. Para volver hace falta un código nuevo.", without: "Sin el hub la tienda funciona como antes.",
    again: "Para volver, salga del hub y entre con un código nuevo.",
  },
});

// The service says it in Portuguese; these are for the other languages.
const reasons = words({
  "pt-BR": {},
  en: {
    revoked: "The hub has revoked this terminal", unknown: "The hub does not know this terminal", proof: "The hub knows another key of this terminal",
    trouble: "The hub can't look this terminal up at the moment", otherHub: "Another hub answers at this address", noHub: "No hub answers at this address",
    broken: "The connection broke", silent: "The hub does not answer", refused: "The hub refused: the code is wrong, used or too old", badAddress: "Not the address of a hub; use something like https://hub.example.com",
    pin: "The hub made its own certificate: its pin is needed", badPin: "Not a pin; copy it from the line that the hub shows", pinDiffers: "The hub's certificate is not that of the pin: is the address right? Somebody may be in between",
    joined: "This terminal has joined a hub already",
  },
  es: {
    revoked: "El hub revocó este terminal", unknown: "El hub no conoce este terminal", proof: "El hub conoce otra clave de este terminal",
    trouble: "El hub no puede consultar este terminal ahora", otherHub: "Otro hub responde en esta dirección", noHub: "Ningún hub responde en esta dirección",
    broken: "La conexión se cortó", silent: "El hub no responde", refused: "El hub rechazó: el código es incorrecto, usado o vencido", badAddress: "No es la dirección de un hub; use algo como https://hub.ejemplo.com",
    pin: "El hub hizo su propio certificado: hace falta su pin", badPin: "No es un pin; cópielo de la línea que muestra el hub", pinDiffers: "El certificado del hub no es el del pin: ¿la dirección es correcta? Puede haber alguien en el medio",
    joined: "Este terminal ya está en un hub",
  },
});

function why(reason, message) {
  const said = reasons(reason);
  return !reason || said === reason ? message.charAt(0).toUpperCase() + message.slice(1) : said;
}

// HubEditor shows the hub, or asks for one. onLocked is told when the settings were locked meanwhile.
export function HubEditor({ back, onLocked }) {
  const told = useStore((s) => s.hub); // changes with the link
  const [link, setLink] = useState(null);
  useEffect(() => {
    let gone = false;
    get("/settings/hub").then(({ ok, status, data }) => {
      if (gone) return;
      if (status === 403) onLocked();
      else if (ok) setLink(data);
    });
    return () => {
      gone = true;
    };
  }, [told.state, told.reason]);
  if (!link) return html`<${Loading} />`;
  if (told.state === "none" || link.state === "none") return html`<${Join} back=${back} onLocked=${onLocked} />`;
  return html`<${Joined} link=${link} back=${back} onLocked=${onLocked} />`;
}

// Join asks for the address, then for what the service still misses: a whole line has all of it.
function Join({ back, onLocked }) {
  const [field, setField] = useState("address");
  const [typed, setTyped] = useState({ address: "", code: "", pin: "" });
  const [error, setError] = useState("");
  const { busy, once } = useOnce();
  const type = (text) => {
    setError("");
    setTyped({ ...typed, [field]: text });
  };
  const send = () => once(async () => {
    if (!typed[field].trim()) return;
    // Who is asked for a new code may paste the hub's whole new line.
    const asked = typed[field].includes("://") ? { address: typed[field], code: "", pin: "" } : { address: typed.address, code: typed.code.trim(), pin: typed.pin.trim() };
    setTyped(asked);
    const got = await post("/settings/hub", asked);
    if (got.ok) return; // the link comes by the feed
    if (got.status === 403) return onLocked();
    const { field: wrong, reason, message } = got.data ?? {};
    const asks = wrong !== field && (reason === "code" || reason === "pin"); // what was not asked for yet is no mistake
    if (got.status === 422) setField(wrong);
    setError(asks ? "" : got.status === 422 ? why(reason, message) : complaint(got));
  });
  const name = { address: "hubAddress", code: "hubCode", pin: "hubPin" }[field];
  const before = field === "address" ? back : html`<${Button} data-do="back" onPress=${() => { setField("address"); setError(""); }}>${t("back")}<//>`;
  const footer = html`${before}<${Button} kind="primary" data-do="next" disabled=${busy || !typed[field].trim()} onPress=${send}>${busy ? own("joining") : own("join")}<//>`;
  return html`<${Frame} step="hub" title=${t(name)} footer=${footer}>
    <${TextField} key=${name} field=${name} value=${typed[field]} onInput=${type} onEnter=${send} error=${error} />
  <//>`;
}

function Joined({ link, back, onLocked }) {
  const [leaving, setLeaving] = useState(false);
  const [error, setError] = useState("");
  const leave = async () => {
    const got = await remove("/settings/hub");
    if (got.status === 403) onLocked();
    else if (!got.ok) setError(complaint(got));
  };
  if (leaving) {
    const footer = html`<${Button} data-do="back" onPress=${() => setLeaving(false)}>${t("back")}<//>
      <${Button} data-do="leave-sure" onPress=${leave}>${own("leave")}<//>`;
    return html`<${Frame} step="hub" title=${own("sure")} footer=${footer}>
      <p>${own("sureText")}</p><p class="setup-hint">${own("without")}</p><p class="setup-error" role="alert">${error}</p>
    <//>`;
  }
  const ended = link.state === "revoked" || link.state === "refused";
  const footer = html`${back}<${Button} data-do="leave" onPress=${() => setLeaving(true)}>${own("leave")}<//>`;
  return html`<${Frame} step="hub" title=${t("hub")} footer=${footer}>
    <dl class="setup-summary" data-hub=${link.state}>
      <div><dt>${own("state")}</dt><dd role="status">${hubStatus(link)?.text}${link.since && !ended ? html`, ${own(link.state, { at: moment(link.since) })}` : null}</dd></div>
      <div><dt>${own("address")}</dt><dd>${link.address}</dd></div>
      ${link.name ? html`<div><dt>${own("terminal")}</dt><dd>${link.name}</dd></div>` : null}
      ${link.account ? html`<div><dt>${own("account")}</dt><dd>${link.account}</dd></div>` : null}
    </dl>
    ${link.reason ? html`<p class="setup-error" data-why=${link.reason}>${why(link.reason, link.message)}</p>` : null}
    <p class="setup-hint">${ended ? own("again") : own("without")}</p>
  <//>`;
}

function moment(stamp) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "short", timeStyle: "short" }).format(new Date(stamp));
}
