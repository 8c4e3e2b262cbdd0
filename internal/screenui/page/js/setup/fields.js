// The inputs of the first start and the settings: a line of text, and a choice.
import { html, useState, useLayoutEffect, useRef } from "../html.js";
import { Keyboard, typeInto } from "../keyboard.js";
import { Button } from "../ui.js";
import { named, t } from "./words.js";

const longest = { user: 64, password: 256, name: 40, network: 260, otherColour: 7, hubAddress: 400, hubCode: 400, hubPin: 400 };

// TextField is typed into by either keyboard: its own on the screen, or a real one.
export function TextField({ field, value, onInput, onEnter, error }) {
  const input = useRef(null);
  const [bare, setBare] = useState(false);
  const secret = field === "password";
  // Before it can be seen: what is typed into it at once counts.
  useLayoutEffect(() => input.current.focus({ preventScroll: true }), []);
  const type = (key) => {
    if (key === "enter") return onEnter();
    input.current.focus({ preventScroll: true });
    if (key === "back" || value.length < longest[field]) typeInto(input.current, key);
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
    <${Keyboard} onKey=${type} layout="text" layer=${field === "network" || field === "otherColour" ? "digits" : "letters"} />
  </div>`;
}

// Said is one line for the hint and what is wrong: a small screen has room for one of them.
function Said({ hint, error }) {
  return html`<span class=${error ? "setup-error" : "setup-hint"} role=${error ? "alert" : undefined}>${error || hint}</span>`;
}

// ChoiceList has one choice marked; arrows move as in any list of radio buttons.
export function ChoiceList({ field, choices, value, hint, onChoose, error }) {
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
    <p class="setup-hint" role="status">${hint || (t.has(`${field}Hint`) ? t(`${field}Hint`) : "")}</p>
    <div class="setup-options" role="radiogroup" aria-label=${t(field)} ref=${list} onKeyDown=${move}>
      ${choices.map((choice) => html`<button type="button" key=${choice.id} class="setup-option" role="radio" aria-checked=${choice.id === value}
        tabindex=${choice.id === value ? 0 : -1} data-do=${`${field}-${choice.id}`} onClick=${() => onChoose(choice.id)}>
        <span class="setup-dot" aria-hidden="true" /><span>${named(field, choice)}</span>${field === "colour" && choice.id !== "other" ? html`<span class="setup-swatch" aria-hidden="true" style=${{ background: choice.id || "#0a6b4d" }} />` : null}
      </button>`)}
    </div>
    <p class="setup-error" role="alert">${error}</p>
  </div>`;
}
