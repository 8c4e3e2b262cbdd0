// The operator's PIN: typed to open the settings, or chosen.
import { html, useEffect, useRef, useState } from "../html.js";
import { post } from "../http.js";
import { Keypad } from "../keypad.js";
import { useKeys } from "../keys.js";
import { Button } from "../ui.js";
import { Frame } from "./frame.js";
import { complaint, t } from "./words.js";

const shortest = 4;
const longest = 8;

// Unlock asks for the PIN, or, where none was chosen yet, for a new one.
export function Unlock({ pinSet, onOpen, onClose }) {
  const close = html`<${Button} data-do="close" onPress=${onClose}>${t("close")}<//>`;
  return pinSet ? html`<${TypePin} onOpen=${onOpen} back=${close} />` : html`<${ChoosePin} onOpen=${onOpen} back=${close} />`;
}

function TypePin({ onOpen, back }) {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState("");
  const [wait, setWait] = useState(0); // seconds until the next PIN may be tried
  useEffect(() => {
    if (!wait) return undefined;
    const tick = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(tick);
  }, [wait]);
  const type = (value) => {
    setTyped(value);
    setError("");
  };
  const enter = async () => {
    if (typed.length < shortest || wait) return;
    const answer = await post("/settings/unlock", { pin: typed });
    setTyped("");
    if (answer.ok) return onOpen();
    if (answer.status === 429) return setWait(answer.data?.seconds ?? 30);
    setError(answer.status === 422 ? t("wrongPin") : complaint(answer));
  };
  return html`<${PinPage} step="unlock" title=${t("settings")} hint=${t("unlock")} value=${typed} error=${wait ? t("wait", { n: wait }) : error}
    disabled=${wait > 0} onInput=${type} onEnter=${enter} back=${back} done="pin-ok" doneText=${t("next")} />`;
}

function ChoosePin({ onOpen, back }) {
  const [error, setError] = useState("");
  const chosen = async (pin) => {
    const answer = await post("/settings/pin", { pin });
    if (answer.ok) return onOpen();
    setError(complaint(answer));
  };
  return html`<${NewPin} step="unlock" title=${t("choosePin")} hint=${t("choosePinText")} error=${error} onChosen=${chosen}
    back=${back} done="pin-ok" doneText=${t("next")} />`;
}

// NewPin asks for a PIN twice: one typed wrong would lock the shop out of its own terminal.
export function NewPin({ hint, error, onChosen, ...page }) {
  const [first, setFirst] = useState(null);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const type = (value) => {
    setTyped(value);
    setProblem("");
  };
  const enter = () => {
    if (typed.length < shortest) return setProblem(t("bad.pin"));
    type("");
    if (first === null) return setFirst(typed);
    setFirst(null);
    if (typed !== first) return setProblem(t("pinDiffers"));
    return onChosen(typed);
  };
  return html`<${PinPage} ...${page} hint=${first === null ? hint : t("pinAgain")} error=${problem || error} value=${typed}
    onInput=${type} onEnter=${enter} />`;
}

// PinPage shows how many digits were typed, never which.
function PinPage({ step, title, progress, hint, value, error, disabled, onInput, onEnter, back, done, doneText }) {
  const pad = useRef(null);
  const press = (key) => {
    if (disabled) return;
    if (key === "back") onInput(value.slice(0, -1));
    else if (key === "clear") onInput("");
    else if (value.length < longest) onInput(value + key);
  };
  useKeys({
    character: (key) => /^\d$/.test(key) && press(key),
    Backspace: () => press("back"),
    Enter: onEnter,
  }, pad);
  const footer = html`${back}
    <${Button} kind="primary" data-do=${done} disabled=${disabled || value.length < shortest} onPress=${onEnter}>${doneText}<//>`;
  return html`<${Frame} step=${step} title=${title} progress=${progress} footer=${footer}>
    <div class="setup-pin" ref=${pad}>
      <div class="setup-pin-said">
        <p class="setup-hint">${hint}</p>
        <p class="setup-dots" role="status" aria-label=${t("pinTyped", { n: value.length })} data-typed=${value.length}>
          ${Array.from({ length: Math.max(shortest, value.length) }, (_, i) => html`<span key=${i} class=${i < value.length ? "on" : ""} />`)}
        </p>
        <p class="setup-error" role="alert">${error}</p>
      </div>
      <${Keypad} onKey=${press} disabled=${disabled} />
    </div>
  <//>`;
}
