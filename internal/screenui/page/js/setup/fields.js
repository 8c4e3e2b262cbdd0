// The inputs of the first start and the settings: a line of text, a choice, a PIN. One at a time fits any screen.
import { html, useState, useLayoutEffect, useRef } from "../html.js";
import { Button } from "../ui.js";
import { Keypad } from "../keypad.js";
import { Keyboard } from "../keyboard.js";
import { t, named } from "./words.js";

const longest = { user: 64, password: 256, name: 40, network: 260 };

// TextField is typed into by either keyboard: its own on the screen, or a real one.
export function TextField({ field, value, onInput, onEnter, error }) {
  const input = useRef(null);
  const [bare, setBare] = useState(false);
  const secret = field === "password";
  // Before it can be seen: what is typed into it at once counts.
  useLayoutEffect(() => input.current.focus({ preventScroll: true }), []);
  const type = (key) => {
    const box = input.current;
    if (key === "enter") return onEnter();
    box.focus({ preventScroll: true });
    const { selectionStart: from, selectionEnd: to } = box;
    if (key === "back") box.setRangeText("", from === to ? Math.max(0, from - step(box.value, from)) : from, to, "end");
    else if (box.value.length < longest[field]) box.setRangeText(key, from, to, "end");
    onInput(box.value);
  };
  return html`<div class="setup-text">
    <label class="setup-field">
      <${Said} hint=${t(`${field}Hint`)} error=${error} />
      <span class="setup-line">
        <input ref=${input} data-field=${field} type=${secret && !bare ? "password" : "text"} value=${value} maxlength=${longest[field]}
          inputmode="none" autocomplete="off" autocapitalize="off" autocorrect=${false} spellcheck="false" aria-label=${t(field)} aria-invalid=${Boolean(error)}
          onInput=${(event) => onInput(event.target.value)} onKeyDown=${(event) => event.key === "Enter" && !event.isComposing && onEnter()} />
        ${secret ? html`<${Button} kind="bare" data-do="reveal" onMouseDown=${(event) => event.preventDefault()} onPress=${() => setBare(!bare)}>${bare ? t("hide") : t("show")}<//>` : null}
      </span>
    </label>
    <${Keyboard} onKey=${type} layout="text" layer=${field === "network" ? "digits" : "letters"} />
  </div>`;
}

// Said is one line for the hint and what is wrong: a small screen has room for one of them.
function Said({ hint, error }) {
  return html`<span class=${error ? "setup-error" : "setup-hint"} role=${error ? "alert" : undefined}>${error || hint}</span>`;
}

// step is how many code units the last character takes.
function step(text, at) {
  return [...text.slice(0, at)].pop()?.length ?? 0;
}

// ChoiceList is a list of which one is chosen; arrows move as in any list of radio buttons.
export function ChoiceList({ field, choices, value, onChoose, error }) {
  const list = useRef(null);
  const move = (event) => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = (choices.findIndex((c) => c.id === value) + by + choices.length) % choices.length;
    onChoose(choices[at].id);
    list.current.children[at].focus();
  };
  return html`<div class="setup-choice">
    <p class="setup-hint">${t(`${field}Hint`) === `${field}Hint` ? "" : t(`${field}Hint`)}</p>
    <div class="setup-options" role="radiogroup" aria-label=${t(field)} ref=${list} onKeyDown=${move}>
      ${choices.map((choice) => html`<button type="button" key=${choice.id} class="setup-option" role="radio" aria-checked=${choice.id === value}
        tabindex=${choice.id === value ? 0 : -1} data-do=${`${field}-${choice.id}`} onClick=${() => onChoose(choice.id)}>
        <span class="setup-dot" aria-hidden="true" /><span>${named(field, choice)}</span>
      </button>`)}
    </div>
    <p class="setup-error" role="alert">${error}</p>
  </div>`;
}

// PinPad shows how many digits were typed, never which.
export function PinPad({ value, onInput, onEnter, hint, error, disabled }) {
  const root = useRef(null);
  const press = (key) => {
    if (disabled) return;
    if (key === "back") onInput(value.slice(0, -1));
    else if (key === "clear") onInput("");
    else if (value.length < 8) onInput(value + key);
  };
  const latest = useRef(null);
  latest.current = { press, onEnter };
  useLayoutEffect(() => {
    const down = (event) => {
      // While a sale or a question lies over the settings, keys are theirs.
      if (!root.current?.offsetParent || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.closest?.("input, textarea, select, .side")) return;
      if (/^\d$/.test(event.key)) latest.current.press(event.key);
      else if (event.key === "Backspace") latest.current.press("back");
      else if (event.key === "Enter" && !event.target.closest?.("button")) latest.current.onEnter?.();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, []);
  return html`<div class="setup-pin" ref=${root}>
    <div class="setup-pin-said">
      <p class="setup-hint">${hint}</p>
      <p class="setup-dots" role="status" aria-label=${t("pinTyped", { n: value.length })} data-typed=${value.length}>
        ${Array.from({ length: Math.max(4, value.length) }, (_, i) => html`<span key=${i} class=${i < value.length ? "on" : ""} />`)}
      </p>
      <p class="setup-error" role="alert">${error}</p>
    </div>
    <${Keypad} onKey=${press} disabled=${disabled} />
  </div>`;
}

// useNewPin asks for a PIN twice: one typed wrong would lock the shop out of its own terminal.
export function useNewPin({ onChosen, hint, error }) {
  const [first, setFirst] = useState(null);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const enter = () => {
    if (typed.length < 4) return setProblem(t("bad.pin"));
    setProblem("");
    setTyped("");
    if (first === null) return setFirst(typed);
    setFirst(null);
    if (typed !== first) return setProblem(t("pinDiffers"));
    onChosen(typed);
  };
  return {
    body: html`<${PinPad} value=${typed} hint=${first === null ? hint : t("pinAgain")} error=${problem || error} onEnter=${enter}
      onInput=${(value) => { setTyped(value); setProblem(""); }} />`,
    ready: typed.length >= 4,
    enter,
  };
}
