// The device's home screen, in the emulator, while the app is in the background.
import { html } from "../html.js";
import { post } from "../http.js";
import { words } from "../i18n.js";
import { clock, day } from "../format.js";
import { Icon } from "../ui.js";
import { useMinute } from "../clock.js";
import { t as noticeWords } from "../notices.js";

const t = words({
  "pt-BR": { open: "Abrir o maquininha", now: "agora" },
  en: { open: "Open maquininha", now: "now" },
  es: { open: "Abrir maquininha", now: "ahora" },
});

export function Home({ notice }) {
  const now = useMinute();
  const open = () => post("/emulator/foreground", { active: null });
  return html`<section class="home" data-view="home">
    <time class="home-clock">${clock(now)}</time>
    <p class="home-day">${day(now)}</p>
    <div class="home-notices" aria-live="polite">
      ${notice ? html`<button type="button" class="home-notice" data-do="notification" onClick=${open}>
        <span class="home-badge"><${Icon} name="bell" /></span>
        <span class="home-words"><span class="home-app">maquininha · ${t("now")}</span><strong>${notice.title ?? noticeWords("title")}</strong><span>${notice.text ?? noticeWords("text")}</span></span>
      </button>` : null}
    </div>
    <button type="button" class="home-launch" data-do="launch" aria-label=${t("open")} onClick=${open}>
      <img src="/icon.svg" alt="" width="96" height="96" /><span>maquininha</span>
    </button>
  </section>`;
}
