// How a payment came out that nobody knew of when it left the screen. It stays until somebody has read it.
import { html } from "./html.js";
import { post } from "./http.js";
import { useStore } from "./store.js";
import { money } from "./format.js";
import { t } from "./payment/words.js";
import { Icon } from "./ui.js";

const busy = new Set(["payment", "result", "question", "closing", "setup", "home"]); // whose room is needed

// Settled takes a row of its own between the bar and the view, so that it covers nothing.
export function Settled({ on }) {
  const settled = useStore((s) => s.settled);
  const shown = settled && !busy.has(on);
  return html`<div class="settled" role="status">
    ${shown ? html`<button type="button" class=${settled.made ? "made" : "unmade"} data-do="settled" onClick=${() => post("/settled/dismiss", { id: settled.id })}>
      <${Icon} name=${settled.made ? "check" : "cross"} />
      <span class="settled-words"><b>${t(settledWord(settled.kind, settled.made))} · ${money(settled.amount)}</b>${" "}<span>${settled.reference ?? ""}</span></span>
      <span class="settled-close">${t("understood")}</span>
    </button>` : null}
  </div>`;
}

// settledWord names the words for how it came out.
export const settledWord = (kind, made) => `${kind === "reversal" ? "reversal-" : ""}settled-${made ? "made" : "unmade"}`;
