// Tenants and their shops: what there is, and more of it.
import { make } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { words } from "../i18n.js";
import { Asking, Field } from "../parts.js";
import { readPlaces, usePlaces } from "../places.js";
import { hashOf } from "../route.js";
import { useStore } from "../store.js";
import { Button } from "../ui.js";
import { why } from "../why.js";

const t = words({
  "pt-BR": {
    title: "Clientes e lojas", newTenant: "Novo cliente", newShop: "Nova loja", name: "Nome", save: "Criar", terminals: "terminais", transactions: "transações", none: "Nenhuma loja ainda.", shopOf: "Nova loja de {name}",
    failed: "Não foi possível ler: {why}",
  },
  en: {
    title: "Tenants and shops", newTenant: "New tenant", newShop: "New shop", name: "Name", save: "Make", terminals: "terminals", transactions: "transactions", none: "No shop yet.", shopOf: "New shop of {name}",
    failed: "Could not be read: {why}",
  },
  es: {
    title: "Clientes y tiendas", newTenant: "Nuevo cliente", newShop: "Nueva tienda", name: "Nombre", save: "Crear", terminals: "terminales", transactions: "transacciones", none: "Aún no hay tiendas.", shopOf: "Nueva tienda de {name}",
    failed: "No se pudo leer: {why}",
  },
});

export function Places() {
  const { tenants, shops } = usePlaces();
  const { administers, whole } = useStore((s) => ({ administers: s.session.role === "administers", whole: !s.session.tenant }));
  const [making, setMaking] = useState(null); // {} is a tenant, {tenant} a shop
  const [error, setError] = useState("");
  useEffect(() => {
    readPlaces().then((said) => setError(said ? why(said) : "")); // another person may have made some
  }, []);
  return html`
    <header class="view-head"><h1>${t("title")}</h1>${administers && whole && html`<${Button} kind="primary" data-do="new-tenant" onPress=${() => setMaking({})}>${t("newTenant")}<//>`}</header>
    ${error && html`<p class="bad" role="alert">${t("failed", { why: error })}</p>`}
    ${tenants.map((tenant) => html`<${Tenant} key=${tenant.id} tenant=${tenant} shops=${shops.filter((shop) => shop.tenant === tenant.id)} onNew=${administers && (() => setMaking({ tenant }))} />`)}
    ${making && html`<${Make} tenant=${making.tenant} onClose=${() => setMaking(null)} />`}`;
}

function Tenant({ tenant, shops, onNew }) {
  return html`
    <section class="tenant" data-tenant=${tenant.name}>
      <header class="view-head"><h2>${tenant.name}</h2>${onNew && html`<button type="button" class="act" data-do="new-shop" onClick=${onNew}>${t("newShop")}</button>`}</header>
      ${shops.length ? html`<ul class="shops">${shops.map((shop) => html`
        <li key=${shop.id} data-shop=${shop.name}><b>${shop.name}</b>
          <span class="links"><a href=${hashOf("terminals", "", { shop: shop.id })}>${t("terminals")}</a><a href=${hashOf("transactions", "", { shop: shop.id })}>${t("transactions")}</a></span></li>`)}</ul>` : html`<p class="why">${t("none")}</p>`}
    </section>`;
}

function Make({ tenant, onClose }) {
  const [name, setName] = useState("");
  const save = async () => {
    const { data, ...not } = await make(tenant ? "/shops" : "/tenants", { name: name.trim(), ...(tenant ? { tenant: tenant.id } : {}) });
    if (data) {
      await readPlaces();
      onClose();
    }
    return not;
  };
  return html`
    <${Asking} title=${tenant ? t("shopOf", { name: tenant.name }) : t("newTenant")} name="place" onClose=${onClose} send=${save} act=${t("save")} does="save" ready=${Boolean(name.trim())}>
      <${Field} label=${t("name")} name="place-name" value=${name} onInput=${setName} maxlength="100" autocomplete="off" />
    <//>`;
}
