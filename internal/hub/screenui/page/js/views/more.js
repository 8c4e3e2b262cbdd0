// Where a telephone's bar has no room for.
import { html } from "../html.js";
import { words } from "../i18n.js";
import { hashOf } from "../route.js";
import { Icon } from "../ui.js";

const t = words({ "pt-BR": { title: "Mais" }, en: { title: "More" }, es: { title: "Más" } });

export function More({ places }) {
  return html`
    <header class="view-head"><h1>${t("title")}</h1></header>
    <ul class="further">${places.map(([id, icon, text]) => html`<li key=${id}><a href=${hashOf(id)} data-more=${id}><${Icon} name=${icon} />${text}</a></li>`)}</ul>`;
}
