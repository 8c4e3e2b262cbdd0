// What the caller had the terminal say, after it has gone from the screen.
import { exactTime } from "../format.js";
import { html } from "../html.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";

const t = words({
  "pt-BR": { none: "Nenhuma notificação do PDV.", seen: "na tela", unseen: "sem tela à vista", unseenHint: "Sem tela à vista, quem avisa é o sistema." },
  en: { none: "No notifications from the caller.", seen: "on the screen", unseen: "no screen in sight", unseenHint: "With no screen in sight, the system shows it." },
  es: { none: "Ninguna notificación del PDV.", seen: "en la pantalla", unseen: "sin pantalla a la vista", unseenHint: "Sin pantalla a la vista, avisa el sistema." },
});

export function NotificationPanel() {
  const list = useStore((s) => s.announcements);
  if (!list.length) return html`<p class="why" data-announcements="0">${t("none")}</p>`;
  return html`
    <ul class="announcements" data-announcements=${list.length}>
      ${list.map((n) => html`
        <li key=${n.id} data-seen=${n.seen}>
          <time>${exactTime(n.at).slice(0, 8)}</time>
          <p><b>${n.title}</b> <span>${n.text}</span></p>
          <small title=${n.seen ? null : t("unseenHint")}>${t(n.seen ? "seen" : "unseen")}</small>
        </li>`)}
    </ul>`;
}
