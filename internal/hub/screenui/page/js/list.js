// Lists that are read page by page, and how they are drawn.
import { useListener } from "./hooks.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { words } from "./i18n.js";
import { useStore } from "./store.js";
import { Button } from "./ui.js";
import { why } from "./why.js";

const t = words({
  "pt-BR": { more: "Mais", none: "Nada aqui.", reading: "Lendo…", failed: "Não foi possível ler: {why}", again: "Tentar de novo" },
  en: { more: "More", none: "Nothing here.", reading: "Reading…", failed: "Could not be read: {why}", again: "Try again" },
  es: { more: "Más", none: "Nada aquí.", reading: "Leyendo…", failed: "No se pudo leer: {why}", again: "Intentar de nuevo" },
});

const soonest = 500;

// usePages reads a list page by page, anew whenever what is asked for changes: load(cursor) gives {items, next} or
// {error}. With live, the first page is read again when the hub tells of changes, at most once in a while.
export function usePages(load, wanted, { live = false } = {}) {
  const news = useStore((s) => (live ? s.news : 0));
  const [list, setList] = useState({ items: null, next: "", error: "" });
  const newest = useRef(load); // what a clock was set for may be wanted otherwise when it rings
  newest.current = load;
  const serial = useRef(0);
  const took = useRef(0); // milliseconds of the last reading
  const read = async (cursor, before) => {
    const mine = ++serial.current;
    const began = performance.now();
    const said = await newest.current(cursor);
    took.current = performance.now() - began;
    if (mine !== serial.current) return; // something else is wanted by now
    if (said.error !== undefined) setList((old) => ({ ...old, error: why(said) }));
    else setList({ ...said, items: [...before, ...said.items], next: said.next ?? "", error: "" });
  };
  const grown = useRef(false); // somebody went on to further pages: they stay as they are
  useEffect(() => {
    grown.current = false;
    read("", []);
  }, [wanted]);
  const timer = useRef(0);
  useEffect(() => {
    if (!live || !news || grown.current || timer.current) return;
    timer.current = setTimeout(() => {
      timer.current = 0;
      if (!document.hidden && !grown.current) read("", []);
    }, Math.max(soonest, 4 * took.current)); // a large fleet always has news: most of the time nobody reads
  }, [news]);
  useEffect(() => () => {
    clearTimeout(timer.current);
    serial.current++;
  }, []);
  useListener(document, "visibilitychange", () => live && !document.hidden && !grown.current && read("", []));
  const more = () => {
    grown.current = true;
    return read(list.next, list.items);
  };
  return { ...list, more, again: () => read("", []) };
}

// Pages are what usePages has read, drawn by children(items). none is said where there is nothing.
export function Pages({ list, children, none }) {
  return html`
    ${list.error && html`<p class="bad" role="alert">${t("failed", { why: list.error })} <button type="button" class="act" onClick=${list.again}>${t("again")}</button></p>`}
    ${!list.items && !list.error && html`<p class="why reading" role="status">${t("reading")}</p>`}
    ${list.items && (list.items.length ? children(list.items) : !list.next && html`<p class="why" data-none="1">${none ?? t("none")}</p>`)}
    ${list.next && html`<p class="more"><${Button} kind="plain" data-do="more" onPress=${list.more}>${t("more")}<//></p>`}`;
}

// liveFirst has what was revoked behind all others.
export function liveFirst(items) {
  return [...items].sort((a, b) => Boolean(a.revokedAt) - Boolean(b.revokedAt));
}

// Table is rows of a list: columns are {title, cell(item), number, short}; what is short is not broken. On a telephone each row is a card, which for a screen reader is still
// a row: the roles are said, since browsers forget them when the layout is another.
export function Table({ label, columns, items, row }) {
  return html`
    <table class="rows" role="table" aria-label=${label}>
      <thead role="rowgroup"><tr role="row">${columns.map((c) => html`<th key=${c.title} role="columnheader" scope="col" class=${c.number ? "number" : ""}>${c.title}</th>`)}</tr></thead>
      <tbody role="rowgroup">${items.map((item) => html`
        <tr role="row" ...${row(item)}>${columns.map((c, i) => html`
          <td key=${c.title} role="cell" class=${c.number ? "number" : c.short ? "short" : ""} data-label=${i && c.title ? c.title : undefined}>${c.cell(item)}</td>`)}
        </tr>`)}</tbody>
    </table>`;
}
