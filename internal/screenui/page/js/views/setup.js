// The first start. One thing is asked at a time, so that it fits the smallest terminal and its keyboard.
import { html, useState } from "../html.js";
import { post } from "../http.js";
import { Editor } from "../setup/editor.js";
import { Frame, Loading } from "../setup/frame.js";
import { choicesOf, fits, useSettings, valueText } from "../setup/settings.js";
import { complaint, t } from "../setup/words.js";
import { getState } from "../store.js";
import { Button } from "../ui.js";

const fields = ["user", "password", "name", "printer", "acquirer", "pin"];

// stepsOf are the pages of a first start; what is decided already is not asked.
function stepsOf(settings, pinSet) {
  const asked = fields.filter((field) =>
    !settings.fixed.includes(field) && (choicesOf(field, settings)?.length ?? 2) > 1 && (field !== "pin" || !pinSet));
  return ["welcome", ...asked, "done"];
}

// Setup is asked once: the service remembers that it was answered, or left for later.
export function Setup() {
  const [settings, reload] = useSettings(true);
  const [answers, setAnswers] = useState({});
  const [at, setAt] = useState(0);
  const [error, setError] = useState("");
  if (!settings) return html`<${Loading} />`;

  const steps = stepsOf(settings, getState().setup.pin);
  const step = steps[at];
  const value = answers[step] ?? settings[step] ?? "";
  const set = (answer) => {
    setError("");
    setAnswers({ ...answers, [step]: answer });
  };
  const go = (to) => {
    setError("");
    setAt(to);
  };
  const next = (answer) => {
    if (!fits(step, answer)) return setError(t(`bad.${step}`));
    set(answer);
    setAt(at + 1);
  };
  const send = async (body) => {
    const answer = await post("/settings/first", body);
    if (answer.ok || answer.status === 409) return; // the service tells that it is set up, and this goes
    const wrong = steps.indexOf(answer.data?.field);
    if (wrong > 0) setAt(wrong);
    setError(complaint(answer));
  };
  const finish = () => {
    const body = { ...answers };
    for (const field of steps.slice(1, -1)) body[field] ??= settings[field];
    return send(body);
  };
  const speak = async (id) => {
    const answer = await post("/settings", { locale: id });
    if (answer.ok) reload();
  };

  if (step === "welcome") {
    const footer = html`<${Button} data-do="later" onPress=${() => send({ later: true })}>${t("later")}<//>
      <${Button} kind="primary" data-do="next" onPress=${() => go(1)}>${t("begin")}<//>`;
    return html`<${Frame} key=${step} step=${step} footer=${footer}><${Welcome} settings=${settings} onSpeak=${speak} error=${error} /><//>`;
  }
  const progress = { n: at, of: steps.length - 1 };
  const back = html`<${Button} data-do="back" onPress=${() => go(at - 1)}>${t("back")}<//>`;
  if (step === "done") {
    const footer = html`${back}<${Button} kind="primary" data-do="finish" onPress=${finish}>${t("finish")}<//>`;
    return html`<${Frame} key=${step} step=${step} title=${t("ready")} progress=${progress} footer=${footer}>
      <p class="setup-hint">${t("readyText")}</p>
      <${Summary} settings=${settings} answers=${answers} />
      <p class="setup-error" role="alert">${error}</p>
    <//>`;
  }
  return html`<${Editor} key=${step} field=${step} settings=${settings} value=${value} onInput=${set} onDone=${next} error=${error}
    progress=${progress} back=${back} doneText=${t("next")} />`;
}

function Welcome({ settings, onSpeak, error }) {
  return html`<div class="setup-welcome">
    <img src="/icon.svg" alt="" />
    <h1>${t("welcome")}</h1>
    <p>${t("welcomeText")}</p>
    ${settings.fixed.includes("locale") ? null : html`<div class="setup-languages" role="radiogroup" aria-label=${t("language")}>
      ${settings.locales.map((l) => html`<button type="button" key=${l.id} class="setup-language" role="radio" aria-checked=${l.id === settings.locale}
        data-do=${`locale-${l.id}`} onClick=${() => onSpeak(l.id)} lang=${l.id}>${l.label.replace(/ \(.*/, "")}</button>`)}
    </div>`}
    <p class="setup-error" role="alert">${error}</p>
  </div>`;
}

function Summary({ settings, answers }) {
  return html`<dl class="setup-summary">
    ${fields.map((field) => html`<div key=${field}><dt>${t(field)}</dt><dd>${valueText(field, answers[field] ?? settings[field], settings)}</dd></div>`)}
  </dl>`;
}
