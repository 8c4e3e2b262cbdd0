// Nothing is going on. The screen is the shop's: its logo, its name, the time, and who is next. Of the terminal itself it
// only says what is wrong; who develops against the emulator also sees where it is reached.
import { html } from "../html.js";
import { useStore } from "../store.js";
import { words, locale } from "../i18n.js";
import { clock, day } from "../format.js";
import { Button, Icon } from "../ui.js";
import { useMinute } from "../clock.js";
import { Carousel } from "../carousel.js";
import { About, State } from "../about.js";
import { troubles } from "../status.js";

const t = words({
  "pt-BR": { settings: "Configurações", next: "Próximo cliente, por favor", logo: "Logotipo da loja", picture: "Imagem da loja", troubles: "O que fazer" },
  en: { settings: "Settings", next: "Next customer, please", logo: "The shop's logo", picture: "The shop's picture", troubles: "What to do" },
  es: { settings: "Configuración", next: "El siguiente, por favor", logo: "Logotipo de la tienda", picture: "Imagen de la tienda", troubles: "Qué hacer" },
});

export function Idle({ onSettings }) {
  const { name, emulator, logo } = useStore((s) => ({ name: s.name, emulator: s.emulator, logo: s.look.logo }));
  const pictures = useStore((s) => s.look.pictures);
  const now = useMinute();
  if (pictures.length > 0) return html`<${Gallery} pictures=${pictures} name=${name} now=${now} onSettings=${onSettings} />`;
  return html`<section class=${`idle ${emulator ? "is-emulator" : ""}`} data-view="idle">
    <${Gear} onPress=${onSettings} />
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

function Gear({ onPress }) {
  return html`<${Button} kind="bare" class="idle-gear" data-do="settings" aria-label=${t("settings")} onPress=${onPress}><${Icon} name="gear" /><//>`;
}

const pictureLasts = 8000; // milliseconds

// Gallery has the shop's own pictures, and in a strip below them what the screen says without.
function Gallery({ pictures, name, now, onSettings }) {
  return html`<section class="idle has-pictures" data-view="idle">
    <div class="idle-pictures"><${Carousel} urls=${pictures} interval=${pictureLasts} transition="fade" label=${t("picture")} /></div>
    <div class="idle-strip">
      <h1 class="idle-name">${name || "maquininha"}</h1>
      <p class="idle-next">${t("next")}</p>
      <time class="idle-clock" datetime=${now.toISOString()}>${clock(now)}</time>
      <${Gear} onPress=${onSettings} />
    </div>
    <${Troubles} />
  </section>`;
}

function Troubles() {
  const { printer, acquirer, hub } = useStore((s) => ({ printer: s.printer, acquirer: s.acquirer, hub: s.hub }));
  const list = troubles(printer, acquirer, hub);
  if (list.length === 0) return null;
  return html`<ul class="states" aria-label=${t("troubles")}>${list.map((trouble) => html`<${State} key=${trouble.name} ...${trouble} />`)}</ul>`;
}
