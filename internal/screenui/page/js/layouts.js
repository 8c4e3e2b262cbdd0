// The layouts of the on-screen keyboard.

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

// A layout has a layer of letters, and others that its keys lead to.
export const layouts = {
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
  // Beside a keypad: "digits", which leads to no layer here, goes to onKey and brings the keypad back.
  document: {
    letters: [
      row("1234567890"),
      row("QWERTYUIOP"),
      [...row("ASDFGHJKL"), wide("digits", 1, "123")],
      [...row("ZXCVBNM"), wide("back", 1.5), wide("enter", 1.5)],
    ],
  },
};
