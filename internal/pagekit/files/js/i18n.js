// Words in the language the terminal is set to. Every module keeps its own table.
import { getState } from "./store.js";

const first = "pt-BR";

// locale is one of the three languages the page speaks.
export function locale() {
  const wanted = String(getState().locale ?? "").toLowerCase();
  if (wanted.startsWith("en")) return "en";
  if (wanted.startsWith("es")) return "es";
  return first;
}

// words makes t(key, params) of a table {"pt-BR": {key: "texto {n}"}, en: {…}, es: {…}}; t.has(key) tells whether
// there are words for it.
export function words(table) {
  const t = (key, params) => {
    const text = table[locale()]?.[key] ?? table[first][key] ?? key;
    return params ? text.replace(/\{(\w+)\}/g, (whole, name) => params[name] ?? whole) : text;
  };
  t.has = (key) => key in table[first];
  return t;
}
