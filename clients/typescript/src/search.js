import { MaquininhaError, is, lost } from './errors.js';
import { firstPause, longestPause, wait } from './request.js';

/** @typedef {import('./index.d.ts').Transaction} Transaction */
/** @typedef {import('./index.d.ts').Client} Client */
/** What a settled transaction means for the operation whose answer was lost: it, or undefined to send the operation again.
 * @typedef {(found: Transaction, older: boolean, cause: unknown) => Transaction | undefined} Judge */

/** Finds out how an operation ended whose answer was lost. */
export class Search {
  /**
   * @param {Client} client
   * @param {string} referenceId
   * @param {number} patience
   * @param {AbortSignal} [signal]
   */
  constructor(client, referenceId, patience, signal) {
    this.client = client;
    this.referenceId = referenceId;
    this.patience = patience;
    this.signal = signal;
    this.sent = performance.now(); // when the operation was asked for first
    this.heard = this.sent; // when the terminal last was at work on it, or the answer was lost
    this.pause = firstPause;
  }

  /**
   * Sends the operation, and after a lost answer looks for its outcome or sends it once more.
   * @param {(once: boolean) => Promise<Transaction>} send
   * @param {Judge} judge
   * @returns {Promise<Transaction>}
   */
  async run(send, judge) {
    /** @type {unknown} */
    let cause;
    try {
      return await send(false);
    } catch (error) {
      if (!lost(error)) throw error;
      cause = error;
    }
    this.heard = performance.now();
    for (;;) {
      const found = await this.#look(cause, judge);
      if (found) return found;
      await this.#pause(cause);
      const began = performance.now();
      try {
        return await send(true);
      } catch (error) {
        // From here on, busy may well be our own operation.
        if (!lost(error) && !is(error, 'busy', 'unreachable')) throw error;
        cause = error;
      }
      this.heard += performance.now() - began; // the customer's time is not the search's
    }
  }

  /**
   * Asks until the terminal is at rest and knows the outcome; undefined means that it is to be asked for again.
   * @param {unknown} cause
   * @param {Judge} judge
   */
  async #look(cause, judge) {
    for (;;) {
      /** @type {Transaction | undefined} */
      let found;
      /** @type {unknown} */
      let trouble = cause;
      let older = false;
      try {
        if ((await this.client.info({ signal: this.signal })).isBusy) {
          this.heard = performance.now();
        } else {
          found = await this.client.transaction(this.referenceId, { signal: this.signal });
          older = await this.#older(found.details.createdAt);
        }
      } catch (error) {
        if (is(error, 'notFound')) return undefined; // never arrived; for a reversal the terminal says so itself
        if (error instanceof MaquininhaError && error.status > 0 && error.status < 500) throw this.#unknown(error);
        trouble = error;
        found = undefined;
      }
      if (found && found.details.status !== 'pending') return judge(found, older, cause);
      await this.#pause(trouble);
    }
  }

  /** @param {unknown} trouble */
  async #pause(trouble) {
    if (performance.now() - this.heard > this.patience) throw this.#unknown(trouble);
    try {
      await wait(this.pause, this.signal);
    } catch (aborted) {
      throw this.#unknown(aborted);
    }
    this.pause = Math.min(2 * this.pause, longestPause);
  }

  /** @param {unknown} cause */
  #unknown(cause) {
    return new MaquininhaError('unknownOutcome', `desfecho da transação desconhecido (referência ${this.referenceId})`, {
      referenceId: this.referenceId, cause,
    });
  }

  /**
   * Did an attempt begin before ours was asked for, by the terminal's own clock? In doubt it was ours: a customer is not asked twice.
   * @param {string} began
   */
  async #older(began) {
    const { startedAt, uptimeSeconds } = await this.client.status({ signal: this.signal });
    const now = Date.parse(startedAt) + uptimeSeconds * 1000; // up to a second behind
    return Date.parse(began) < now - (performance.now() - this.sent);
  }
}
