// An on-screen keyboard for terminals that have none of their own. It only says
// which key was pressed: what is typed belongs to whoever shows it. typeInto is
// for those who show it in a field.
//
// onKey gets the character (" " for space), "back" or "enter". Each key has a
// data-key that does not change with shift: "a", "7", "shift", "space", "digits".

import { useHold } from "./hooks.js";
import { html, useState } from "./html.js";
import { words } from "./i18n.js";
import { layouts } from "./layouts.js";

const t = words({
  "pt-BR": {
    keyboard: "Teclado", shift: "Maiúsculas", back: "Apagar", space: "espaço", enter: "Confirmar",
    digits: "Números e sinais", letters: "Letras", accents: "Acentos", signs: "Mais sinais",
  },
  en: {
    keyboard: "Keyboard", shift: "Capitals", back: "Delete", space: "space", enter: "Confirm",
    digits: "Digits and signs", letters: "Letters", accents: "Accents", signs: "More signs",
  },
  es: {
    keyboard: "Teclado", shift: "Mayúsculas", back: "Borrar", space: "espacio", enter: "Confirmar",
    digits: "Números y signos", letters: "Letras", accents: "Acentos", signs: "Más signos",
  },
});

const pictures = {
  shift: "M12 4 4 12h4.5v7h7v-7H20z",
  back: "M9 5h12v14H9l-6-7zM12 9.5l5 5m0-5-5 5",
  enter: "M20 5v7H5m5-5-5 5 5 5",
};
const layers = new Set(["letters", "digits", "accents", "signs"]);
const repeatAfter = 450;
const repeatEvery = 70;

// Keyboard draws the layout, at first its layer of letters or another one; noEnter puts Enter out of use where there
// is nothing to confirm.
export function Keyboard({ onKey, layout = "text", layer: first = "letters", noEnter = false }) {
  const [layer, setLayer] = useState(first);
  const [upper, setUpper] = useState("off"); // off | once | lock
  const hold = useHold(() => onKey("back"), repeatAfter, repeatEvery);

  const press = (key) => {
    if (layers.has(key)) return layouts[layout][key] ? setLayer(key) : onKey(key);
    if (key === "shift") return setUpper({ off: "once", once: "lock", lock: "off" }[upper]);
    if (key === "back" || key === "enter") return onKey(key);
    onKey(key === "space" ? " " : cased(key, upper));
    if (upper === "once") setUpper("off");
    if (layer === "accents") setLayer("letters");
  };

  return html`<div class="keyboard" data-layout=${layout} data-layer=${layer} role="group" aria-label=${t("keyboard")} onMouseDown=${keepFocus}>
    ${layouts[layout][layer].map((keys, r) => html`<div class="keyboard-row" key=${layer + r}>
      ${keys.map((k, i) => typeof k === "number"
        ? html`<i key=${i} style=${{ flexGrow: k }}></i>`
        : html`<${Key} key=${i} of=${k} upper=${upper} press=${press} hold=${hold} disabled=${noEnter && k.key === "enter"} />`)}
    </div>`)}
  </div>`;
}

function cased(key, upper) {
  return upper === "off" ? key : key.toLocaleUpperCase("pt-BR");
}

function Key({ of, upper, press, hold, disabled }) {
  const { key, width = 1, label } = typeof of === "string" ? { key: of } : of;
  const named = key.length > 1;
  const picture = pictures[key];
  // Whoever speaks to the page says what stands on the key.
  const spoken = !named ? undefined : label && !picture ? `${label} ${t(key)}` : t(key);
  // Letters count when the finger comes down, so that fast typing loses none;
  // Enter when it leaves, or the click would fall on what comes next.
  const onDown = (event) => {
    if (disabled || key === "enter" || event.button > 0) return;
    press(key);
    if (key === "back") hold.start();
  };
  const onClick = (event) => {
    if (!disabled && (key === "enter" || event.detail === 0)) press(key);
  };
  const text = named ? label ?? (key === "space" ? t("space") : key) : cased(key, upper);
  return html`<button type="button" class=${named ? "kb-key named" : "kb-key"} data-key=${key.toLowerCase()} tabindex="-1"
    style=${{ flexGrow: width }} disabled=${disabled} aria-label=${spoken}
    aria-pressed=${key === "shift" ? String(upper !== "off") : undefined} data-lock=${key === "shift" && upper === "lock" ? "" : undefined}
    onPointerDown=${onDown} onClick=${onClick}
    onPointerUp=${hold.stop} onPointerLeave=${hold.stop} onPointerCancel=${hold.stop}
    onContextMenu=${(event) => event.preventDefault()}>
    ${picture ? html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${picture} /></svg>` : text}
  </button>`;
}

// The caret stays in the field that is being typed into, also when the key
// that was pressed is gone with its layer.
function keepFocus(event) {
  event.preventDefault();
}

// typeInto does to a field what a key says: a character, or "back".
export function typeInto(field, key) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  if (key !== "back") {
    field.setRangeText(key, start, end, "end");
  } else if (start !== end) {
    field.setRangeText("", start, end, "end");
  } else {
    const last = Array.from(value.slice(0, start)).at(-1) ?? ""; // a character may be two code units
    field.setRangeText("", start - last.length, start, "end");
  }
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (field.selectionEnd === field.value.length) field.scrollLeft = field.scrollWidth;
}
