// What each type of question is to the page: which keys it offers, how what was
// typed looks, and what is sent. Only the service refuses an answer.
//
// A kind has
//   input     "keypad", "keyboard", "text" (a field with the keyboard under it), "list" or "buttons"
//   layout    of the keyboard; extra: the keypad's key at the bottom left
//   start     what a default value or a paste is in typed characters; null when it is nothing of the kind
//   add       typed characters and one more; the same when there is no room or it does not belong (not for "text")
//   show      {lead, done, rest}: what is typed as it reads, between what is pale
//   answer    what is sent
//   complete  whether it is worth asking the service yet, and wait: how long to wait before
//   fits      whether there is room for the text (for "text")
//
// Typed characters are without the mask: the digits of a CPF, the cents of an amount.

import { locale } from "../i18n.js";
import { fill, unfill, places, isDigits, bare, cents, amount } from "./masks.js";

const cpf = "###.###.###-##";
const cnpj = "##.###.###/####-##";
const mobile = "(##) #####-####";
const landline = "(##) ####-####";

const isDigit = (c) => c.length === 1 && c >= "0" && c <= "9";
const addDigit = (size) => (typed, c) => (isDigit(c) && typed.length < size ? typed + c : typed);
const count = (text) => Array.from(text).length;

// digitsOf is a kind of as many digits as its mask has places.
function digitsOf(mask, { separators = "", hint, answer = (typed) => typed, start } = {}) {
  const size = places(mask);
  return {
    input: "keypad",
    wait: 200,
    start: start ?? ((text) => within(bare(text, separators), size, isDigits)),
    add: addDigit(size),
    show: (typed) => fill(mask, typed, typeof hint === "function" ? hint() : hint),
    answer,
    complete: (typed) => typed.length >= size,
  };
}

function within(text, size, test) {
  return text.length <= size && test(text) ? text : null;
}

function number({ mask, minLength, maxLength }) {
  if (mask) {
    const kind = digitsOf(mask);
    return {
      ...kind,
      start: (text) => unfill(mask, text) ?? kind.start(text),
      complete: (typed) => typed.length >= Math.max(minLength, 1),
      wait: 500,
    };
  }
  return {
    input: "keypad",
    wait: 500,
    start: (text) => within(text.trim(), maxLength, isDigits),
    add: addDigit(maxLength),
    show: (typed) => ({ done: typed, rest: "" }),
    answer: (typed) => typed,
    complete: (typed) => typed.length >= Math.max(minLength, 1),
  };
}

function phone({ maxLength }) {
  const size = Math.min(11, Math.max(maxLength, 10));
  const mask = (typed) => (typed.length > 10 || typed[2] === "9" && size > 10 ? mobile : landline);
  return {
    ...digitsOf(mobile),
    start: (text) => within(bare(text, "()-.").replace(/^\+55/, ""), size, isDigits),
    add: addDigit(size),
    show: (typed) => fill(mask(typed), typed),
    complete: (typed) => typed.length >= places(mask(typed)),
  };
}

// Letters are wider than digits: size says for how many there must be room.
const showCNPJ = (typed) => ({ ...fill(cnpj, typed, "AA.AAA.AAA/AAAA-00"), size: 20 });

// The check digits of a CNPJ are digits; what comes before may be letters.
function addToCNPJ(typed, c) {
  const upper = c.toUpperCase();
  if (typed.length >= 14 || !/^[0-9A-Z]$/.test(upper)) return typed;
  return typed.length >= 12 && !isDigit(upper) ? typed : typed + upper;
}

function startOfCNPJ(text) {
  const typed = bare(text, ".-/").toUpperCase();
  return /^[0-9A-Z]{1,12}$|^[0-9A-Z]{12}[0-9]{1,2}$/.test(typed) ? typed : null;
}

const company = {
  input: "keyboard",
  layout: "cnpj",
  wait: 200,
  start: startOfCNPJ,
  add: addToCNPJ,
  show: showCNPJ,
  answer: (typed) => typed,
  complete: (typed) => typed.length >= 14,
};

// Up to eleven digits are on the way to a CPF; a letter or one more make it a CNPJ.
function personOrCompany({ maxLength }) {
  const onlyCPF = maxLength < 14;
  const isPerson = (typed) => onlyCPF || /^[0-9]{0,11}$/.test(typed);
  return {
    ...company,
    input: "keypad",
    layout: onlyCPF ? undefined : "document",
    start: onlyCPF ? (text) => within(bare(text, ".-/"), 11, isDigits) : startOfCNPJ,
    add: onlyCPF ? addDigit(11) : addToCNPJ,
    show: (typed) => (isPerson(typed) ? fill(cpf, typed) : showCNPJ(typed)),
    complete: (typed) => typed.length === 11 && isPerson(typed) || typed.length >= 14,
  };
}

const dateMask = "##/##/####";
const asMasked = (mask) => (typed) => fill(mask, typed).done;

function date() {
  return digitsOf(dateMask, {
    hint: () => (locale() === "en" ? "dd/mm/yyyy" : "dd/mm/aaaa"),
    answer: asMasked(dateMask),
    start: (text) => {
      const iso = /^\s*(\d{4})-(\d{2})-(\d{2})\s*$/.exec(text);
      return iso ? iso[3] + iso[2] + iso[1] : unfill(dateMask, text.trim());
    },
  });
}

function time() {
  return digitsOf("##:##", {
    hint: "hh:mm",
    answer: asMasked("##:##"),
    start: (text) => {
      const clock = /^\s*(\d{1,2}):?(\d{2})\s*$/.exec(text);
      return clock && (clock[1].length === 2 || text.includes(":")) ? clock[1].padStart(2, "0") + clock[2] : null;
    },
  });
}

const mostCents = 15; // beyond all that is ever paid, and still readable

// An amount fills from the right. Zero is an amount too, so it counts as typed.
function moneyOf({ maxLength }) {
  const size = Math.min(mostCents, Math.max(maxLength - 1, 3)); // the canonical form has a dot
  return {
    input: "keypad",
    extra: "00",
    wait: 500,
    start: (text) => {
      const digits = cents(text.trim());
      return digits !== null && digits.length <= size ? digits : null;
    },
    add: (typed, c) => {
      if (!/^0{1,2}$/.test(c) && !isDigit(c)) return typed;
      const digits = (typed + c).replace(/^0+(?=\d)/, "");
      return digits.length <= size ? digits : typed;
    },
    show: (typed) => {
      const whole = "R$\u00a0" + amount(typed);
      const pale = typed === "0" ? 0 : typed.length < 3 ? whole.length - typed.length : 0;
      return { lead: whole.slice(0, pale), done: whole.slice(pale), rest: "" };
    },
    answer: (typed) => (typed === "" ? "" : amount(typed)),
    complete: () => true,
  };
}

// text is typed in a field of its own, where the browser moves the caret. The
// length counts characters, as the service does.
function text({ minLength, maxLength, regex }, layout = "text") {
  return {
    input: "text",
    layout,
    wait: regex ? 900 : 600,
    start: (given) => given,
    show: (typed) => ({ done: typed, rest: "" }),
    answer: (typed) => typed,
    complete: layout === "email"
      ? (typed) => /^[^@]+@[^@]+\.[^@.]{2,}$/.test(typed.trim())
      : (typed) => count(typed) >= Math.max(minLength, 1),
    fits: (typed) => count(typed) <= maxLength,
  };
}

// A mask makes text of digits; what is sent is what it looks like.
function maskedText({ mask }) {
  const kind = digitsOf(mask, { answer: asMasked(mask) });
  return { ...kind, start: (given) => unfill(mask, given) ?? kind.start(given) };
}

const kinds = {
  TEXT: (q) => (q.mask ? maskedText(q) : text(q)),
  REGEX: (q) => (q.mask ? maskedText(q) : text(q)),
  EMAIL: (q) => text(q, "email"),
  NUMBER: number,
  PHONE: phone,
  CPF: () => digitsOf(cpf, { separators: ".-/" }),
  CNPJ: () => company,
  CPFORCNPJ: personOrCompany,
  CEP: () => digitsOf("#####-###", { separators: ".-" }),
  DATE: date,
  TIME: time,
  MONEY: moneyOf,
  LIST: () => ({ input: "list" }),
  BUTTON: () => ({ input: "buttons" }),
};

export function kindOf(question) {
  return (kinds[question.type] ?? kinds.TEXT)(question);
}
