// Sales as they are sent and as they come: amounts are exact decimals, in texts.
import { decimal } from './decimal.js';

/** @param {Record<string, any>} s */
export const saleOf = (s) => ({ ...s, total: decimal(s.total, 'total') });

/** @param {Record<string, any>} i */
export const itemOf = (i) => ({
  ...i, quantity: decimal(i.quantity, 'quantity'), unitPrice: decimal(i.unitPrice, 'unitPrice'), discount: decimal(i.discount, 'discount'),
  addition: decimal(i.addition, 'addition'), total: decimal(i.total, 'total'),
});

/**
 * A payment, a discount or an addition.
 * @param {Record<string, any>} p
 */
export const valueOf = (p) => ({ ...p, value: decimal(p.value, 'value') });

/**
 * A sale with the amounts as they were written; an ended one of a list has no lines.
 * @param {any} view
 * @param {any} exact the same with a text for each number
 */
export function viewOf(view, exact) {
  view.sale.total = exact.sale.total;
  view.items?.forEach((/** @type {any} */ item, /** @type {number} */ i) => {
    const { quantity, unitPrice, discount, addition, total } = exact.items[i];
    Object.assign(item, { quantity, unitPrice, discount, addition, total });
  });
  for (const list of ['payments', 'discounts', 'additions']) {
    view[list]?.forEach((/** @type {any} */ line, /** @type {number} */ i) => Object.assign(line, { value: exact[list][i].value }));
  }
  view.summary = { ...exact.summary, itemCount: view.summary.itemCount };
  return view;
}
