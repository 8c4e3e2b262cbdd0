// Where the page is, as its address says: #/terminals/abc.
import { change } from "./store.js";

export const views = ["terminals", "transactions", "closing", "logs", "access", "audit"];

export function startRoutes() {
  const look = () => {
    const [, view, id] = location.hash.split("/");
    change({ route: { view: views.includes(view) ? view : views[0], id: decode(id ?? "") } });
  };
  window.addEventListener("hashchange", look);
  look();
}

export function hashOf(view, id) {
  return "#/" + view + (id ? "/" + encodeURIComponent(id) : "");
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
