// The door of the settings: the operator's PIN, or, where none was chosen yet, a new one.
import { html, useState, useEffect } from "../html.js";
import { post } from "../feed.js";
import { Button, Page } from "../ui.js";
import { t, complaint } from "./words.js";
import { PinPad, useNewPin } from "./fields.js";

export function Unlock({ pinSet, onOpen, onClose }) {
  return pinSet ? html`<${TypePin} onOpen=${onOpen} onClose=${onClose} />` : html`<${ChoosePin} onOpen=${onOpen} onClose=${onClose} />`;
}

function frame(title, enter, ready, onClose, doneText, body) {
  const footer = html`<${Button} data-do="close" onPress=${onClose}>${t("close")}<//>
    <${Button} kind="primary" data-do="pin-ok" disabled=${!ready} onPress=${enter}>${doneText}<//>`;
  return html`<${Page} className="setup" data-view="setup" data-step="unlock" title=${title} footer=${footer}>${body}<//>`;
}

function TypePin({ onOpen, onClose }) {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState("");
  const [wait, setWait] = useState(0);
  useEffect(() => {
    if (!wait) return undefined;
    const tick = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(tick);
  }, [wait]);
  const enter = async () => {
    if (typed.length < 4 || wait) return;
    const answer = await post("/settings/unlock", { pin: typed });
    setTyped("");
    if (answer.ok) return onOpen();
    if (answer.status === 429) setWait(answer.data?.seconds ?? 30);
    setError(answer.status === 422 ? t("wrongPin") : answer.status === 429 ? "" : complaint(answer));
  };
  const said = wait ? t("wait", { n: wait }) : error;
  return frame(t("settings"), enter, typed.length >= 4 && !wait, onClose, t("next"),
    html`<${PinPad} value=${typed} hint=${t("unlock")} error=${said} disabled=${wait > 0} onEnter=${enter}
      onInput=${(value) => { setTyped(value); setError(""); }} />`);
}

function ChoosePin({ onOpen, onClose }) {
  const [error, setError] = useState("");
  const chosen = async (pin) => {
    const answer = await post("/settings/pin", { pin });
    if (answer.ok) return onOpen();
    setError(complaint(answer));
  };
  const pin = useNewPin({ onChosen: chosen, hint: t("choosePinText"), error });
  return frame(t("choosePin"), pin.enter, pin.ready, onClose, t("next"), pin.body);
}
