// Masks: how characters typed one after the other read. In a mask # is a place
// for one character and all else stands for itself.
import { thousands } from "../format.js";

export function places(mask) {
  return Array.from(mask).filter((c) => c === "#").length;
}

// blank shows the places as 0, or as _ in a mask that has digits of its own.
function blank(mask) {
  return mask.replaceAll("#", /[0-9]/.test(mask) ? "_" : "0");
}

// fill returns what the typed characters look like so far, and the rest of the
// mask as the hint has it, which is as long as the mask.
export function fill(mask, typed, hint = blank(mask)) {
  const shape = Array.from(mask);
  const pale = Array.from(hint);
  const characters = Array.from(typed);
  let next = 0;
  let end = 0; // behind the last character typed
  const done = shape.map((c, i) => {
    if (c !== "#") return c;
    if (next < characters.length) end = i + 1;
    return characters[next++] ?? "";
  });
  if (characters.length >= next && next > 0) end = shape.length; // full: what closes the mask belongs to it
  const more = characters.slice(next).join("");
  return { done: done.slice(0, end).join("") + more, rest: pale.slice(end).join("") };
}

// unfill returns the characters in the mask's places, or null where the text is
// not as the mask writes it.
export function unfill(mask, text) {
  const shape = Array.from(mask);
  const got = Array.from(text);
  if (shape.length !== got.length) return null;
  let typed = "";
  for (let i = 0; i < shape.length; i++) {
    if (shape[i] === "#") {
      if (!isDigits(got[i])) return null;
      typed += got[i];
    } else if (shape[i] !== got[i]) {
      return null;
    }
  }
  return typed;
}

export function isDigits(text) {
  return /^[0-9]+$/.test(text);
}

// bare takes away what people put between the characters of a document.
export function bare(text, separators) {
  return Array.from(text).filter((c) => c !== " " && c !== "\u00a0" && !separators.includes(c)).join("");
}

const grouped = /^([1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/;
const decimal = /^(\d+)\.(\d{1,2})$/;

// cents returns the digits of an amount in cents, or null where the text is none.
export function cents(text) {
  const amount = text.replace(/^R\$/, "").trim();
  const parts = grouped.exec(amount) ?? decimal.exec(amount);
  if (!parts) return null;
  const digits = parts[1].replaceAll(".", "") + (parts[2] ?? "").padEnd(2, "0");
  return digits.replace(/^0+(?=\d)/, "");
}

// amount writes cents the Brazilian way: 123456 is 1.234,56.
export function amount(digits) {
  const padded = digits.padStart(3, "0");
  return thousands(padded.slice(0, -2)) + "," + padded.slice(-2);
}
