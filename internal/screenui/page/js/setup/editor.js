// One page for one field of the first start or the settings.
import { html, useState } from "../html.js";
import { Button } from "../ui.js";
import { ChoiceList, TextField } from "./fields.js";
import { Frame } from "./frame.js";
import { NewPin } from "./pin.js";
import { useFound } from "./printers.js";
import { choicesOf, fits, typed } from "./settings.js";
import { t } from "./words.js";

// Editor asks for a field and gives its value to onDone. back is the button on the left, doneText what stands on the
// right one.
export function Editor(props) {
  const { field, settings, error, onDone, progress, back, doneText } = props;
  if (field === "pin") {
    return html`<${NewPin} step="pin" title=${t("pin")} hint=${t("pinHint")} error=${error} onChosen=${onDone}
      progress=${progress} back=${back} done="next" doneText=${doneText} />`;
  }
  const Field = typed[field] ? TypedEditor : choicesOf(field, settings) ? ChoiceEditor : TextEditor;
  return html`<${Field} ...${props} />`;
}

function TextEditor({ field, value, onInput, onDone, error, ...frame }) {
  const done = () => onDone(value);
  return html`<${EditorFrame} ...${frame} step=${field} title=${t(field)} ready=${fits(field, value)} onDone=${done}>
    <${TextField} field=${field} value=${value} onInput=${onInput} onEnter=${done} error=${error} />
  <//>`;
}

function ChoiceEditor({ field, settings, value, onInput, onDone, error, hint, ...frame }) {
  return html`<${EditorFrame} ...${frame} step=${field} title=${t(field)} ready onDone=${() => onDone(value)}>
    <${ChoiceList} field=${field} choices=${choicesOf(field, settings)} value=${value} hint=${hint} onChoose=${onInput} error=${error} />
  <//>`;
}

// TypedEditor is a choice whose last one leads to something to type.
function TypedEditor(props) {
  const { field, value, onInput, onDone } = props;
  const [typing, setTyping] = useState(false);
  const [settings, hint] = useFound(field, props.settings);
  const other = typed[field].id;
  if (typing || !choicesOf(field, settings).some((c) => c.id === value)) {
    const back = () => {
      setTyping(false);
      onInput(other);
    };
    return html`<${TypedValue} ...${props} onBack=${back} />`;
  }
  const done = (chosen) => (chosen === other ? setTyping(true) : onDone(chosen));
  return html`<${ChoiceEditor} ...${props} settings=${settings} hint=${hint} onDone=${done} />`;
}

// TypedValue asks for what no list has. Who leaves out how it begins means the usual.
function TypedValue({ field, value, onInput, onDone, onBack, error, progress, doneText }) {
  const { id, step, shown, meant } = typed[field];
  const [text, setText] = useState(value === id ? "" : shown(value));
  const type = (changed) => {
    setText(changed);
    onInput(value); // takes away what is said of the last one
  };
  const ready = fits(step, text);
  const done = () => ready && onDone(meant(text.trim()));
  const back = html`<${Button} data-do="back" onPress=${onBack}>${t("back")}<//>`;
  return html`<${EditorFrame} step=${field} title=${t(step)} progress=${progress} back=${back} doneText=${doneText} ready=${ready} onDone=${done}>
    <${TextField} field=${step} value=${text} onInput=${type} onEnter=${done} error=${error} />
  <//>`;
}

function EditorFrame({ step, title, progress, back, ready, onDone, doneText, children }) {
  const footer = html`${back}<${Button} kind="primary" data-do="next" disabled=${!ready} onPress=${onDone}>${doneText}<//>`;
  return html`<${Frame} step=${step} title=${title} progress=${progress} footer=${footer}>${children}<//>`;
}
