// The bar above every view: the shop and the clock, what is wrong, and a bell that moves when a command comes. What the
// caller says lies over the shop's name, never over trouble.
import { html } from "./html.js";
import { useStore } from "./store.js";
import { Icon } from "./ui.js";
import { clock } from "./format.js";
import { useMinute } from "./clock.js";
import { pendingShort, printerTrouble } from "./status.js";

const bare = new Set(["idle", "home", "display"]);

// Bar takes no more room when something comes, so nothing moves and no button is covered. Over the display, which
// has the whole screen, it only appears with a toast or with trouble.
export function Bar({ on, notice }) {
  const name = useStore((s) => s.name);
  const trouble = useStore((s) => printerTrouble(s.printer.state));
  const pending = useStore((s) => pendingShort(s.acquirer.pending));
  const now = useMinute();
  const told = on === "home" ? null : notice;
  const said = told?.title ? told : null;
  const plain = !bare.has(on);
  return html`<header class=${`bar ${told ? "has-toast" : ""} ${said ? "has-said" : ""} ${trouble || pending ? "has-alerts" : ""}`}>
    ${plain ? html`<span class="bar-name">${name || "maquininha"}</span>` : html`<span class="bar-name" />`}
    ${told && !said ? html`<span class="bar-bell" key=${told.id} data-toast=${told.id}><${Icon} name="bell" /></span>` : null}
    <span class="bar-alerts">
      ${trouble && on !== "idle" ? html`<span class="bar-alert bar-trouble"><${Icon} name="warn" /><span>${trouble}</span></span>` : null}
      ${pending ? html`<span class="bar-alert bar-pending" data-pending><${Icon} name="clock" /><span>${pending}</span></span>` : null}
    </span>
    ${plain ? html`<time class="bar-clock">${clock(now)}</time>` : null}
    <div class=${`toast ${said ? "is-said" : ""}`} role="status" aria-live="polite" data-toast=${said ? said.id : null}>
      ${said ? html`<${Icon} name="bell" /><span class="toast-words"><strong>${said.title}</strong> <span>${said.text}</span></span>` : null}
    </div>
  </header>`;
}
