// Where the page is, as its address says: #/terminals/abc?state=busy. What a list is narrowed down to is in the address, so that going
// back, or sending somebody the address, shows the same.
import { query as textOf } from "./api.js";
import { change, getState, useStore } from "./store.js";

export const views = ["terminals", "transactions", "closing", "logs", "operations", "places", "settings", "webhooks", "access", "audit", "more"];

export function startRoutes() {
  const look = () => change({ route: parse(location.hash) });
  window.addEventListener("hashchange", look);
  look();
}

function parse(hash) {
  const [path, search = ""] = hash.slice(1).split("?");
  const [, view, id] = path.split("/");
  return { view: views.includes(view) ? view : views[0], id: decode(id ?? ""), query: Object.fromEntries(new URLSearchParams(search)) };
}

export function hashOf(view, id, query = {}) {
  return "#/" + view + (id ? "/" + encodeURIComponent(id) : "") + textOf(query);
}

// useFilter is what the list of a view is narrowed down to: [filter, set, reset]. set(key) takes a value. Only what is not as usual
// stands in the address.
export function useFilter(usual) {
  const filter = narrowed(usual, useStore((s) => s.route.query));
  const go = (values) => {
    const { view, id, query } = getState().route; // as it is by now: a search is told of a moment after it was typed
    const wanted = Object.fromEntries(Object.entries({ ...narrowed(usual, query), ...values }).filter(([key, value]) => value !== usual[key]));
    history.replaceState(null, "", hashOf(view, id, wanted));
    change({ route: { view, id, query: wanted } });
  };
  return [filter, (key) => (value) => go({ [key]: value }), go];
}

function narrowed(usual, query) {
  return Object.fromEntries(Object.entries(usual).map(([key, value]) => [key, query[key] ?? value]));
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
