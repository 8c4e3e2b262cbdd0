// Exact decimals over JSON, where JavaScript only has floats: text inside, numbers on the wire.

const number = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$/;

/** A number to be written as it is. */
class Raw {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/**
 * What an amount is on the wire; what is left out or null stays so.
 * @param {unknown} value
 * @param {string} name
 * @returns {any}
 */
export function decimal(value, name) {
  if (value === undefined || value === null) return value;
  if (typeof value === 'string' && number.test(value)) return new Raw(value);
  if (typeof value === 'number') {
    const text = String(value);
    const digits = text.replace(/^-?0*\.?0*|\./g, '');
    // Beyond 15 digits a float shows its rounding: 0.1 + 0.2 has 17.
    if (/^-?[0-9]+(\.[0-9]+)?$/.test(text) && digits.length <= 15) return new Raw(text);
  }
  throw new TypeError(`${name}: ${String(value)} não é um decimal exato; use texto, como "54.24"`);
}

/**
 * JSON with the exact numbers in it.
 * @param {unknown} value
 * @returns {string}
 */
export function encode(value) {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map((v) => encode(v)).join(',')}]`;
  if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    const members = Object.entries(value).filter(([, v]) => v !== undefined && typeof v !== 'function');
    return `{${members.map(([k, v]) => `${JSON.stringify(k)}:${encode(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

// Every string, so that digits inside are passed over, or a number.
const tokens = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;

/**
 * The same JSON with every number as text, digit for digit.
 * @param {string} text
 * @returns {any}
 */
export function exactly(text) {
  return JSON.parse(text.replace(tokens, (t) => (t[0] === '"' ? t : `"${t}"`)));
}

/** @type {typeof import('./index.d.ts').fromCents} */
export function fromCents(cents) {
  if (typeof cents === 'number' && !Number.isSafeInteger(cents)) throw new RangeError(`${cents} não é um número inteiro de centavos`);
  const negative = cents < 0;
  const digits = String(negative ? -cents : cents).padStart(3, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** @type {typeof import('./index.d.ts').toCents} */
export function toCents(value) {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]{0,2})0*)?$/.exec(value);
  const cents = parts ? Number(parts[2] + (parts[3] ?? '').padEnd(2, '0')) : NaN;
  if (!parts || !Number.isSafeInteger(cents)) throw new RangeError(`${value} não é um número inteiro de centavos`);
  return parts[1] && cents ? -cents : cents;
}

/**
 * Do two amounts have one value? "7.1" and "7.10" do.
 * @param {unknown} a
 * @param {unknown} b
 */
export function sameAmount(a, b) {
  const plain = (/** @type {unknown} */ v) => {
    const [whole, fraction = ''] = String(v).split('.');
    const rest = fraction.replace(/0+$/, '');
    return rest ? `${whole}.${rest}` : whole;
  };
  return plain(a) === plain(b);
}
