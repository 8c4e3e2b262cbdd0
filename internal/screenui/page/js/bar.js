// The bar above every view: the shop and the clock, and for a moment the toast of a command that came, or of what the
// caller says.
import { html } from "./html.js";
import { useStore } from "./store.js";
import { Icon } from "./ui.js";
import { clock } from "./format.js";
import { useMinute } from "./clock.js";
import { t } from "./notices.js";
import { printerTrouble } from "./status.js";

const bare = new Set(["idle", "home", "display"]);

// Bar takes no more room when a toast comes, so nothing moves and no button is covered. Over the display, which
// has the whole screen, it only appears with a toast.
export function Bar({ on, notice }) {
  const name = useStore((s) => s.name);
  const printer = useStore((s) => s.printer.state);
  const now = useMinute();
  const toast = notice && on !== "home";
  const trouble = printerTrouble(printer);
  return html`<header class=${`bar ${toast ? "has-toast" : ""}`}>
    ${bare.has(on) ? null : html`<span class="bar-name">${name || "maquininha"}</span>
      ${trouble ? html`<span class="bar-trouble"><${Icon} name="warn" />${trouble}</span>` : null}
      <time class="bar-clock">${clock(now)}</time>`}
    <div class=${`toast ${toast && notice.title ? "is-said" : ""}`} role="status" aria-live="polite" data-toast=${toast ? notice.id : null}>
      ${toast ? html`<${Icon} name="bell" /><span class="toast-words"><strong>${notice.title ?? t("title")}</strong> <span>${notice.text ?? t("text")}</span></span>` : null}
    </div>
  </header>`;
}
