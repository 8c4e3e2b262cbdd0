// One page for one field of the first start or the settings.
import { html, useState } from "../html.js";
import { Button } from "../ui.js";
import { ChoiceList, TextField } from "./fields.js";
import { Frame } from "./frame.js";
import { NewPin } from "./pin.js";
import { choicesOf, fits, network } from "./settings.js";
import { t } from "./words.js";

// Editor asks for a field and gives its value to onDone. back is the button on the left, doneText what stands on the
// right one.
export function Editor(props) {
  const { field, settings, error, onDone, progress, back, doneText } = props;
  if (field === "pin") {
    return html`<${NewPin} step="pin" title=${t("pin")} hint=${t("pinHint")} error=${error} onChosen=${onDone}
      progress=${progress} back=${back} done="next" doneText=${doneText} />`;
  }
  const Field = field === "printer" ? PrinterEditor : choicesOf(field, settings) ? ChoiceEditor : TextEditor;
  return html`<${Field} ...${props} />`;
}

function TextEditor({ field, value, onInput, onDone, error, ...frame }) {
  const done = () => onDone(value);
  return html`<${EditorFrame} ...${frame} step=${field} title=${t(field)} ready=${fits(field, value)} onDone=${done}>
    <${TextField} field=${field} value=${value} onInput=${onInput} onEnter=${done} error=${error} />
  <//>`;
}

function ChoiceEditor({ field, settings, value, onInput, onDone, error, ...frame }) {
  return html`<${EditorFrame} ...${frame} step=${field} title=${t(field)} ready onDone=${() => onDone(value)}>
    <${ChoiceList} field=${field} choices=${choicesOf(field, settings)} value=${value} onChoose=${onInput} error=${error} />
  <//>`;
}

// PrinterEditor is a choice whose last one leads to an address.
function PrinterEditor(props) {
  const { settings, value, onInput, onDone } = props;
  const [typing, setTyping] = useState(false);
  if (typing || !choicesOf("printer", settings).some((c) => c.id === value)) {
    const back = () => {
      setTyping(false);
      onInput(network.id);
    };
    return html`<${NetworkPrinter} ...${props} onBack=${back} />`;
  }
  const done = (chosen) => (chosen === network.id ? setTyping(true) : onDone(chosen));
  return html`<${ChoiceEditor} ...${props} onDone=${done} />`;
}

// NetworkPrinter asks where the printer is. Who names no kind of connection means the usual one.
function NetworkPrinter({ value, onInput, onDone, onBack, error, progress, doneText }) {
  const [address, setAddress] = useState(value === network.id ? "" : value.replace(/^tcp:\/\//, ""));
  const type = (text) => {
    setAddress(text);
    onInput(value); // takes away what is said of the last address
  };
  const ready = fits("network", address);
  const done = () => ready && onDone(/:\/\//.test(address) ? address.trim() : `tcp://${address.trim()}`);
  const back = html`<${Button} data-do="back" onPress=${onBack}>${t("back")}<//>`;
  return html`<${EditorFrame} step="printer" title=${t("network")} progress=${progress} back=${back} doneText=${doneText} ready=${ready} onDone=${done}>
    <${TextField} field="network" value=${address} onInput=${type} onEnter=${done} error=${error} />
  <//>`;
}

function EditorFrame({ step, title, progress, back, ready, onDone, doneText, children }) {
  const footer = html`${back}<${Button} kind="primary" data-do="next" disabled=${!ready} onPress=${onDone}>${doneText}<//>`;
  return html`<${Frame} step=${step} title=${title} progress=${progress} footer=${footer}>${children}<//>`;
}
