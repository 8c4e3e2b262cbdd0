// Tenants and shops: whose terminals are where.
import { all } from "./api.js";
import { html, useEffect } from "./html.js";
import { words } from "./i18n.js";
import { Select } from "./parts.js";
import { change, getState, useStore } from "./store.js";

const t = words({
  "pt-BR": { place: "Loja", all: "todas", whole: "{name}, todas as lojas" },
  en: { place: "Shop", all: "all", whole: "{name}, all shops" },
  es: { place: "Tienda", all: "todas", whole: "{name}, todas las tiendas" },
});

export async function readPlaces() {
  const [tenants, shops] = await Promise.all([all("tenants"), all("shops")]);
  if (tenants.items && shops.items) change({ places: { tenants: tenants.items, shops: shops.items } });
  else readAt = -freshFor;
  return [tenants, shops].find((said) => !said.items); // why not, if so
}

const none = { tenants: [], shops: [] };
const freshFor = 5000;
let readAt = -freshFor;

// usePlaces are {tenants, shops}, empty until they have been read. A view that opens has them read again: somebody may have made some.
export function usePlaces() {
  const places = useStore((s) => s.places);
  useEffect(() => {
    if (performance.now() - readAt < freshFor) return;
    readAt = performance.now();
    readPlaces();
  }, []);
  return places ?? none;
}

// placeName is a shop with its tenant where there are several, or a tenant; what is not known is "–".
export function placeName({ tenant, shop }) {
  const { tenants, shops } = getState().places ?? none;
  const of = tenants.find((one) => one.id === tenant)?.name;
  const at = shops.find((one) => one.id === shop)?.name;
  return [at, tenants.length > 1 || !at ? of : ""].filter(Boolean).join(" · ") || "–";
}

// PlaceFilter narrows a list down to a tenant or a shop: its value is {tenant, shop}. With one shop there is nothing to pick.
export function PlaceFilter({ tenant, shop, onPick }) {
  const { tenants, shops } = usePlaces();
  if (shops.length < 2) return null;
  const whole = tenants.length > 1 ? (of) => [["tenant/" + of.id, t("whole", { name: of.name })]] : () => [];
  const options = [["", t("all")], ...byTenant(tenants, shops, (of, its) => [...whole(of), ...its.map((at) => ["shop/" + at.id, at.name])])];
  const pick = (value) => {
    const [kind, id] = value.split("/");
    onPick({ tenant: kind === "tenant" ? id : "", shop: kind === "shop" ? id : "" });
  };
  return html`<${Select} label=${t("place")} name="place" value=${shop ? "shop/" + shop : tenant ? "tenant/" + tenant : ""} onPick=${pick} options=${options} />`;
}

// ShopSelect picks one shop.
export function ShopSelect({ shop, onPick }) {
  const { tenants, shops } = usePlaces();
  return html`<${Select} label=${t("place")} name="shop" value=${shop} onPick=${onPick} options=${byTenant(tenants, shops, (_, its) => its.map((at) => [at.id, at.name]))} />`;
}

// byTenant has the shops of each tenant under its name, where there are several tenants.
function byTenant(tenants, shops, optionsOf) {
  const groups = tenants.map((of) => ({ group: of.name, options: optionsOf(of, shops.filter((one) => one.tenant === of.id)) })).filter(({ options }) => options.length);
  return tenants.length > 1 ? groups : groups.flatMap(({ options }) => options);
}
