// How a payment or a reversal ended.
import { html } from "../html.js";
import { post, useStore } from "../feed.js";
import { money } from "../format.js";
import { useKeys } from "../payment/act.js";
import { t } from "../payment/words.js";

const marks = {
  approved: "M14 27l9 9 17-19",
  refused: "M17 17l20 20M37 17L17 37",
  cancelled: "M15 27h24",
  unknown: "M19 21a8 8 0 1 1 11 7.5c-2 1-3 2-3 4.5M27 39.5v.1",
};

// Result shows state.result; a tap, Enter or Escape sends it away before the service does.
export function Result() {
  const result = useStore((s) => s.result);
  const dismiss = () => void post("/result/dismiss", {});
  useKeys((key) => {
    if (key !== "Enter" && key !== "Escape") return false;
    dismiss();
    return true;
  });
  if (!result) return null;
  const verdict = marks[result.verdict] ? result.verdict : "unknown";
  const reversal = result.kind === "reversal";
  const title = t((reversal ? "reversal-" : "") + verdict);
  const message = result.message && result.message.toLowerCase() !== title.toLowerCase() ? result.message : null;
  return html`
    <section class=${"result " + verdict} data-view="result" data-verdict=${verdict} data-kind=${result.kind}
      data-do="dismiss" onClick=${dismiss}>
      <svg class="result-mark" viewBox="0 0 54 54" aria-hidden="true" focusable="false">
        <circle cx="27" cy="27" r="24.5" /><path d=${marks[verdict]} pathLength="1" />
      </svg>
      <div class="result-say">
        <h1 role="status">${title}</h1>
        ${message && html`<p class="result-message">${message}</p>`}
        <p class="result-amount">${money(result.amount)}</p>
        ${result.method && result.method !== "any" && html`<p class="result-method">${t("method-" + result.method)}</p>`}
      </div>
      <p class="result-hint">${t("dismiss")}</p>
    </section>`;
}
