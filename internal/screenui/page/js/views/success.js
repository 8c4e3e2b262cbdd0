// The success screen, after the last answer of a form.

import { html } from "../html.js";
import { useStore } from "../store.js";
import { t } from "../question/words.js";

export function Success() {
  const success = useStore((state) => state.success);
  if (!success) return null;
  return html`<section class="success" data-view="success" role="status">
    <svg class="success-mark" viewBox="0 0 96 96" aria-hidden="true">
      <circle cx="48" cy="48" r="44" /><path d="M28 50l14 14 27-30" pathLength="1" />
    </svg>
    <h1 class="success-words" data-message>${success.message || t("success")}</h1>
    ${success.message ? null : html`<p class="success-more">${t("thanks")}</p>`}
  </section>`;
}
