// The language of the page: what somebody chose here, or what the browser asks for.
import { change } from "./store.js";
import { local } from "./storage.js";

const key = "maquininha.hub.locale";
export const locales = [["pt-BR", "Português"], ["en", "English"], ["es", "Español"]];

export function startLocale() {
  set(local.recall(key) ?? navigator.language ?? "pt-BR");
}

export function chooseLocale(locale) {
  local.remember(key, locale);
  set(locale);
}

function set(wanted) {
  const known = locales.find(([id]) => wanted.slice(0, 2) === id.slice(0, 2))?.[0] ?? "pt-BR";
  document.documentElement.lang = known;
  change({ locale: known });
}
