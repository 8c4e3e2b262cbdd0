// What the views are made of.
import { drawQR } from "./api.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { locale, words } from "./i18n.js";
import { chooseLocale, locales } from "./locale.js";
import { useStore } from "./store.js";
import { Button } from "./ui.js";
import { why } from "./why.js";

const t = words({
  "pt-BR": { close: "Fechar", cancel: "Cancelar", copy: "Copiar", copied: "Copiado", language: "Idioma", failed: "Não foi feito: {why}" },
  en: { close: "Close", cancel: "Cancel", copy: "Copy", copied: "Copied", language: "Language", failed: "Not done: {why}" },
  es: { close: "Cerrar", cancel: "Cancelar", copy: "Copiar", copied: "Copiado", language: "Idioma", failed: "No se hizo: {why}" },
});

export function Field({ label, name, value, onInput, type = "text", ...rest }) {
  return html`<label class="field"><span>${label}</span>
    <input type=${type} name=${name} value=${value} onInput=${(event) => onInput(event.currentTarget.value)} ...${rest} /></label>`;
}

// CodeField takes a code of the second factor, as telephones show it.
export function CodeField({ autofocus, ...rest }) {
  const box = useRef(null);
  useEffect(() => {
    if (autofocus) box.current.querySelector("input").focus();
  }, []);
  return html`<div ref=${box}><${Field} ...${rest} inputmode="numeric" autocomplete="one-time-code" maxlength="7" /></div>`;
}

const pause = 250;

// SearchField tells what was typed once the typing has paused: the hub need not look for every letter.
export function SearchField({ value, onInput, ...rest }) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const timer = useRef(0);
  const tell = (typed) => {
    clearTimeout(timer.current);
    told.current = typed.trim();
    onInput(told.current);
  };
  useEffect(() => {
    if (value !== told.current) setText(told.current = value); // somebody else has changed it
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (typed) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => tell(typed), pause);
  };
  return html`<${Field} ...${rest} type="search" enterkeyhint="search" value=${text} onInput=${type} onKeyDown=${(event) => event.key === "Enter" && tell(event.currentTarget.value)} />`;
}

// Select is one of a few: options are [value, label], or {group, options} of them.
export function Select({ label, name, value, onPick, options }) {
  return html`<label class="field"><span>${label}</span>
    <select name=${name} value=${value} onChange=${(event) => onPick(event.currentTarget.value)}>
      ${options.map((one) => (one.group ? html`<optgroup key=${one.group} label=${one.group}>${one.options.map(([id, word]) => html`<${Option} id=${id} word=${word} value=${value} />`)}</optgroup>`
        : html`<${Option} id=${one[0]} word=${one[1]} value=${value} />`))}
    </select></label>`;
}

function Option({ id, word, value }) {
  return html`<option value=${id} selected=${id === value}>${word}</option>`;
}

// Chips are one of a few, all in sight: options are [value, label, count].
export function Chips({ label, name, value, onPick, options }) {
  return html`<div class="chips" role="group" aria-label=${label}>
    ${options.map(([id, word, count]) => html`<button type="button" key=${id} class=${"chip" + (count === 0 ? " empty" : "")} data-chip=${`${name}-${id}`} aria-pressed=${id === value}
      onClick=${() => onPick(id)}>${word}${count === undefined ? null : html` <b>${count}</b>`}</button>`)}
  </div>`;
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
  return html`<time datetime=${at}>${moment(at)}</time>`;
}

export function moment(at) {
  if (Number.isNaN(Date.parse(at))) return at; // what is no date is shown as it is
  return new Intl.DateTimeFormat(locale(), { dateStyle: "short", timeStyle: "medium" }).format(new Date(at));
}

// Facts are names and what stands beside them: items are [name, value]; what is empty is left out.
export function Facts({ items, ...rest }) {
  return html`<dl class="facts" ...${rest}>${items.filter(([, value]) => value).map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

// Dialog stands before the view; Escape closes it, and the focus goes back to where it was.
export function Dialog({ title, onClose, children, name }) {
  const box = useRef(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    box.current.querySelector("[autofocus], form input, form select, form button")?.focus(); // rather than what closes it
    return () => before?.focus?.();
  }, []);
  return html`
    <dialog class="dialog" ref=${box} data-dialog=${name} aria-label=${title} onCancel=${(event) => { event.preventDefault(); onClose(); }}>
      <header><h2>${title}</h2><${Button} kind="bare" data-do="dialog-close" aria-label=${t("close")} onPress=${onClose}>×<//></header>
      ${children}
    </dialog>`;
}

// Asking is a dialog that does something: send() gives {error, status} where it was not done, and says itself what comes then. Enter sends.
export function Asking({ title, name, onClose, send, children, act, does, ready = true }) {
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    if (busy || !ready) return;
    setBusy(true);
    const said = await send();
    setBusy(false);
    setError(said.error === undefined ? "" : t("failed", { why: why(said) }));
  };
  return html`
    <${Dialog} title=${title} name=${name} onClose=${onClose}>
      <form class="asking" onSubmit=${submit}>
        ${children}
        <p class="bad" role="alert">${error}</p>
        <div class="acts"><${Button} kind="plain" onPress=${onClose}>${t("cancel")}<//><${Button} kind="primary" type="submit" data-do=${does} disabled=${busy || !ready}>${act}<//></div>
      </form>
    <//>`;
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

// QR is a picture of a text; nothing until it is drawn.
export function QR({ text, alt }) {
  const [picture, setPicture] = useState("");
  useEffect(() => {
    let drawn = "";
    let ended = false;
    drawQR(text).then((address) => {
      drawn = address;
      if (ended) URL.revokeObjectURL(address);
      else setPicture(address);
    });
    return () => {
      ended = true;
      if (drawn) URL.revokeObjectURL(drawn);
    };
  }, [text]);
  return picture && html`<img class="qr" src=${picture} alt=${alt} />`;
}
