// The first start, and later the settings behind the operator's PIN. One thing is asked at a time, so that it fits
// the smallest terminal and its keyboard.
import { html, useState, useEffect } from "../html.js";
import { getState, post, useStore } from "../feed.js";
import { Button, Icon, Page } from "../ui.js";
import { t, named, complaint, fits } from "../setup/words.js";
import { TextField, ChoiceList, useNewPin } from "../setup/fields.js";
import { Unlock } from "../setup/unlock.js";

const lists = { locale: "locales", printer: "printers", acquirer: "acquirers", cardReceipt: "cardReceipts" };

// network stands for the printers that no list has: their address is typed.
const network = { id: "network" };

// choicesOf is what a field may be set to; undefined for one that is typed.
function choicesOf(field, known) {
  const listed = known[lists[field]];
  return field === "printer" ? [...listed, network] : listed;
}

// load is what may be seen of the settings; null while they are locked or nobody answers.
async function load() {
  try {
    const response = await fetch("/settings");
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

// useSettings keeps asking until the service answers: it may be starting anew.
function useSettings(open) {
  const [known, setKnown] = useState(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!open) return undefined;
    let gone = false;
    let again = 0;
    load().then((answer) => {
      if (gone) return;
      if (answer) setKnown(answer);
      else again = setTimeout(() => setTurn(turn + 1), 500);
    });
    return () => {
      gone = true;
      clearTimeout(again);
    };
  }, [open, turn]);
  return [known, () => setTurn((n) => n + 1), setKnown];
}

// stepsOf are the questions of a first start; what is decided already is not asked.
function stepsOf(known, pinSet) {
  const asked = ["user", "password", "name", "printer", "acquirer", "pin"].filter((field) =>
    !known.fixed.includes(field) && (choicesOf(field, known)?.length ?? 2) > 1 && (field !== "pin" || !pinSet));
  return ["welcome", ...asked, "done"];
}

// Setup is the first start. The service remembers that it was answered, or left for later, and never asks again.
export function Setup({ onClose }) {
  const [known, reload] = useSettings(true);
  const [answers, setAnswers] = useState({});
  const [at, setAt] = useState(0);
  const [error, setError] = useState("");
  if (!known) return html`<section class="page setup" data-view="setup" aria-busy="true" />`;

  const steps = stepsOf(known, getState().setup.pin);
  const step = steps[at];
  const value = answers[step] ?? known[step] ?? "";
  const set = (answer) => {
    setError("");
    setAnswers({ ...answers, [step]: answer });
  };
  const go = (to) => {
    setError("");
    setAt(to);
  };
  const next = (answer = value) => {
    if (!fits(step, answer)) return setError(t(`bad.${step}`));
    setAnswers({ ...answers, [step]: answer });
    go(at + 1);
  };
  const send = async (body) => {
    const answer = await post("/settings/first", body);
    if (answer.ok || answer.status === 409) return onClose?.();
    const wrong = steps.indexOf(answer.data?.field);
    if (wrong > 0) setAt(wrong);
    setError(complaint(answer));
  };
  const finish = () => {
    const { welcome, done, ...body } = { ...answers };
    for (const field of steps.slice(1, -1)) body[field] ??= known[field];
    return send(body);
  };
  const speak = async (id) => {
    const answer = await post("/settings", { locale: id });
    if (answer.ok) reload();
  };

  const later = html`<${Button} data-do="later" onPress=${() => send({ later: true })}>${t("later")}<//>`;
  const frame = (props, children) => html`<${Page} className="setup" data-view="setup" data-step=${step} key=${step} ...${props}>
    ${step === "welcome" ? null : html`<${Progress} n=${at} of=${steps.length - 1} />`}${children}<//>`;
  if (step === "welcome") {
    return frame({ footer: html`${later}<${Button} kind="primary" data-do="next" onPress=${() => go(1)}>${t("begin")}<//>` },
      html`<${Welcome} known=${known} onSpeak=${speak} error=${error} />`);
  }
  const back = html`<${Button} data-do="back" onPress=${() => go(at - 1)}>${t("back")}<//>`;
  if (step === "done") {
    return frame({ title: t("ready"), footer: html`${back}<${Button} kind="primary" data-do="finish" onPress=${finish}>${t("finish")}<//>` },
      html`<p class="setup-hint">${t("readyText")}</p><${Summary} known=${known} answers=${answers} /><p class="setup-error" role="alert">${error}</p>`);
  }
  return html`<${Editor} key=${step} frame=${frame} field=${step} known=${known} value=${value} onInput=${set} onDone=${next} back=${back} doneText=${t("next")} error=${error} />`;
}

function Welcome({ known, onSpeak, error }) {
  return html`<div class="setup-welcome">
    <img src="/icon.svg" alt="" />
    <h1>${t("welcome")}</h1>
    <p>${t("welcomeText")}</p>
    ${known.fixed.includes("locale") ? null : html`<div class="setup-languages" role="radiogroup" aria-label=${t("language")}>
      ${known.locales.map((l) => html`<button type="button" key=${l.id} class="setup-language" role="radio" aria-checked=${l.id === known.locale}
        data-do=${`locale-${l.id}`} onClick=${() => onSpeak(l.id)} lang=${l.id}>${l.label.replace(/ \(.*/, "")}</button>`)}
    </div>`}
    <p class="setup-error" role="alert">${error}</p>
  </div>`;
}

function Progress({ n, of }) {
  return html`<div class="setup-progress" role="progressbar" aria-valuemin="1" aria-valuemax=${of} aria-valuenow=${n} aria-label=${t("step", { n, of })}>
    <span style=${{ width: `${(100 * n) / of}%` }} />
  </div>`;
}

// Summary never says a secret, only that there is one.
function Summary({ known, answers }) {
  const said = { ...known, ...answers };
  return html`<dl class="setup-summary">
    ${["user", "password", "name", "printer", "acquirer", "pin"].map((field) => html`<div key=${field}><dt>${t(field)}</dt><dd>${spoken(field, said, known)}</dd></div>`)}
  </dl>`;
}

function spoken(field, said, known) {
  if (field === "password" || field === "pin") return t("secret");
  if (lists[field]) {
    const choice = choicesOf(field, known).find((c) => c.id === said[field]);
    return choice || !said[field] ? named(field, choice) : said[field]; // an address that was just typed
  }
  return said[field] || "—";
}

// Editor asks for one field. onDone gets its value.
function Editor({ frame, field, known, value, onInput, onDone, back, doneText, error }) {
  const pin = useNewPin({ onChosen: onDone, hint: t("pinHint"), error });
  const [typing, setTyping] = useState(false);
  const done = field === "pin" ? pin.enter : value === network.id && field === "printer" ? () => setTyping(true) : () => onDone(value);
  const ready = field === "pin" ? pin.ready : fits(field, value);
  if (field === "printer" && (typing || !choicesOf(field, known).some((c) => c.id === value))) {
    return html`<${NetworkPrinter} frame=${frame} value=${value} onInput=${onInput} onDone=${onDone} doneText=${doneText} error=${error}
      onBack=${() => { setTyping(false); onInput(network.id); }} />`;
  }
  const footer = html`${back}<${Button} kind="primary" data-do="next" disabled=${!ready} onPress=${done}>${doneText}<//>`;
  const body = field === "pin" ? pin.body
    : lists[field] ? html`<${ChoiceList} field=${field} choices=${choicesOf(field, known)} value=${value} onChoose=${onInput} error=${error} />`
    : html`<${TextField} field=${field} value=${value} onInput=${onInput} onEnter=${done} error=${error} />`;
  return frame({ title: t(field), footer }, body);
}

// NetworkPrinter asks where the printer is. Who names no kind of connection means the usual one.
function NetworkPrinter({ frame, value, onInput, onDone, onBack, doneText, error }) {
  const [address, setAddress] = useState(value === network.id ? "" : value.replace(/^tcp:\/\//, ""));
  const type = (text) => {
    setAddress(text);
    onInput(value); // whatever was wrong is being mended
  };
  const done = () => fits("network", address) && onDone(/:\/\//.test(address) ? address.trim() : `tcp://${address.trim()}`);
  const footer = html`<${Button} data-do="back" onPress=${onBack}>${t("back")}<//>
    <${Button} kind="primary" data-do="next" disabled=${!fits("network", address)} onPress=${done}>${doneText}<//>`;
  return frame({ title: t("network"), footer }, html`<${TextField} field="network" value=${address} onInput=${type} onEnter=${done} error=${error} />`);
}

const fields = ["user", "password", "name", "locale", "printer", "acquirer", "cardReceipt", "pin"];

// Settings opens with the PIN and closes with the door: leaving locks it again.
export function Settings({ onClose }) {
  const pinSet = useStore((s) => s.setup.pin);
  const [open, setOpen] = useState(false);
  const [known, reload, setKnown] = useSettings(open);
  const [field, setField] = useState(null);
  const [value, setValue] = useState("");
  const [error, setError] = useState("");
  const [saved, setSaved] = useState("");
  const leave = () => {
    post("/settings/lock");
    onClose();
  };
  if (!open) return html`<${Unlock} pinSet=${pinSet} onOpen=${() => setOpen(true)} onClose=${onClose} />`;
  if (!known) return html`<section class="page setup" data-view="setup" aria-busy="true" />`;

  const edit = (name) => {
    setField(name);
    setValue(name === "password" ? "" : known[name] ?? "");
    setError("");
    setSaved("");
  };
  const save = async (answer) => {
    if (!fits(field, answer)) return setError(t(`bad.${field}`));
    const got = await post("/settings", { [field]: answer });
    if (got.status === 403) {
      setKnown(null);
      setField(null);
      return setOpen(false); // it was left open too long, or the terminal has restarted
    }
    if (!got.ok) return setError(complaint(got));
    if (field !== "pin" && field !== "password") setKnown({ ...known, [field]: answer });
    setSaved(field);
    setField(null);
    if (!restarts(field)) reload();
  };
  const frame = (props, children) => html`<${Page} className="setup" data-view="setup" data-step=${field ?? "settings"} ...${props}>${children}<//>`;
  if (field) {
    const back = html`<${Button} data-do="back" onPress=${() => setField(null)}>${t("back")}<//>`;
    return html`<${Editor} key=${field} frame=${frame} field=${field} known=${known} value=${value} onInput=${(v) => { setError(""); setValue(v); }}
      onDone=${save} back=${back} doneText=${t("save")} error=${error} />`;
  }
  return frame({ title: t("settings"), footer: html`<${Button} kind="primary" data-do="close" onPress=${leave}>${t("close")}<//>` },
    html`<ul class="setup-list">${fields.map((name) => html`<${Row} key=${name} field=${name} known=${known} saved=${saved === name} onEdit=${() => edit(name)} />`)}</ul>`);
}

function restarts(field) {
  return field === "printer" || field === "acquirer";
}

function Row({ field, known, saved, onEdit }) {
  const fixed = known.fixed.includes(field);
  const alone = lists[field] && choicesOf(field, known).length < 2;
  const note = fixed ? t("fixed") : saved ? (restarts(field) ? t("restarts") : t("saved")) : "";
  return html`<li><button type="button" class="setup-row" data-do=${`edit-${field}`} disabled=${fixed || alone} onClick=${onEdit}>
    <span class="setup-row-name">${t(field)}</span>
    <span class="setup-row-value">${field === "locale" ? known.locales.find((l) => l.id === known.locale)?.label : spoken(field, known, known)}</span>
    ${note ? html`<span class="setup-row-note" role="status">${saved ? html`<${Icon} name="check" />` : html`<${Icon} name="lock" />`}${note}</span>` : null}
  </button></li>`;
}
