// Nothing is going on: who this is, what time it is, where callers reach it, and how it is.
import { html } from "../html.js";
import { useStore } from "../store.js";
import { words, locale } from "../i18n.js";
import { clock, day } from "../format.js";
import { Button, Icon } from "../ui.js";
import { useMinute } from "../clock.js";
import { printerStatus, acquirerStatus, hubStatus } from "../status.js";

const t = words({
  "pt-BR": { settings: "Configurações", api: "Endereço da API", qr: "QR code do endereço da API", status: "Estado" },
  en: { settings: "Settings", api: "API address", qr: "QR code of the API address", status: "State" },
  es: { settings: "Configuración", api: "Dirección de la API", qr: "Código QR de la dirección de la API", status: "Estado" },
});

export function Idle({ onSettings }) {
  const { name, apiUrl, printer, acquirer, hub } = useStore((s) => ({ name: s.name, apiUrl: s.apiUrl, printer: s.printer, acquirer: s.acquirer, hub: s.hub }));
  const link = hubStatus(hub);
  const now = useMinute();
  return html`<section class="idle" data-view="idle">
    <${Button} kind="bare" class="idle-gear" data-do="settings" aria-label=${t("settings")} onPress=${onSettings}><${Icon} name="gear" /><//>
    <div class="idle-now">
      <h1 class="idle-name">${name || "maquininha"}</h1>
      <time class="idle-clock" datetime=${now.toISOString()}>${clock(now)}</time>
      <p class="idle-day" lang=${locale()}>${day(now)}</p>
    </div>
    <div class="idle-about">
      ${apiUrl ? html`<div class="idle-api">
        <img class="idle-qr" src="/qr/api.svg" alt=${t("qr")} width="160" height="160" />
        <p class="idle-address"><span class="idle-label">${t("api")}</span><span class="idle-url">${address(apiUrl)}</span></p>
      </div>` : null}
      <ul class="idle-status" aria-label=${t("status")}>
        <${State} icon="printer" key="printer" name="printer" ...${printerStatus(printer)} />
        <${State} icon="card" key="acquirer" name="acquirer" ...${acquirerStatus(acquirer)} />
        ${link ? html`<${State} icon="globe" key="hub" name="hub" ...${link} />` : null}
      </ul>
    </div>
  </section>`;
}

// address may only break after the scheme.
function address(url) {
  const [scheme, host] = url.split("//");
  return host ? [`${scheme}//`, html`<wbr />`, host] : url;
}

const marks = { good: "check", warn: "warn", bad: "cross" };

function State({ icon, name, mood, text }) {
  return html`<li class=${`state ${mood}`} data-status=${name} data-mood=${mood}>
    <${Icon} name=${icon} /><span class="state-text">${text}</span>
    ${marks[mood] ? html`<${Icon} name=${marks[mood]} class="state-mark" />` : null}
  </li>`;
}
