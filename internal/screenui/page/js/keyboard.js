// An on-screen keyboard for terminals that have none of their own. It only says
// which key was pressed: what is typed belongs to whoever shows it.
//
// onKey gets the character (" " for space), "back" or "enter". Each key has a
// data-key that does not change with shift: "a", "7", "shift", "space", "digits".

import { html, useState, useEffect, useRef } from "./html.js";
import { words } from "./i18n.js";

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

// A key is a character, or {key, width, label}; a number is empty room of that
// width. A plain key is one wide, and ten fill a row.
const wide = (key, width, label) => ({ key, width, label });
const row = (characters) => Array.from(characters);
const shift = wide("shift", 1.5);
const back = wide("back", 1.5);
const enter = wide("enter", 2);
const toLetters = wide("letters", 1.5, "abc");
const toDigits = wide("digits", 1.5, "123");

const accents = [
  row("áàâãéêíóôõ"),
  row("úüçñäöèªº°"),
  [shift, 0.5, ...row("¿¡€§"), 0.5, wide("back", 2)],
  [toLetters, toDigits, wide("space", 5), enter],
];
const digits = [
  row("1234567890"),
  row("@#$%&*-+()"),
  [wide("signs", 1.5, "=\\<"), ...row("_!?\"':;"), back],
  [toLetters, ",", "/", wide("space", 3.5), ".", enter],
];
const signs = [
  row("[]{}<>\\|/="),
  row("~^`´¨°ºª€£"),
  [wide("digits", 1.5, "123"), ...row("§¬•¿¡«»"), back],
  [toLetters, ",", "/", wide("space", 3.5), ".", enter],
];

const layouts = {
  text: {
    letters: [
      row("qwertyuiop"),
      row("asdfghjklç"),
      [shift, ...row("zxcvbnm"), back],
      [toDigits, wide("accents", 1.5, "áêõ"), wide("space", 3.5), "-", ".", wide("enter", 1.5)],
    ],
    accents, digits, signs,
  },
  email: {
    letters: [
      row("qwertyuiop"),
      [0.5, ...row("asdfghjkl"), 0.5],
      [shift, ...row("zxcvbnm"), back],
      [toDigits, wide("@", 2), "_", "-", wide(".", 2), wide("enter", 2.5)],
    ],
    digits: [
      row("1234567890"),
      row("!#$%&'*+/="),
      [0.75, ...row("?^`{|}~"), 0.75, back],
      [toLetters, wide("@", 2), "_", "-", wide(".", 2), wide("enter", 2.5)],
    ],
  },
  cnpj: {
    letters: [
      row("1234567890"),
      row("QWERTYUIOP"),
      [0.5, ...row("ASDFGHJKL"), 0.5],
      [...row("ZXCVBNM"), wide("back", 1.5), wide("enter", 1.5)],
    ],
  },
  // For where a keypad is the usual thing: "digits" goes to onKey.
  document: {
    letters: [
      row("1234567890"),
      row("QWERTYUIOP"),
      [...row("ASDFGHJKL"), wide("digits", 1, "123")],
      [...row("ZXCVBNM"), wide("back", 1.5), wide("enter", 1.5)],
    ],
  },
  numeric: {
    letters: [row("123"), row("456"), row("789"), [wide("back", 1), "0", wide("enter", 1)]],
  },
};

const pictures = {
  shift: "M12 4 4 12h4.5v7h7v-7H20z",
  back: "M9 5h12v14H9l-6-7zM12 9.5l5 5m0-5-5 5",
  enter: "M20 5v7H5m5-5-5 5 5 5",
};
const layers = new Set(["letters", "digits", "accents", "signs"]);
const repeatAfter = 450;
const repeatEvery = 70;

// Keyboard draws the layout, at first its layer of letters or another one; disabled greys all of it, noEnter leaves Enter out
// of use where there is nothing to confirm.
export function Keyboard({ onKey, layout = "text", layer: first = "letters", disabled = false, noEnter = false }) {
  const [layer, setLayer] = useState(first);
  const [upper, setUpper] = useState("off"); // off | once | lock
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    setLayer(first);
    setUpper("off");
  }, [layout]);
  const repeat = useRepeat();

  const press = (key) => {
    if (layers.has(key)) return layouts[layout]?.[key] ? setLayer(key) : latest.current(key);
    if (key === "shift") return setUpper({ off: "once", once: "lock", lock: "off" }[upper]);
    if (key === "back" || key === "enter") return latest.current(key);
    latest.current(key === "space" ? " " : cased(key, upper));
    if (upper === "once") setUpper("off");
    if (layer === "accents") setLayer("letters");
  };

  const rows = layouts[layout]?.[layer] ?? layouts[layout]?.letters ?? layouts.text.letters;
  return html`<div class="keyboard" data-layout=${layout} data-layer=${layer} role="group" aria-label=${t("keyboard")} onMouseDown=${keepFocus}>
    ${rows.map((keys, r) => html`<div class="keyboard-row" key=${layer + r}>
      ${keys.map((k, i) => typeof k === "number"
        ? html`<i key=${i} style=${{ flexGrow: k }}></i>`
        : html`<${Key} key=${i} of=${k} upper=${upper} press=${press} repeat=${repeat}
            disabled=${disabled || (noEnter && k.key === "enter")} />`)}
    </div>`)}
  </div>`;
}

function cased(key, upper) {
  return upper === "off" ? key : key.toLocaleUpperCase("pt-BR");
}

function Key({ of, upper, press, repeat, disabled }) {
  const { key, width = 1, label } = typeof of === "string" ? { key: of } : of;
  const named = key.length > 1;
  const picture = pictures[key];
  const spoken = named ? t(key) : undefined;
  // Letters count when the finger comes down, so that fast typing loses none;
  // Enter when it leaves, or the click would fall on what comes next.
  const onDown = (event) => {
    if (disabled || key === "enter" || event.button > 0) return;
    press(key);
    if (key === "back") repeat.start(() => press(key));
  };
  const onClick = (event) => {
    if (!disabled && (key === "enter" || event.detail === 0)) press(key);
  };
  const text = named ? label ?? (key === "space" ? t("space") : key) : cased(key, upper);
  return html`<button type="button" class=${named ? "kb-key named" : "kb-key"} data-key=${key.toLowerCase()} tabindex="-1"
    style=${{ flexGrow: width }} disabled=${disabled} aria-label=${spoken}
    aria-pressed=${key === "shift" ? String(upper !== "off") : undefined} data-lock=${key === "shift" && upper === "lock" ? "" : undefined}
    onPointerDown=${onDown} onClick=${onClick}
    onPointerUp=${repeat.stop} onPointerLeave=${repeat.stop} onPointerCancel=${repeat.stop}
    onContextMenu=${(event) => event.preventDefault()}>
    ${picture ? html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${picture} /></svg>` : text}
  </button>`;
}

// The caret stays in the field that is being typed into, also when the key
// that was pressed is gone with its layer.
function keepFocus(event) {
  event.preventDefault();
}

// useRepeat presses a held key again and again.
function useRepeat() {
  const timer = useRef(0);
  const stop = () => clearTimeout(timer.current);
  const start = (action) => {
    stop();
    const again = () => {
      action();
      timer.current = setTimeout(again, repeatEvery);
    };
    timer.current = setTimeout(again, repeatAfter);
  };
  useEffect(() => stop, []);
  return { start, stop };
}
