// Nothing is going on. The screen is the shop's: its logo, its name, the time, and who is next. Of the terminal itself it
// only says what is wrong; who develops against the emulator also sees where it is reached.
import { html } from "../html.js";
import { useStore } from "../store.js";
import { words, locale } from "../i18n.js";
import { clock, day } from "../format.js";
import { Button, Icon } from "../ui.js";
import { useMinute } from "../clock.js";
import { About, State } from "../about.js";
import { troubles } from "../status.js";

const t = words({
  "pt-BR": { settings: "Configurações", next: "Próximo cliente, por favor", logo: "Logotipo da loja", troubles: "O que fazer" },
  en: { settings: "Settings", next: "Next customer, please", logo: "The shop's logo", troubles: "What to do" },
  es: { settings: "Configuración", next: "El siguiente, por favor", logo: "Logotipo de la tienda", troubles: "Qué hacer" },
});

export function Idle({ onSettings }) {
  const { name, emulator, logo } = useStore((s) => ({ name: s.name, emulator: s.emulator, logo: s.look.logo }));
  const now = useMinute();
  return html`<section class=${`idle ${emulator ? "is-emulator" : ""}`} data-view="idle">
    <${Button} kind="bare" class="idle-gear" data-do="settings" aria-label=${t("settings")} onPress=${onSettings}><${Icon} name="gear" /><//>
    <div class="idle-now">
      ${logo ? html`<img class="idle-logo" src=${`/logo?${logo}`} alt=${t("logo")} />` : null}
      <h1 class="idle-name">${name || "maquininha"}</h1>
      <time class="idle-clock" datetime=${now.toISOString()}>${clock(now)}</time>
      <p class="idle-day" lang=${locale()}>${day(now)}</p>
      <p class="idle-next">${t("next")}</p>
    </div>
    ${emulator ? html`<${About} />` : html`<${Troubles} />`}
  </section>`;
}

function Troubles() {
  const { printer, acquirer, hub } = useStore((s) => ({ printer: s.printer, acquirer: s.acquirer, hub: s.hub }));
  const list = troubles(printer, acquirer, hub);
  if (list.length === 0) return null;
  return html`<ul class="states" aria-label=${t("troubles")}>${list.map((trouble) => html`<${State} key=${trouble.name} ...${trouble} />`)}</ul>`;
}
