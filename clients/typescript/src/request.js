import { withoutPermission } from './browser.js';
import { MaquininhaError, failure, is } from './errors.js';

/**
 * @typedef {object} Call
 * @property {string} method
 * @property {string} path
 * @property {Record<string, unknown>} [query]
 * @property {BodyInit} [body]
 * @property {string} [type] of the body
 * @property {boolean} [held] a person or a printer takes the time it takes
 * @property {boolean} [once] not to be repeated, whatever the answer
 * @property {boolean} [stoppable] harmless to ask again of a terminal that has restarted
 * @property {(answer: Response) => void} [seen] is shown the answer before it is read
 * @property {AbortSignal} [signal]
 */

export const firstPause = 250;
export const longestPause = 2000;

/**
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function wait(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Sends requests, with their time limits, and tells what went wrong. */
export class Sender {
  /**
   * @param {string} address
   * @param {string} user
   * @param {string} password
   * @param {{timeout: number, busyPatience: number, fetch: typeof fetch}} options
   */
  constructor(address, user, password, options) {
    const base = new URL(address);
    if (!/^https?:$/.test(base.protocol)) throw new TypeError('endereço do terminal inválido: deve ser como http://192.168.0.10:9050');
    this.base = base.origin + base.pathname.replace(/\/+$/, '');
    this.authorization = `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`;
    this.options = options;
    this.reached = false; // the terminal has answered something
  }

  /** @param {Call} call */
  text(call) {
    return this.#patiently(call, (answer) => {
      call.seen?.(answer);
      return answer.text();
    });
  }

  /** @param {Call} call */
  bytes(call) {
    return this.#patiently({ ...call, held: true }, async (answer) => new Uint8Array(await answer.arrayBuffer()));
  }

  /**
   * Repeats a call that the terminal was too busy for: it refuses those before it does anything.
   * @template T
   * @param {Call} call
   * @param {(answer: Response) => Promise<T>} read
   * @returns {Promise<T>}
   */
  async #patiently(call, read) {
    const giveUp = Date.now() + this.options.busyPatience;
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      try {
        return await this.#limited(call, read);
      } catch (error) {
        const again = is(error, 'busy') || (call.stoppable && is(error, 'stopping'));
        if (!again || call.once || Date.now() + pause > giveUp) throw error;
        await wait(pause, call.signal).catch(() => {
          throw error; // that it was busy says more than that the caller has left
        });
      }
    }
  }

  /**
   * Sends a call and reads its whole answer, within the time limit unless it is held.
   * @template T
   * @param {Call} call
   * @param {(answer: Response) => Promise<T>} read
   * @returns {Promise<T>}
   */
  async #limited(call, read) {
    const limit = new AbortController();
    const stop = () => limit.abort(call.signal?.reason);
    if (call.signal?.aborted) stop();
    call.signal?.addEventListener('abort', stop);
    const timer = call.held ? undefined : setTimeout(() => limit.abort(new Error('tempo esgotado')), this.options.timeout);
    try {
      return await read(await this.open(call, limit.signal));
    } catch (error) {
      call.signal?.throwIfAborted();
      throw error instanceof MaquininhaError ? error : await this.#unanswered(error);
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', stop);
    }
  }

  /**
   * Sends a call; an answer that is no success is an error.
   * @param {Call} call
   * @param {AbortSignal} signal
   */
  async open(call, signal) {
    /** @type {Record<string, string>} */
    const headers = { Authorization: this.authorization };
    // Without a body too: in a browser, over plain HTTP, it tells the terminal this is no other page's form.
    if (call.body !== undefined || call.method === 'POST') headers['Content-Type'] = call.type ?? 'application/json';
    /** @type {Response} */
    let answer;
    try {
      answer = await this.options.fetch(this.base + call.path + queryOf(call.query), {
        method: call.method, headers, body: call.body, signal, credentials: 'omit', redirect: 'error', cache: 'no-store',
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof MaquininhaError ? error : await this.#unanswered(error);
    }
    this.reached = true;
    if (answer.status === 200 || (answer.status === 202 && !call.held)) return answer;
    throw failure(answer, call.path, await answer.text());
  }

  /**
   * The error of a call that got no answer: it was lost, unless a browser kept it back.
   * @param {unknown} cause
   */
  async #unanswered(cause) {
    if (/** @type {any} */ (this.options.fetch).tellsUnreachable) return lost(cause);
    // What could be reached before could be reached now: the call may have been sent.
    const kept = this.reached ? undefined : await withoutPermission(this.base, cause);
    return kept ?? lost(cause);
  }
}

/** @param {unknown} cause */
const lost = (cause) => new MaquininhaError('noAnswer', `o terminal não respondeu: ${cause instanceof Error ? cause.message : cause}`, { cause });

/** @param {Record<string, unknown>} [query] */
function queryOf(query = {}) {
  const q = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') q.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = String(q);
  return text && `?${text}`;
}

/**
 * A path with ids in it.
 * @param {TemplateStringsArray} parts
 * @param {...string} ids
 */
export function path(parts, ...ids) {
  return parts.reduce((whole, part, i) => {
    const id = ids[i - 1];
    if (typeof id !== 'string' || id === '' || id === '.' || id === '..') throw new TypeError(`identificador que não cabe num endereço: "${id}"`);
    return whole + encodeURIComponent(id) + part;
  });
}
