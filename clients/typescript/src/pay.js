// What moves money: asked for at most once, and looked for when its answer was lost.
import { decimal, encode, exactly, sameAmount } from './decimal.js';
import { MaquininhaError, is, judged, lost } from './errors.js';
import { path } from './request.js';
import { Search } from './search.js';

/** @typedef {import('./index.d.ts').CallOptions} CallOptions */
/** @typedef {import('./index.d.ts').Transaction} Transaction */

/** @param {string} text @returns {Transaction} */
export const transactionOf = (text) => withAmounts(JSON.parse(text), exactly(text));

/**
 * A transaction with the amounts as they were written.
 * @param {any} t
 * @param {any} exact the same with a text for each number
 */
export function withAmounts(t, exact) {
  t.details.amount = exact.details.amount;
  t.details.reversed = exact.details.reversed;
  for (const [i, { amount }] of (exact.details.reversals ?? []).entries()) t.details.reversals[i].amount = amount;
  return t;
}

/** Payments and reversals, for the client, which also answers what a search asks of the terminal. */
export class Money {
  #client;
  #sender;
  #patience;

  /**
   * @param {import('./index.d.ts').Client} client
   * @param {import('./request.js').Sender} sender
   * @param {number} patience in milliseconds, to look for a lost answer
   */
  constructor(client, sender, patience) {
    this.#client = client;
    this.#sender = sender;
    this.#patience = patience;
  }

  /** @param {import('./index.d.ts').Payment} payment @param {CallOptions} [o] @returns {Promise<Transaction>} */
  async pay(payment, o) {
    const body = encode({ ...payment, amount: decimal(payment.amount, 'amount') });
    const send = (/** @type {boolean} */ once) => this.#send('/transaction', body, once, o);
    const { referenceId } = payment;
    await this.#ready(o);
    if (!referenceId) {
      try {
        return await send(true);
      } catch (cause) {
        if (!lost(cause)) throw cause;
        throw new MaquininhaError('unknownOutcome', 'desfecho da transação desconhecido (sem referência: confira na lista)', { cause });
      }
    }
    return this.#search(referenceId, o).run(send, (found, older) => {
      const { status, amount } = found.details;
      if (status === 'approved' && sameAmount(amount, payment.amount)) return found;
      if ((status === 'refused' || status === 'cancelled') && !older) throw judged(found.message);
      return undefined; // an earlier attempt, or something else under this reference: the terminal is to judge
    });
  }

  /** @param {string} referenceId @param {CallOptions} [o] @returns {Promise<Transaction>} */
  async reverse(referenceId, o) {
    return this.#giveBack(referenceId, undefined, (t) => t.details.status === 'reversed', o);
  }

  /** @param {string} referenceId @param {import('./index.d.ts').Refund} refund @param {CallOptions} [o] @returns {Promise<Transaction>} */
  async reversePart(referenceId, { amount, reversalId }, o) {
    if (amount === undefined || amount === null) throw new TypeError('amount é obrigatório; para devolver tudo o que resta, use reverse()');
    const body = encode({ amount: decimal(amount, 'amount'), reversalId });
    if (reversalId) {
      return this.#giveBack(referenceId, body, (t) => t.details.reversals.some((r) => r.reversalId === reversalId && sameAmount(r.amount, amount)), o);
    }
    await this.#ready(o);
    try {
      return await this.#sendBack(referenceId, body, true, o);
    } catch (cause) {
      if (!lost(cause)) throw cause;
      throw new MaquininhaError('unknownOutcome', 'desfecho do estorno desconhecido (sem reversalId: confira em details.reversals)', { referenceId, cause });
    }
  }

  /**
   * @param {string} referenceId
   * @param {string | undefined} body
   * @param {(t: Transaction) => boolean} isBack
   * @param {CallOptions} [o]
   */
  async #giveBack(referenceId, body, isBack, o) {
    await this.#ready(o);
    return this.#search(referenceId, o).run((once) => this.#sendBack(referenceId, body, once, o), (found, _older, cause) => {
      if (isBack(found)) return found;
      if (is(cause, 'unknownOutcome')) throw cause; // settled meanwhile: it was not given back
      return undefined;
    });
  }

  /**
   * @param {string} referenceId
   * @param {string | undefined} body
   * @param {boolean} once
   * @param {CallOptions} [o]
   */
  async #sendBack(referenceId, body, once, o) {
    return this.#send(path`/transaction/${referenceId}/reversal`, body, once, o);
  }

  /**
   * @param {string} where
   * @param {string | undefined} body
   * @param {boolean} once
   * @param {CallOptions} [o]
   */
  async #send(where, body, once, o) {
    return transactionOf(await this.#sender.text({ method: 'POST', path: where, body, held: true, once, signal: o?.signal }));
  }

  /** @param {string} referenceId @param {CallOptions} [o] */
  #search(referenceId, o) {
    return new Search(this.#client, referenceId, this.#patience, o?.signal);
  }

  /**
   * A terminal that is not there is found out before money is asked for: a browser does not tell whether a failed request was sent.
   * @param {CallOptions} [o]
   */
  async #ready(o) {
    o?.signal?.throwIfAborted();
    if (/** @type {any} */ (this.#sender.options.fetch).tellsUnreachable) return;
    try {
      await this.#client.status(o);
    } catch (cause) {
      if (is(cause, 'noAnswer')) throw new MaquininhaError('unreachable', 'terminal fora de alcance', { cause });
      throw cause;
    }
  }
}
