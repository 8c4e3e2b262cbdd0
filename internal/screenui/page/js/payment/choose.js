// How to pay, and in how many parts.
import { html, useMemo } from "../html.js";
import { money } from "../format.js";
import { Icon } from "../ui.js";
import { useButtonKeys } from "./buttons.js";
import { t } from "./words.js";

export const methodIcons = { credit: "card", debit: "card", pix: "pix" };

export function Choose({ payment, act, busy }) {
  const methods = payment.methods?.length ? payment.methods : ["credit", "debit", "pix"];
  const list = useButtonKeys();
  return html`
    <p class="payment-line" role="status">${t("choose")}</p>
    <div class="payment-choices" ref=${list}>
      ${methods.map((method) => html`
        <button type="button" key=${method} class="payment-choice" data-do=${"choose-" + method} disabled=${busy}
          onClick=${() => act({ action: "choose", method })}>
          <${Icon} name=${methodIcons[method]} /><span>${t("method-" + method)}</span>
        </button>`)}
    </div>`;
}

export function Installments({ payment, act, busy }) {
  const options = payment.installmentOptions?.length ? payment.installmentOptions : [1];
  const rows = useMemo(() => options.map((n) => [n, parts(payment.amount, n)]), [payment]);
  const list = useButtonKeys();
  return html`
    <p class="payment-line" role="status">${t("installments")}</p>
    <div class="payment-parts" ref=${list}>
      ${rows.map(([n, part]) => html`
        <button type="button" key=${n} class="payment-part" data-do=${"installments-" + n} data-number=${n} disabled=${busy}
          onClick=${() => act({ action: "installments", installments: n })}>
          ${n === 1
            ? html`<b>${t("at-once")}</b><span>${money(payment.amount)}</span>`
            : html`<b>${t("times", { n, amount: money(part.each) })}</b>${part.first !== part.each && html`<span>${t("first", { amount: money(part.first) })}</span>`}`}
        </button>`)}
    </div>`;
}

// parts splits an amount to the cent: all parts alike, the first takes what is left over.
function parts(amount, n) {
  const [whole, fraction = ""] = String(amount).split(".");
  const cents = BigInt(whole || "0") * 100n + BigInt((fraction + "00").slice(0, 2));
  const each = cents / BigInt(n);
  return { each: decimal(each), first: decimal(cents - each * BigInt(n - 1)) };
}

function decimal(cents) {
  const digits = cents.toString().padStart(3, "0");
  return digits.slice(0, -2) + "." + digits.slice(-2);
}
