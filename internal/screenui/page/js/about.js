// Where callers reach the terminal, and how its parts are: for who sets it up, and for who develops against it.
import { html } from "./html.js";
import { useStore } from "./store.js";
import { words } from "./i18n.js";
import { Icon } from "./ui.js";
import { acquirerStatus, hubStatus, printerStatus } from "./status.js";

const t = words({
  "pt-BR": { api: "Endereço da API", qr: "QR code do endereço da API", status: "Estado" },
  en: { api: "API address", qr: "QR code of the API address", status: "State" },
  es: { api: "Dirección de la API", qr: "Código QR de la dirección de la API", status: "Estado" },
});

export function About() {
  const { apiUrl, printer, acquirer, hub } = useStore((s) => ({ apiUrl: s.apiUrl, printer: s.printer, acquirer: s.acquirer, hub: s.hub }));
  const link = hubStatus(hub);
  return html`<div class="about">
    ${apiUrl ? html`<div class="about-api">
      <img class="about-qr" src="/qr/api.svg" alt=${t("qr")} width="160" height="160" />
      <p class="about-address"><span class="about-label">${t("api")}</span><span class="about-url">${address(apiUrl)}</span></p>
    </div>` : null}
    <ul class="states" aria-label=${t("status")}>
      <${State} icon="printer" key="printer" name="printer" ...${printerStatus(printer)} />
      <${State} icon="card" key="acquirer" name="acquirer" ...${acquirerStatus(acquirer)} />
      ${link ? html`<${State} icon="globe" key="hub" name="hub" ...${link} />` : null}
    </ul>
  </div>`;
}

// address may only break after the scheme.
function address(url) {
  const [scheme, host] = url.split("//");
  return host ? [`${scheme}//`, html`<wbr />`, host] : url;
}

const marks = { good: "check", warn: "warn", bad: "warn" };

export function State({ icon, name, mood, text }) {
  return html`<li class=${`state ${mood}`} data-status=${name} data-mood=${mood}>
    <${Icon} name=${icon} /><span class="state-text">${text}</span>
    ${marks[mood] ? html`<${Icon} name=${marks[mood]} class="state-mark" />` : null}
  </li>`;
}
