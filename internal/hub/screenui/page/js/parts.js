// What the views are made of.
import { useListener } from "./hooks.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { locale, words } from "./i18n.js";
import { chooseLocale, locales } from "./locale.js";
import { useStore } from "./store.js";
import { Button } from "./ui.js";

const t = words({
  "pt-BR": { more: "Mais", none: "Nada aqui.", failed: "Não foi possível ler: {why}", silent: "o hub não respondeu", close: "Fechar", copy: "Copiar", copied: "Copiado", language: "Idioma" },
  en: { more: "More", none: "Nothing here.", failed: "Could not be read: {why}", silent: "the hub did not answer", close: "Close", copy: "Copy", copied: "Copied", language: "Language" },
  es: { more: "Más", none: "Nada aquí.", failed: "No se pudo leer: {why}", silent: "el hub no respondió", close: "Cerrar", copy: "Copiar", copied: "Copiado", language: "Idioma" },
});

export function Field({ label, name, value, onInput, type = "text", ...rest }) {
  return html`<label class="field"><span>${label}</span>
    <input type=${type} name=${name} value=${value} onInput=${(event) => onInput(event.currentTarget.value)} ...${rest} /></label>`;
}

// Select is one of a few: options are [value, label].
export function Select({ label, name, value, onPick, options }) {
  return html`<label class="field"><span>${label}</span>
    <select name=${name} value=${value} onChange=${(event) => onPick(event.currentTarget.value)}>
      ${options.map(([id, word]) => html`<option key=${id} value=${id} selected=${id === value}>${word}</option>`)}
    </select></label>`;
}

export function Languages() {
  const chosen = useStore((s) => s.locale);
  return html`<select class="languages" aria-label=${t("language")} value=${chosen} onChange=${(event) => chooseLocale(event.currentTarget.value)}>
    ${locales.map(([id, word]) => html`<option key=${id} value=${id} selected=${id === chosen}>${word}</option>`)}
  </select>`;
}

// Badge says how something is, with a colour that says it too: good, warn, bad or plain.
export function Badge({ kind = "plain", children, ...rest }) {
  return html`<span class=${"badge " + kind} ...${rest}>${children}</span>`;
}

// When is an instant as people here read it.
export function When({ at }) {
  if (!at) return html`<span>–</span>`;
  const date = new Date(at);
  return html`<time datetime=${at}>${new Intl.DateTimeFormat(locale(), { dateStyle: "short", timeStyle: "medium" }).format(date)}</time>`;
}

// Dialog stands before the view; Escape closes it, and the focus goes back to where it was.
export function Dialog({ title, onClose, children, name }) {
  const box = useRef(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    return () => before?.focus?.();
  }, []);
  return html`
    <dialog class="dialog" ref=${box} data-dialog=${name} aria-label=${title} onCancel=${(event) => { event.preventDefault(); onClose(); }}>
      <header><h2>${title}</h2><${Button} kind="bare" data-do="dialog-close" aria-label=${t("close")} onPress=${onClose}>×<//></header>
      ${children}
    </dialog>`;
}

// Told is a secret or a line that is shown once, to be copied.
export function Told({ label, text, name }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false); // it can still be selected
    }
  };
  return html`<div class="told"><span>${label}</span><code data-told=${name}>${text}</code>
    <button type="button" class="act" onClick=${copy}>${copied ? t("copied") : t("copy")}</button></div>`;
}

const soonest = 500;

// usePages reads a list page by page, anew whenever what is asked for changes: load(cursor) gives {items, next} or
// {error}. With live, the first page is read again when the hub tells of changes, at most once in a while.
export function usePages(load, wanted, { live = false } = {}) {
  const news = useStore((s) => (live ? s.news : 0));
  const [list, setList] = useState({ items: null, next: "", error: "", total: 0 });
  const serial = useRef(0);
  const took = useRef(0); // milliseconds of the last reading
  const read = async (cursor, before) => {
    const mine = ++serial.current;
    const began = performance.now();
    const said = await load(cursor);
    took.current = performance.now() - began;
    if (mine !== serial.current) return; // something else is wanted by now
    if (said.error !== undefined) setList((old) => ({ ...old, items: old.items ?? [], error: said.error || t("silent") }));
    else setList({ items: [...before, ...said.items], next: said.next ?? "", error: "", total: said.total });
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
      if (!document.hidden) read("", []);
    }, Math.max(soonest, 4 * took.current)); // a large fleet always has news: most of the time nobody reads
  }, [news]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useListener(document, "visibilitychange", () => live && !document.hidden && !grown.current && read("", []));
  const more = () => {
    grown.current = true;
    return read(list.next, list.items);
  };
  return { ...list, more, again: () => read("", []) };
}

// Pages are what usePages has read, drawn by children(items).
export function Pages({ list, children }) {
  return html`
    ${list.error && html`<p class="bad" role="alert">${t("failed", { why: list.error })}</p>`}
    ${list.items && (list.items.length ? children(list.items) : html`<p class="why" data-none="1">${t("none")}</p>`)}
    ${list.next && html`<p class="more"><${Button} kind="plain" data-do="more" onPress=${list.more}>${t("more")}<//></p>`}`;
}
