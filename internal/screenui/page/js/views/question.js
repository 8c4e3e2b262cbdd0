// One question at a time. The service says which; what is typed lives here
// until it is sent.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { useMore } from "../more.js";
import { useStore } from "../feed.js";
import { Button } from "../ui.js";
import { Keypad } from "../keypad.js";
import { Keyboard } from "../keyboard.js";
import { useFresh } from "../fresh.js";
import { Confirm } from "../question/confirm.js";
import { keep, keyOf, recall, tidy } from "../question/draft.js";
import { Field, Masked, press } from "../question/entry.js";
import { useKeys } from "../question/keys.js";
import { kindOf } from "../question/kinds.js";
import { Buttons, List, focusOption, step as stepTo } from "../question/options.js";
import { useAnswering } from "../question/send.js";
import { buttonText, complaint, prompt, t } from "../question/words.js";

export function Question() {
  const shown = useStore((state) => state.question);
  useEffect(() => tidy, []);
  if (!shown) return null;
  return html`<${Asked} key=${keyOf(shown)} shown=${shown} />`;
}

function Asked({ shown }) {
  const { question, parameters } = shown;
  const kind = kindOf(question);
  const root = useRef(null);
  const [entry, setEntry] = useEntry(shown, kind);
  const [step, setStep] = useState("input");
  const answering = useAnswering(shown, answerOf(question, kind, entry), {
    complete: entry.raw || !isEmpty(entry) && (kind.complete?.(entry.typed) ?? true),
    wait: kind.wait ?? 0,
  });

  // submit gives the answer, or shows it once more before.
  const submit = async (value) => {
    if (!parameters.confirmAnswer || step === "confirm") {
      if (await answering.give(value) === false) setStep("input");
    } else if (await answering.ask(value)) {
      setStep("confirm");
    }
  };
  useFresh(step);
  const frame = (children) => html`<section class="question" data-view="question" data-type=${question.type} data-input=${kind.input}
    data-step=${step} data-busy=${answering.busy ? "" : undefined} ref=${root}>${children}</section>`;

  const fault = complaint(question, answering.reason);
  const button = buttonText(parameters.buttonText, "confirm");
  if (step === "confirm") {
    return frame(html`<${Confirm} question=${question} text=${textOf(question, kind, entry)} fault=${fault} button=${button} root=${root}
      confirm=${() => submit()} correct=${() => !answering.busy && setStep("input")} />`);
  }
  const change = (next) => !answering.busy && setEntry(next);
  const Input = kind.input === "list" || kind.input === "buttons" ? Choosing : Typing;
  return frame(html`<${Input} ...${{ shown, kind, entry, change, answering, submit, root, fault, button }} />`);
}

// An entry is {typed, raw} or {option}; raw is a default value that is nothing
// of its kind: shown as it is, and gone with the first key.
function useEntry(shown, kind) {
  const key = keyOf(shown);
  const [entry, setEntry] = useState(() => recall(key) ?? firstEntry(shown.question, kind));
  const change = (next) => {
    keep(key, next);
    setEntry(next);
  };
  return [entry, change];
}

function firstEntry({ defaultValue, options }, kind) {
  if (!kind.start) return { option: options?.find((o) => o.value === defaultValue)?.id ?? null };
  if (!defaultValue) return { typed: "" };
  const typed = kind.start(defaultValue);
  return typed === null ? { typed: defaultValue, raw: true } : { typed };
}

function isEmpty(entry) {
  return "typed" in entry ? entry.typed === "" : entry.option === null;
}

function chosenOption({ options }, { option }) {
  return options?.find((o) => o.id === option) ?? null;
}

function answerOf(question, kind, entry) {
  if (!("typed" in entry)) return chosenOption(question, entry)?.value ?? "";
  return entry.raw ? entry.typed : kind.answer(entry.typed);
}

function textOf(question, kind, entry) {
  if (!("typed" in entry)) return chosenOption(question, entry)?.name ?? "";
  const { lead = "", done } = entry.raw || entry.typed === "" ? { done: entry.typed } : kind.show(entry.typed);
  return lead + done;
}

// Head is what is asked, and how far the form has come.
function Head({ shown }) {
  const { question, index, count } = shown;
  const text = prompt(question);
  const more = useMore();
  const size = text.length > 140 ? "small" : text.length > 60 ? "medium" : "large";
  return html`<header class="q-head">
    ${count > 1 ? html`<div class="q-progress" data-progress=${`${index + 1}/${count}`}>
      <span>${t("progress", { n: index + 1, of: count })}</span>
      <progress max=${count} value=${index + 1} aria-hidden="true"></progress>
    </div>` : null}
    <h1 ref=${more} class="q-prompt" id="q-prompt" data-size=${size} tabindex="-1"><span>${text}</span>${" "}
      ${question.required ? null : html`<small>${t("optional")}</small>`}</h1>
  </header>`;
}

// Fault has its room before it has words, so that nothing moves when they come.
function Fault({ question, text }) {
  const isLong = Math.max(text.length, question.errorMessage?.length ?? 0) > 60;
  return html`<p class="q-fault" id="q-fault" role="alert" data-fault data-long=${isLong ? "" : undefined}>${text}</p>`;
}

function Foot({ shown, confirm, cancel, label, disabled, skip }) {
  const { showCancelButton, buttonCancelText } = shown.parameters;
  if (!showCancelButton && !confirm && !skip) return null;
  return html`<footer class="q-foot">
    ${confirm && html`<${Button} kind="primary" data-do="confirm" disabled=${disabled} onPress=${confirm}>${label}<//>`}
    ${skip && html`<${Button} kind="plain" data-do="skip" onPress=${skip}>${t("skip")}<//>`}
    ${showCancelButton && html`<${Button} kind="plain" data-do="cancel" onPress=${cancel}>${buttonText(buttonCancelText, "cancel")}<//>`}
  </footer>`;
}

// Typing is every kind that is typed, on a pad, a keyboard or in a field.
function Typing({ shown, kind, entry, change, answering, submit, root, fault, button }) {
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
      return press(field.current, key);
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
  useKeys(root, {
    enter: () => { confirm(); },
    escape: () => (parameters.showCancelButton ? void answering.cancel() : false),
    character: isText ? toField : (c) => onKey(c),
    back: isText ? toField : () => onKey("back"),
    paste: isText ? toField : paste,
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

// Choosing is a list or buttons.
function Choosing({ shown, kind, entry, change, answering, submit, root, fault, button }) {
  const { question, parameters } = shown;
  const options = question.options ?? [];
  const group = useRef(null);
  const isList = kind.input === "list";
  const optional = !question.required;
  useFocus(root, group, entry.option);

  const choose = (option) => {
    change({ option: option?.id ?? null });
    if (!isList) return submit(option.value);
  };
  const skip = () => {
    change({ option: null });
    return submit("");
  };
  const confirm = () => (entry.option === null && !optional ? answering.complain("required") : submit());
  useKeys(root, {
    enter: (_, event) => {
      const row = event.target instanceof Element && event.target.closest("[role=radio]");
      if (row && row.getAttribute("aria-checked") !== "true") return false; // the browser presses it
      if (!isList) return false;
      confirm();
    },
    escape: () => (parameters.showCancelButton ? void answering.cancel() : false),
    back: () => {
      if (!isList || !optional) return false;
      change({ option: null });
      root.current.querySelector(".q-prompt").focus(); // Enter confirms, and presses no row
    },
    move: (where) => {
      const index = stepTo(group.current, where);
      focusOption(group.current, index);
      if (isList && options[index]) change({ option: options[index].id });
    },
  });

  const Offer = isList ? List : Buttons;
  return html`<div class="q-top">
    <${Head} shown=${shown} />
    <${Fault} question=${question} text=${fault} />
  </div>
  <${Offer} options=${options} chosen=${entry.option} optional=${optional} choose=${choose} entry=${group} />
  <${Foot} shown=${shown} label=${button} confirm=${isList && confirm} disabled=${entry.option === null && !optional}
    skip=${!isList && optional && skip} cancel=${answering.cancel} />`;
}

// useFocus puts the focus where the answer begins, unless somebody is typing
// elsewhere on the page. It does so before the question can be seen: the first
// arrow moves the focus already, and it must not be taken back.
function useFocus(root, target, option) {
  useLayoutEffect(() => {
    const at = document.activeElement;
    if (at && !root.current.contains(at) && at.closest("input, textarea, select")) return;
    const chosen = target.current?.querySelector?.(`[data-option="${option}"]`);
    const node = chosen ?? (target.current?.matches("[data-entry]") ? target.current : root.current.querySelector(".q-prompt"));
    node?.focus({ preventScroll: true });
    if (node instanceof HTMLInputElement) {
      node.setSelectionRange(node.value.length, node.value.length);
      node.scrollLeft = node.scrollWidth;
    }
  }, []);
}
