// The frame that every page of the first start and the settings has.
import { html } from "../html.js";
import { t } from "./words.js";

// Frame has a title, a body that scrolls when it must, and the buttons of the footer, which stay. progress is {n, of}
// where the page is one of several steps.
export function Frame({ step, title, progress, footer, children }) {
  return html`<section class="page setup" data-view="setup" data-step=${step}>
    ${title ? html`<header class="page-head"><h1>${title}</h1></header>` : null}
    <div class="page-body">${progress ? html`<${Progress} ...${progress} />` : null}${children}</div>
    <footer class="page-foot">${footer}</footer>
  </section>`;
}

function Progress({ n, of }) {
  return html`<div class="setup-progress" role="progressbar" aria-valuemin="1" aria-valuemax=${of} aria-valuenow=${n} aria-label=${t("step", { n, of })}>
    <span style=${{ width: `${(100 * n) / of}%` }} />
  </div>`;
}

// Loading stands where the frame will be.
export function Loading() {
  return html`<section class="page setup" data-view="setup" aria-busy="true" />`;
}
