// The numeric pad.
import { useHold } from "./hooks.js";
import { html } from "./html.js";
import { Icon } from "./ui.js";
import { words } from "./i18n.js";

const t = words({
  "pt-BR": { back: "Apagar", clear: "Limpar", pad: "Teclado numérico" },
  en: { back: "Delete", clear: "Clear", pad: "Number pad" },
  es: { back: "Borrar", clear: "Limpiar", pad: "Teclado numérico" },
});

const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const longPress = 600;

// Keypad calls onKey with "0".."9", "back", "clear" or the extra key's value. The bottom left key is extra (a
// text, or {label, value}), or "clear". Holding "back" clears.
export function Keypad({ onKey, extra, disabled }) {
  const corner = extra === undefined ? { label: "C", value: "clear", name: t("clear") }
    : typeof extra === "string" ? { label: extra, value: extra } : extra;
  const key = (value, label, name) => html`<${Key} key=${value} value=${value} label=${label} name=${name} onKey=${onKey} disabled=${disabled} />`;
  return html`<div class="keypad" role="group" aria-label=${t("pad")}>
    ${digits.map((digit) => key(digit, digit))}
    ${key(corner.value, corner.label, corner.name)}
    ${key("0", "0")}
    ${key("back", html`<${Icon} name="erase" />`, t("back"))}
  </div>`;
}

// Key answers when the finger lands, as a real key does; a click without a pointer is the keyboard's.
function Key({ value, label, name, onKey, disabled }) {
  const hold = useHold(() => onKey("clear"), longPress);
  const down = (event) => {
    if (event.button !== 0) return;
    event.preventDefault(); // the field that is being typed into keeps the focus
    onKey(value);
    if (value === "back") hold.start();
  };
  return html`<button type="button" class="key" data-key=${value} aria-label=${name} disabled=${disabled}
    onPointerDown=${down} onPointerUp=${hold.stop} onPointerLeave=${hold.stop} onPointerCancel=${hold.stop}
    onMouseDown=${(event) => event.preventDefault()}
    onClick=${(event) => event.detail === 0 && onKey(value)}>${label}</button>`;
}
