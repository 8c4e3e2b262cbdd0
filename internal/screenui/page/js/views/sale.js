// The open sale, as it grows.
import { useMedia } from "../hooks.js";
import { html, memo, useMemo } from "../html.js";
import { useStore } from "../store.js";
import { words, locale } from "../i18n.js";
import { money, quantity, clock, document as punctuate, isZero } from "../format.js";
import { Icon } from "../ui.js";
import { VirtualList } from "../list.js";
import { Counted } from "../count.js";

const t = words({
  "pt-BR": {
    title: "Sua compra", opened: "Aberta às {time}", seller: "Vendedor: {name}", one: "1 item", many: "{n} itens", newOne: "1 item novo", newMany: "{n} itens novos",
    items: "Itens", waiting: "Os itens aparecem aqui", canceled: "cancelado", discount: "desconto", addition: "acréscimo", saleDiscount: "Desconto", saleAddition: "Acréscimo",
    subtotal: "Subtotal", discounts: "Descontos", additions: "Acréscimos", total: "Total", paid: "Pago", due: "Falta pagar", change: "Troco", settled: "Tudo pago",
    payments: "Pagamentos", payment: "Pagamento", earlier: "+{n} anteriores", earlierOne: "+1 anterior",
    credit: "Crédito", debit: "Débito", pix: "PIX", money: "Dinheiro", voucher: "Vale-refeição", gift: "Vale-presente", providerWallet: "Carteira digital",
    adm: "Operação administrativa", cancel: "Cancelamento", cancelDigitalWallet: "Cancelamento de carteira digital", unknown: "Outro pagamento",
  },
  en: {
    title: "Your purchase", opened: "Opened at {time}", seller: "Seller: {name}", one: "1 item", many: "{n} items", newOne: "1 new item", newMany: "{n} new items",
    items: "Items", waiting: "Items will appear here", canceled: "cancelled", discount: "discount", addition: "surcharge", saleDiscount: "Discount", saleAddition: "Surcharge",
    subtotal: "Subtotal", discounts: "Discounts", additions: "Surcharges", total: "Total", paid: "Paid", due: "Still due", change: "Change", settled: "All paid",
    payments: "Payments", payment: "Payment", earlier: "+{n} earlier", earlierOne: "+1 earlier",
    credit: "Credit", debit: "Debit", pix: "PIX", money: "Cash", voucher: "Meal voucher", gift: "Gift card", providerWallet: "Digital wallet",
    adm: "Administrative operation", cancel: "Cancellation", cancelDigitalWallet: "Digital wallet cancellation", unknown: "Other payment",
  },
  es: {
    title: "Su compra", opened: "Abierta a las {time}", seller: "Vendedor: {name}", one: "1 artículo", many: "{n} artículos", newOne: "1 artículo nuevo", newMany: "{n} artículos nuevos",
    items: "Artículos", waiting: "Los artículos aparecen aquí", canceled: "cancelado", discount: "descuento", addition: "recargo", saleDiscount: "Descuento", saleAddition: "Recargo",
    subtotal: "Subtotal", discounts: "Descuentos", additions: "Recargos", total: "Total", paid: "Pagado", due: "Falta pagar", change: "Vuelto", settled: "Todo pagado",
    payments: "Pagos", payment: "Pago", earlier: "+{n} anteriores", earlierOne: "+1 anterior",
    credit: "Crédito", debit: "Débito", pix: "PIX", money: "Efectivo", voucher: "Vale de comida", gift: "Tarjeta de regalo", providerWallet: "Billetera digital",
    adm: "Operación administrativa", cancel: "Cancelación", cancelDigitalWallet: "Cancelación de billetera digital", unknown: "Otro pago",
  },
});

const types = ["credit", "debit", "pix", "money", "voucher", "gift", "providerWallet", "adm", "cancel", "cancelDigitalWallet", "unknown"];
const rowEm = 3.2;
const notedRowEm = 4.2; // of all rows, where one of them has a note: a line of its own
const longName = 16; // letters that may take the newest item two lines
const secondLineEm = 1.4;

export function Sale() {
  const sale = useStore((s) => s.sale);
  const items = useStore((s) => s.items);
  const payments = useStore((s) => s.payments);
  const discounts = useStore((s) => s.discounts);
  const additions = useStore((s) => s.additions);
  const rows = useMemo(() => withAdjustments(items, discounts, additions), [items, discounts, additions]);
  const noted = useMemo(() => items.some((item) => item.additionalInfo), [items]);
  const newest = items.at(-1);
  if (!sale) return html`<section class="sale" data-view="sale" />`;
  return html`<section class="sale" data-view="sale">
    <${Head} sale=${sale} count=${sale.summary.itemCount} />
    <div class="sale-items" style=${{ "--digits": String(String(items.length).length) }}>
      <${VirtualList} key=${sale.number} items=${rows} rowEm=${noted ? notedRowEm : rowEm} Row=${Row} lang=${locale()} label=${t("items")} newest=${items.length - 1} newestMoreEm=${newest?.description.length > longName ? secondLineEm : 0}
        more=${(n) => (n === 1 ? t("newOne") : t("newMany", { n }))} />
      ${rows.length === 0 ? html`<p class="sale-empty"><${Icon} name="bag" />${t("waiting")}</p>` : null}
    </div>
    <${Payments} payments=${payments} />
    <${Totals} summary=${sale.summary} />
  </section>`;
}

function Head({ sale, count }) {
  const { customerName, customerDocument, sellerName, additionalInfo } = sale;
  const who = [customerDocument && punctuate(customerDocument), sellerName && t("seller", { name: sellerName })].filter(Boolean);
  if (who.length === 0) who.push(t("opened", { time: clock(new Date(sale.openedAt)) }));
  return html`<header class="sale-head">
    <div class="sale-who">
      <h1>${customerName || t("title")}</h1>
      <p>${who.map((part, i) => html`<span key=${i}>${part}</span>`)}</p>
      ${additionalInfo ? html`<p>${additionalInfo}</p>` : null}
    </div>
    <p class="sale-count">${count === 1 ? t("one") : t("many", { n: count })}</p>
  </header>`;
}

// withAdjustments has the sale's own discounts and additions follow the items. Their keys are those of no item.
function withAdjustments(items, discounts, additions) {
  if (discounts.length + additions.length === 0) return items;
  const of = (list, kind) => list.map((line) => ({ ...line, seq: `${kind}${line.seq}`, kind }));
  return items.concat(of(discounts, "discount"), of(additions, "addition"));
}

const Row = ({ item, index, lang, newest }) => (item.kind ? html`<${AdjustmentRow} line=${item} />` : html`<${ItemRow} item=${item} index=${index} lang=${lang} newest=${newest} />`);

function AdjustmentRow({ line }) {
  const { kind, description, value, additionalInfo } = line;
  const word = t(kind === "discount" ? "saleDiscount" : "saleAddition");
  const detail = [description ? word : null, additionalInfo].filter(Boolean);
  return html`<div class="item adjustment" data-adjustment=${line.id}>
    <span class="adjustment-words">
      <span class="item-name">${description || word}</span>
      <span class="item-detail">${detail.map((text, i) => html`<span key=${i}>${text}</span>`)}</span>
    </span>
    <span class=${`item-total ${kind === "discount" ? "item-less" : "item-plus"}`}>${kind === "discount" ? "−" : "+"}${money(value)}</span>
  </div>`;
}

const ItemRow = memo(function ItemRow({ item, index, newest }) {
  const { description, canceled, quantity: count, unitPrice, discount, addition, total, additionalInfo } = item;
  const amounts = [`${quantity(count)} × ${money(unitPrice)}`, ...[discount, addition].filter((more) => !isZero(more)).map((more) => `   ±${money(more)}`)].join("");
  return html`<div class=${`item ${canceled ? "is-canceled" : newest ? "is-newest" : ""}`} data-item=${item.id}>
    <span class="item-number">${index + 1}</span>
    <span class="item-name">${description}</span>
    <span class="item-total">${money(total)}</span>
    <span class="item-detail" style=${{ "--letters": String(amounts.length) }}>
      <span class="item-price">${quantity(count)} × ${money(unitPrice)}</span>
      ${isZero(discount) ? null : html`<span class="item-less"><span class="item-word">${t("discount")} </span>−${money(discount)}</span>`}
      ${isZero(addition) ? null : html`<span class="item-plus"><span class="item-word">${t("addition")} </span>+${money(addition)}</span>`}
    </span>
    ${additionalInfo ? html`<span class="item-note">${additionalInfo}</span>` : null}
    ${canceled ? html`<span class="item-canceled">${t("canceled")}</span>` : null}
  </div>`;
});

const short = matchMedia("(max-height: 560px) and (orientation: portrait)");

// Payments shows the newest four, on a low screen two, and says how many came before them.
function Payments({ payments }) {
  const most = useMedia(short) ? 2 : 4;
  if (payments.length === 0) return html`<div class="sale-payments" />`;
  const hidden = Math.max(0, payments.length - most);
  return html`<div class="sale-payments">
    <ul aria-label=${t("payments")}>
      ${hidden ? html`<li class="pay-more" key="more">${hidden === 1 ? t("earlierOne") : t("earlier", { n: hidden })}</li>` : null}
      ${payments.slice(hidden).map((payment) => {
        const kind = types.includes(payment.type) ? t(payment.type) : t("payment");
        return html`<li key=${payment.seq} data-payment=${payment.id}>
          <span class="pay-kind">${kind}</span>
          <span class="pay-note">${[payment.description, payment.additionalInfo].filter(Boolean).join(" · ")}</span>
          <span class="pay-value">${money(payment.value)}</span>
        </li>`;
      })}
    </ul>
  </div>`;
}

// Totals has one large figure: what the customer owes by now, or gets back. What is zero is not shown.
function Totals({ summary }) {
  const { subtotal, discount, addition, total, paid, due, change } = summary;
  const adjusted = !isZero(discount) || !isZero(addition);
  const hero = isZero(paid) ? ["total", total] : !isZero(due) ? ["due", due] : !isZero(change) ? ["change", change] : ["settled", total];
  const small = [
    adjusted && ["subtotal", t("subtotal"), money(subtotal)],
    !isZero(discount) && ["discount", t("discounts"), money(`-${discount}`)],
    !isZero(addition) && ["addition", t("additions"), money(addition)],
    !isZero(paid) && hero[0] !== "settled" && ["total", t("total"), money(total)],
    !isZero(paid) && hero[0] !== "settled" && ["paid", t("paid"), money(paid)],
  ].filter(Boolean);
  const [name, value] = hero;
  return html`<dl class="sale-totals" data-small=${small.length}>
    ${small.map(([name, text, amount]) => html`<div class=${`sum ${name}`} key=${name} data-sum=${name} style=${{ "--letters": String(amount.length) }}><dt>${text}</dt><dd>${amount}</dd></div>`)}
    <div class=${`sum hero ${name}`} key="hero" data-sum=${name}>
      <dt>${name === "settled" ? html`<${Icon} name="check" />` : null}${t(name)}</dt>
      <${Counted} name=${name} amount=${value} />
    </div>
  </dl>`;
}
