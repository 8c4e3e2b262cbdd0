import { encode, exactly } from './decimal.js';
import { Money, transactionOf, withAmounts } from './pay.js';
import { Sender, path } from './request.js';
import { itemOf, saleOf, valueOf, viewOf } from './sale.js';
import { events } from './stream.js';

/** @typedef {import('./index.d.ts').CallOptions} CallOptions */
/** @typedef {import('./index.d.ts').Transaction} Transaction */

/** @param {Uint8Array | string} image */
function base64(image) {
  if (typeof image === 'string') return image;
  let text = '';
  for (let i = 0; i < image.length; i += 0x8000) text += String.fromCharCode(...image.subarray(i, i + 0x8000));
  return btoa(text);
}

/**
 * The terminal takes the time limit beside the parameters.
 * @param {import('./index.d.ts').QuestionParameters} p
 */
function apart({ timeout, ...parameters }) {
  return { parameters, timeout };
}

const octets = 'application/octet-stream';

/** @param {string} text @returns {import('./index.d.ts').Operation | null} */
function operationOf(text) {
  const { operation } = JSON.parse(text);
  return operation && { ...operation, amount: exactly(text).operation.amount };
}

/**
 * A terminal that also serves callers written for TEF IP writes id and time as numbers.
 * @param {any} e
 * @returns {import('./index.d.ts').LogEntry}
 */
function logOf(e) {
  return { ...e, id: String(e.id), createdAt: typeof e.createdAt === 'number' ? new Date(e.createdAt * 1000).toISOString() : e.createdAt };
}

export class Client {
  #sender;
  /** @type {Money} */
  #money;

  /**
   * @param {string} address
   * @param {string} user
   * @param {string} password
   * @param {import('./index.d.ts').ClientOptions} [options]
   */
  constructor(address, user, password, options = {}) {
    const { timeout = 60_000, busyPatience = 60_000, recoveryPatience = 300_000, fetch = globalThis.fetch.bind(globalThis) } = options;
    if (options.pin && !(/** @type {any} */ (fetch).pins)) throw new TypeError('fixar a chave só é possível no Node');
    this.#sender = new Sender(address, user, password, { timeout, busyPatience, fetch });
    this.#money = new Money(this, this.#sender, recoveryPatience);
  }

  /**
   * @param {string} method
   * @param {string} where
   * @param {CallOptions} [options]
   * @param {unknown} [body]
   * @param {Partial<import('./request.js').Call>} [more]
   */
  async #send(method, where, options, body, more) {
    const text = await this.#sender.text({ method, path: where, body: body === undefined ? undefined : encode(body), signal: options?.signal, ...more });
    return JSON.parse(text);
  }

  /** @param {import('./index.d.ts').Sale} [sale] @param {CallOptions} [o] */
  async startSale(sale = {}, o) {
    await this.#send('POST', '/sale', o, saleOf(sale));
  }

  /** @param {import('./index.d.ts').Sale} change @param {CallOptions} [o] */
  async updateSale(change, o) {
    await this.#send('PUT', '/sale', o, saleOf(change)); // as PATCH, which pages of other origins may not send
  }

  /** @param {CallOptions} [o] @returns {Promise<import('./index.d.ts').SaleView>} */
  async sale(o) {
    const text = await this.#sender.text({ method: 'GET', path: '/sale', signal: o?.signal });
    return viewOf(JSON.parse(text), exactly(text));
  }

  /** @param {import('./index.d.ts').Item} item @param {CallOptions} [o] @returns {Promise<string>} */
  async addItem(item, o) {
    return (await this.#send('POST', '/sale/item', o, itemOf(item))).itemId;
  }

  /** @param {string} id @param {import('./index.d.ts').ItemChange} change @param {CallOptions} [o] */
  async updateItem(id, change, o) {
    await this.#send('PUT', path`/sale/item/${id}`, o, itemOf(change));
  }

  /** @param {string} id @param {CallOptions} [o] */
  async removeItem(id, o) {
    await this.#send('DELETE', path`/sale/item/${id}`, o);
  }

  /** @param {string} id @param {CallOptions} [o] */
  async cancelItem(id, o) {
    await this.#send('POST', path`/sale/item/${id}/cancel`, o);
  }

  /** @param {import('./index.d.ts').SalePayment} payment @param {CallOptions} [o] @returns {Promise<string>} */
  async addPayment(payment, o) {
    return (await this.#send('POST', '/sale/payment', o, valueOf(payment))).paymentId;
  }

  /** @param {string} id @param {import('./index.d.ts').SalePaymentChange} change @param {CallOptions} [o] */
  async updatePayment(id, change, o) {
    await this.#send('PUT', path`/sale/payment/${id}`, o, valueOf(change));
  }

  /** @param {string} id @param {CallOptions} [o] */
  async removePayment(id, o) {
    await this.#send('DELETE', path`/sale/payment/${id}`, o);
  }

  /** @param {import('./index.d.ts').Adjustment} discount @param {CallOptions} [o] @returns {Promise<string>} */
  async addDiscount(discount, o) {
    return (await this.#send('POST', '/sale/discount', o, valueOf(discount))).discountId;
  }

  /** @param {string} id @param {import('./index.d.ts').AdjustmentChange} change @param {CallOptions} [o] */
  async updateDiscount(id, change, o) {
    await this.#send('PUT', path`/sale/discount/${id}`, o, valueOf(change));
  }

  /** @param {string} id @param {CallOptions} [o] */
  async removeDiscount(id, o) {
    await this.#send('DELETE', path`/sale/discount/${id}`, o);
  }

  /** @param {import('./index.d.ts').Adjustment} addition @param {CallOptions} [o] @returns {Promise<string>} */
  async addAddition(addition, o) {
    return (await this.#send('POST', '/sale/addition', o, valueOf(addition))).additionId;
  }

  /** @param {string} id @param {import('./index.d.ts').AdjustmentChange} change @param {CallOptions} [o] */
  async updateAddition(id, change, o) {
    await this.#send('PUT', path`/sale/addition/${id}`, o, valueOf(change));
  }

  /** @param {string} id @param {CallOptions} [o] */
  async removeAddition(id, o) {
    await this.#send('DELETE', path`/sale/addition/${id}`, o);
  }

  /** @param {import('./index.d.ts').SaleList} [list] @param {CallOptions} [o] */
  async clearSale(list, o) {
    await this.#send('DELETE', list ? path`/sale/${list}/clear` : '/sale/clear', o);
  }

  /** @param {import('./index.d.ts').Closing} [closing] @param {CallOptions} [o] */
  finalizeSale(closing = {}, o) {
    return this.#endSale('/sale/finalize', closing, o);
  }

  /** @param {import('./index.d.ts').Closing} [closing] @param {CallOptions} [o] */
  cancelSale(closing = {}, o) {
    return this.#endSale('/sale/cancel', closing, o);
  }

  /** @param {string} where @param {import('./index.d.ts').Closing} closing @param {CallOptions} [o] @returns {Promise<string>} */
  async #endSale(where, closing, o) {
    let id = '';
    await this.#send('POST', where, o, closing, { seen: (answer) => (id = answer.headers.get('X-Sale-Id') ?? '') });
    return id;
  }

  /** @param {import('./index.d.ts').SaleFilter} [filter] @param {CallOptions} [o] @returns {Promise<import('./index.d.ts').EndedSale[]>} */
  async endedSales(filter = {}, o) {
    const text = await this.#sender.text({ method: 'GET', path: '/sales', query: { ...filter }, signal: o?.signal });
    const exact = exactly(text);
    return JSON.parse(text).map((/** @type {any} */ sale, /** @type {number} */ i) => viewOf(sale, exact[i]));
  }

  /** @param {string} id @param {CallOptions} [o] @returns {Promise<import('./index.d.ts').EndedSaleView>} */
  async endedSale(id, o) {
    const text = await this.#sender.text({ method: 'GET', path: path`/sales/${id}`, signal: o?.signal });
    return viewOf(JSON.parse(text), exactly(text));
  }

  /**
   * @param {import('./index.d.ts').Question} question
   * @param {import('./index.d.ts').QuestionParameters} [parameters]
   * @param {CallOptions} [o]
   * @returns {Promise<import('./index.d.ts').Answer>}
   */
  ask(question, parameters = {}, o) {
    return this.#send('POST', '/ask', o, { ...apart(parameters), question }, { held: true, stoppable: true });
  }

  /**
   * @param {import('./index.d.ts').Question[]} questions
   * @param {import('./index.d.ts').QuestionParameters} [parameters]
   * @param {CallOptions} [o]
   * @returns {Promise<import('./index.d.ts').Answer[]>}
   */
  askForm(questions, parameters = {}, o) {
    return this.#send('POST', '/ask/form', o, { ...apart(parameters), questions }, { held: true, stoppable: true });
  }

  /** @param {CallOptions} [o] */
  async cancelAsk(o) {
    await this.#send('POST', '/ask/cancel', o);
  }

  /** @param {import('./index.d.ts').Bytes} image @param {CallOptions} [o] */
  async printImage(image, o) {
    await this.#send('POST', '/print/image', o, undefined, { body: /** @type {BodyInit} */ (image), type: octets, held: true });
  }

  /** @param {import('./index.d.ts').Instruction[]} page @param {CallOptions} [o] */
  async printText(page, o) {
    await this.#send('POST', '/print/text', o, page, { held: true });
  }

  /** @param {string | import('./index.d.ts').Bytes} xml @param {CallOptions} [o] */
  async printXML(xml, o) {
    await this.#send('POST', '/print/xml', o, undefined, { body: /** @type {BodyInit} */ (xml), type: 'text/xml', held: true });
  }

  /** @param {string} text @param {CallOptions} [o] */
  async printACBr(text, o) {
    await this.#send('POST', '/print/acbr', o, undefined, { body: text, type: octets, held: true }); // a form could send text/plain, so that a page's is refused
  }

  /** @param {CallOptions} [o] */
  async openDrawer(o) {
    await this.#send('POST', '/drawer', o, undefined, { held: true });
  }

  /**
   * @param {string} what
   * @param {BodyInit} body
   * @param {string} type
   * @param {import('./index.d.ts').Drawing} [drawing]
   * @param {CallOptions} [o]
   */
  #render(what, body, type, drawing = {}, o) {
    const query = /** @type {Record<string, unknown>} */ (drawing);
    return this.#sender.bytes({ method: 'POST', path: `/render/${what}`, query, body, type, signal: o?.signal });
  }

  /** @param {import('./index.d.ts').Bytes} image @param {import('./index.d.ts').Drawing} [drawing] @param {CallOptions} [o] */
  renderImage(image, drawing, o) {
    return this.#render('image', /** @type {BodyInit} */ (image), octets, drawing, o);
  }

  /** @param {import('./index.d.ts').Instruction[]} page @param {import('./index.d.ts').Drawing} [drawing] @param {CallOptions} [o] */
  renderText(page, drawing, o) {
    return this.#render('text', JSON.stringify(page), 'application/json', drawing, o);
  }

  /** @param {string | import('./index.d.ts').Bytes} xml @param {import('./index.d.ts').Drawing} [drawing] @param {CallOptions} [o] */
  renderXML(xml, drawing, o) {
    return this.#render('xml', /** @type {BodyInit} */ (xml), 'text/xml', drawing, o);
  }

  /** @param {string} text @param {import('./index.d.ts').Drawing} [drawing] @param {CallOptions} [o] */
  renderACBr(text, drawing, o) {
    return this.#render('acbr', text, octets, drawing, o);
  }

  /** @param {{title: string, message: string}} notification @param {CallOptions} [o] */
  async notify(notification, o) {
    await this.#send('POST', '/notification', o, notification);
  }

  /** @param {import('./index.d.ts').Payment} payment @param {CallOptions} [o] */
  pay(payment, o) {
    return this.#money.pay(payment, o);
  }

  /** @param {string} referenceId @param {CallOptions} [o] */
  reverse(referenceId, o) {
    return this.#money.reverse(referenceId, o);
  }

  /** @param {string} referenceId @param {import('./index.d.ts').Refund} refund @param {CallOptions} [o] */
  reversePart(referenceId, refund, o) {
    return this.#money.reversePart(referenceId, refund, o);
  }

  /** @param {string} referenceId @param {CallOptions} [o] @returns {Promise<Transaction>} */
  async transaction(referenceId, o) {
    return transactionOf(await this.#sender.text({ method: 'GET', path: path`/transaction/${referenceId}`, signal: o?.signal }));
  }

  /**
   * @param {{limit?: number, since?: string | Date, status?: import('./index.d.ts').TransactionStatus}} [filter]
   * @param {CallOptions} [o]
   * @returns {Promise<Transaction[]>}
   */
  async transactions(filter = {}, o) {
    const text = await this.#sender.text({ method: 'GET', path: '/transaction', query: filter, signal: o?.signal });
    const exact = exactly(text);
    return JSON.parse(text).map((/** @type {any} */ t, /** @type {number} */ i) => withAmounts(t, exact[i]));
  }

  /**
   * @param {import('./index.d.ts').LogFilter & {search?: string, includeDetails?: boolean}} [filter]
   * @param {CallOptions} [o]
   * @returns {Promise<import('./index.d.ts').LogEntry[]>}
   */
  async logs(filter = {}, o) {
    return (await this.#send('GET', '/logs', o, undefined, { query: /** @type {Record<string, unknown>} */ (filter) })).map(logOf);
  }

  /** @param {import('./index.d.ts').LogFilter} [filter] @param {CallOptions} [o] */
  downloadLogs(filter = {}, o) {
    const query = /** @type {Record<string, unknown>} */ (filter);
    return this.#sender.bytes({ method: 'GET', path: '/logs/zip/download', query, signal: o?.signal });
  }

  /** @param {CallOptions} [o] @returns {Promise<AsyncIterableIterator<import('./index.d.ts').LogEntry>>} */
  streamLogs(o) {
    return events(this.#sender, '/logs/stream', 'dos logs', (text) => logOf(JSON.parse(text)), o?.signal);
  }

  /** @param {CallOptions} [o] @returns {Promise<import('./index.d.ts').Operation | null>} */
  async operation(o) {
    return operationOf(await this.#sender.text({ method: 'GET', path: '/operation', signal: o?.signal }));
  }

  /** @param {CallOptions} [o] @returns {Promise<AsyncIterableIterator<import('./index.d.ts').Operation | null>>} */
  streamOperation(o) {
    return events(this.#sender, '/operation/stream', 'da operação', operationOf, o?.signal);
  }

  /** @param {import('./index.d.ts').Wish} [wish] @param {CallOptions} [o] */
  async cancelOperation(wish = {}, o) {
    await this.#send('POST', '/operation/cancel', o, wish);
  }

  /** @param {import('./index.d.ts').Bytes} image @param {CallOptions & {showCloseButton?: boolean}} [o] */
  async displayImage(image, o) {
    const query = { showCloseButton: o?.showCloseButton };
    await this.#send('POST', '/display/image', o, undefined, { body: /** @type {BodyInit} */ (image), type: octets, query });
  }

  /** @param {import('./index.d.ts').DisplayText} page @param {CallOptions} [o] */
  async displayText(page, o) {
    await this.#send('POST', '/display/text', o, page);
  }

  /** @param {import('./index.d.ts').Carousel} carousel @param {CallOptions} [o] */
  async displayCarousel(carousel, o) {
    await this.#send('POST', '/display/carousel', o, { ...carousel, images: carousel.images.map(base64) });
  }

  /** @param {CallOptions} [o] */
  async clearDisplay(o) {
    await this.#send('POST', '/display/clear', o);
  }

  /** @param {CallOptions} [o] */
  async popDisplay(o) {
    await this.#send('POST', '/display/pop', o);
  }

  /** @param {CallOptions} [o] @returns {Promise<import('./index.d.ts').Status>} */
  status(o) {
    return this.#send('GET', '/status', o);
  }

  /** @param {CallOptions} [o] @returns {Promise<import('./index.d.ts').Info>} */
  info(o) {
    return this.#send('GET', '/info', o);
  }

  /** @param {CallOptions} [o] @returns {Promise<import('./index.d.ts').Status>} */
  restart(o) {
    return this.#send('POST', '/restart', o);
  }
}
