// What people have changed, newest first.
import { audit } from "../api.js";
import { html } from "../html.js";
import { words } from "../i18n.js";
import { Pages, Table, usePages } from "../list.js";
import { When } from "../parts.js";
import { placeName, usePlaces } from "../places.js";

const t = words({
  "pt-BR": { title: "Auditoria", when: "Quando", who: "Quem", what: "O quê", place: "Onde", account: "conta" },
  en: { title: "Audit", when: "When", who: "Who", what: "What", place: "Where", account: "account" },
  es: { title: "Auditoría", when: "Cuándo", who: "Quién", what: "Qué", place: "Dónde", account: "cuenta" },
});

export function Audit() {
  const changes = usePages((cursor) => audit(100, cursor), "");
  usePlaces();
  const columns = [
    { title: t("when"), cell: (item) => html`<${When} at=${item.at} />` },
    { title: t("what"), cell: (item) => html`<span lang="pt-BR">${item.what}</span>` },
    { title: t("who"), cell: (item) => item.who },
    { title: t("place"), cell: (item) => (item.tenant ? placeName(item) : t("account")) },
  ];
  return html`
    <header class="view-head"><h1>${t("title")}</h1></header>
    <${Pages} list=${changes}>${(items) => html`<${Table} label=${t("title")} columns=${columns} items=${items} row=${(item) => ({ key: item.number })} />`}<//>`;
}
