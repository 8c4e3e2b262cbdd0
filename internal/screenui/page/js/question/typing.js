// A question that is typed, on a pad, a keyboard or in a field.
import { useListener } from "../hooks.js";
import { html, useRef, useState } from "../html.js";
import { Keyboard, typeInto } from "../keyboard.js";
import { Keypad } from "../keypad.js";
import { isForScreen, useKeys } from "../keys.js";
import { Field, Masked } from "./field.js";
import { isEmpty } from "./entry.js";
import { Fault, Foot, Head, useFocus } from "./parts.js";
import { prompt, t } from "./words.js";

export function Typing({ shown, kind, entry, change, answering, submit, root, fault, button }) {
  const { question, parameters } = shown;
  const field = useRef(null);
  const [letters, setLetters] = useState(kind.input !== "keypad" || /[A-Z]/.test(entry.typed));
  const isText = kind.input === "text";
  const start = entry.raw ? "" : entry.typed;
  useFocus(root, field);

  const confirm = async () => {
    if (isEmpty(entry) && question.required) return answering.complain("required");
    await submit();
    field.current?.focus({ preventScroll: true });
  };
  const onKey = (key) => {
    if (key === "enter") return confirm();
    if (key === "letters" || key === "digits") return setLetters(key === "letters");
    if (isText) {
      field.current.focus({ preventScroll: true });
      return typeInto(field.current, key);
    }
    if (key === "clear") return change({ typed: "" });
    change({ typed: key === "back" ? start.slice(0, -1) : kind.add(start, key) });
  };
  const paste = (text) => {
    const whole = kind.start(text.trim());
    change({ typed: whole !== null && kind.complete(whole) ? whole : Array.from(text).reduce(kind.add, start) });
  };
  // A key that is meant for the field finds it, wherever the focus was.
  const toField = (_, event) => {
    if (event.target !== field.current) field.current?.focus();
    return false;
  };
  const back = isText ? toField : () => onKey("back");
  useKeys({
    Enter: () => void confirm(),
    Escape: parameters.showCancelButton ? answering.cancel : null,
    Backspace: back,
    Delete: back,
    character: isText ? toField : (c) => onKey(c),
  }, root);
  useListener(window, "paste", (event) => {
    const text = event.clipboardData?.getData("text/plain");
    if (!text || !isForScreen(event, root)) return;
    if (isText) return void toField("", event);
    event.preventDefault();
    paste(text);
  });

  const label = prompt(question);
  const look = entry.raw ? { done: entry.typed, rest: "" } : !isText && kind.show(entry.typed);
  const state = { label, entry: field, fine: answering.fine && !isEmpty(entry), invalid: fault !== "" };
  const pad = kind.input === "keypad" && !letters ? "keypad" : "keyboard";
  return html`<div class="q-top">
    <${Head} shown=${shown} />
    ${isText
      ? html`<${Field} ...${state} value=${entry.typed} fits=${kind.fits} change=${(typed) => change({ typed })} />`
      : html`<${Masked} ...${state} look=${look} />`}
    <${Fault} question=${question} text=${fault} />
  </div>
  <${Foot} shown=${shown} label=${button} confirm=${confirm} disabled=${isEmpty(entry) && question.required} cancel=${answering.cancel} />
  <div class="q-pad" data-pad=${pad} onMouseDown=${(event) => event.preventDefault()}>
    ${pad === "keypad"
      ? html`<${Keypad} onKey=${onKey} extra=${kind.layout ? { label: t("letters"), value: "letters" } : kind.extra} />`
      : html`<${Keyboard} layout=${kind.layout} onKey=${onKey} noEnter=${isEmpty(entry) && question.required} />`}
  </div>`;
}
