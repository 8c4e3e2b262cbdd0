// How values read. Amounts are decimal strings and stay strings: no float ever touches money.
import { locale } from "./i18n.js";

const decimal = /^([+-]?)0*(\d+)(?:\.(\d*))?$/;

// money reads "1234.5" as "R$ 1.234,50". A tenth of a cent stays, as fuel is sold: "R$ 5,899"; more
// decimals than any price has come from a caller's floats, and are rounded to cents.
export function money(value) {
  const parts = read(value, 2);
  if (!parts) return String(value);
  const [sign, whole, fraction] = parts;
  return `${sign}R$\u00a0${thousands(whole)},${fraction.padEnd(2, "0")}`;
}

// quantity reads "2.000" as "2" and "0.350" as "0,35".
export function quantity(value) {
  const parts = read(value, 3);
  if (!parts) return String(value);
  const [sign, whole, fraction] = parts;
  return sign + thousands(whole) + (fraction ? `,${fraction}` : "");
}

const finest = 4; // decimals a price or a weight may have

// read splits a decimal into sign, whole and fraction without trailing zeros; a fraction of more
// than the finest decimals is rounded to so many places.
function read(value, places) {
  const parts = decimal.exec(String(value ?? "0"));
  if (!parts) return null;
  let [, sign, whole, fraction = ""] = parts;
  fraction = fraction.replace(/0+$/, "");
  if (fraction.length > finest) {
    const up = fraction[places] >= "5" ? 1n : 0n;
    const digits = String(BigInt(whole + fraction.slice(0, places)) + up).padStart(places + 1, "0");
    whole = digits.slice(0, -places);
    fraction = digits.slice(-places).replace(/0+$/, "");
  }
  return [sign === "-" && /[1-9]/.test(whole + fraction) ? "\u2212" : "", whole, fraction];
}

// isZero tells whether a decimal string is zero or absent.
export function isZero(value) {
  return value === null || value === undefined || !/[1-9]/.test(String(value));
}

// thousands puts a dot before every third digit.
export function thousands(whole) {
  return whole.replace(/\B(?=(\d{3})+$)/g, ".");
}

// document punctuates a CPF (11 digits) or a CNPJ (14 digits or letters); anything else stays as it is.
export function document(value) {
  const bare = String(value ?? "").replace(/[.\-/\s]/g, "").toUpperCase();
  if (/^\d{11}$/.test(bare)) return bare.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4");
  if (/^[0-9A-Z]{12}\d{2}$/.test(bare)) return bare.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5");
  return String(value ?? "");
}

const two = (n) => String(n).padStart(2, "0");

// clock reads a date as "14:05".
export function clock(date) {
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

// exactTime reads an instant as "14:05:09.042".
export function exactTime(stamp) {
  const at = new Date(stamp);
  if (Number.isNaN(at.getTime())) return "";
  return `${clock(at)}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

// minutes reads seconds as "04:59".
export function minutes(seconds) {
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

// day reads a date as "domingo, 15 de novembro".
export function day(date) {
  return new Intl.DateTimeFormat(locale(), { weekday: "long", day: "numeric", month: "long" }).format(date);
}
