// What people have changed, newest first.
import { audit } from "../api.js";
import { html } from "../html.js";
import { words } from "../i18n.js";
import { Pages, When, usePages } from "../parts.js";

const t = words({
  "pt-BR": { title: "Auditoria", when: "Quando", who: "Quem", what: "O quê" },
  en: { title: "Audit", when: "When", who: "Who", what: "What" },
  es: { title: "Auditoría", when: "Cuándo", who: "Quién", what: "Qué" },
});

export function Audit() {
  const changes = usePages((cursor) => audit(100, cursor), "");
  return html`
    <header class="view-head"><h1>${t("title")}</h1></header>
    <${Pages} list=${changes}>${(items) => html`
      <table class="rows">
        <thead><tr><th>${t("when")}</th><th>${t("what")}</th><th>${t("who")}</th></tr></thead>
        <tbody>${items.map((item) => html`
          <tr key=${item.number}><td><${When} at=${item.at} /></td><td>${item.what}</td><td data-label=${t("who")}>${item.who}</td></tr>`)}</tbody>
      </table>`}<//>`;
}
