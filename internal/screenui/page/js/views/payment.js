// A payment or a reversal on the screen: one step at a time, as the service says.
import { html } from "../html.js";
import { useStore } from "../store.js";
import { money } from "../format.js";
import { Button, Icon } from "../ui.js";
import { useOnce } from "../hooks.js";
import { post } from "../http.js";
import { useKeys } from "../keys.js";
import { inParts, t } from "../payment/words.js";
import { Choose, Installments, methodIcons } from "../payment/choose.js";
import { CardArt, Pin } from "../payment/card.js";
import { Pix } from "../payment/pix.js";

// Payment shows state.payment. Every prompt has its own serial, so that nothing typed in one lives on in the next.
export function Payment() {
  const payment = useStore((s) => s.payment);
  if (!payment) return null;
  return html`<${Prompt} key=${payment.serial + payment.step} payment=${payment} />`;
}

function Prompt({ payment }) {
  const { act, busy } = useAct(payment.serial);
  const cancel = () => act({ action: "cancel" });
  useKeys({ Escape: payment.cancellable ? cancel : null });
  const Step = steps[payment.step] || Processing;
  const asksConfirm = payment.step === "confirm";
  return html`
    <section class="payment" data-view="payment" data-step=${payment.step} data-kind=${payment.kind}>
      <${Head} payment=${payment} />
      <div class="payment-body"><${Step} payment=${payment} act=${act} busy=${busy} /></div>
      ${(payment.cancellable || payment.leavable || asksConfirm) && html`
        <footer class="payment-foot">
          ${payment.leavable && html`<${Button} kind="plain" data-do="leave" disabled=${busy} onPress=${() => act({ action: "leave" })}>${t("leave")}<//>`}
          ${payment.cancellable && html`<${Button} kind="plain" data-do="cancel" disabled=${busy} onPress=${cancel}>${t("cancel")}<//>`}
          ${asksConfirm && html`
            <${Button} kind="primary" data-do="confirm" disabled=${busy} onPress=${() => act({ action: "confirm" })}>${t("confirm")}<//>`}
        </footer>`}
    </section>`;
}

const stepWithin = 1500; // the service's next step, after an act it took

// useAct sends acts to the prompt of that serial, one at a time. The step changes by the service's word alone, and
// when that does not come the buttons come back.
function useAct(serial) {
  const { busy, once } = useOnce();
  const act = (body) => once(async () => {
    const { ok } = await post("/payment/act", { serial, ...body });
    if (ok) await new Promise((done) => setTimeout(done, stepWithin));
    return ok;
  });
  return { act, busy };
}

function Head({ payment }) {
  const { kind, amount, of, method, installments } = payment;
  const known = method && method !== "any";
  return html`
    <header class="payment-head">
      <p class="payment-kind">${t(kind === "reversal" && of ? "reversal-part" : kind)}</p>
      ${kind !== "menu" && html`<p class=${"payment-amount" + (amount.length > 9 ? " long" : "")} data-amount=${amount}>${money(amount)}</p>`}
      ${(of || known || installments > 1) && html`
        <p class="payment-how">
          ${of && html`<span data-of=${of}>${t("part-of", { amount: money(of) })}</span>`}
          ${known && html`<span class="payment-method"><${Icon} name=${methodIcons[method]} />${t("method-" + method)}</span>`}
          ${installments > 1 && html`<span>${inParts(payment)}</span>`}
        </p>`}
    </header>`;
}

function Waiting({ payment }) {
  return html`
    <div class="payment-say">
      <div class="payment-open" aria-hidden="true"><span></span></div>
      <p class="payment-line" role="status">${t("open")}</p>
      <p class="payment-hint">${t(payment.kind === "reversal" ? "open-reversal" : "open-payment")}</p>
    </div>`;
}

function Resolving() {
  return html`
    <div class="payment-say">
      <div class="payment-spinner" aria-hidden="true"></div>
      <p class="payment-line" role="status">${t("resolving")}</p>
      <p class="payment-hint">${t("resolving-hint")}</p>
    </div>`;
}

function Card({ payment }) {
  return html`
    <div class="payment-say">
      <${CardArt} />
      <p class="payment-line" role="status">${payment.device ? t("card-device", { device: payment.device }) : t(payment.kind === "reversal" ? "card-reversal" : "card")}</p>
      ${payment.leavable && html`<p class="payment-hint">${t("leave-hint")}</p>`}
    </div>`;
}

function Menu({ payment }) {
  return html`
    <div class="payment-say">
      <div class="payment-spinner" aria-hidden="true"></div>
      <p class="payment-line" role="status">${t("menu-open")}</p>
      <p class="payment-hint">${t(payment.leavable ? "leave-hint" : "menu-hint")}</p>
    </div>`;
}

function Confirm({ payment, act, busy }) {
  useKeys({ Enter: busy ? null : () => act({ action: "confirm" }) });
  const reversal = payment.kind === "reversal";
  return html`
    <div class="payment-say">
      <svg class="payment-badge" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        ${reversal ? html`<path d="M8.5 6L5 9.5 8.5 13M5.5 9.5h8a4.5 4.5 0 0 1 0 9h-4" />` : html`<path d="M6 12.5l4 4 8-9" />`}
      </svg>
      <p class="payment-line" role="status">${t(reversal ? "ask-reversal" : "ask-payment", { amount: money(payment.amount) })}</p>
      ${reversal && html`<p class="payment-hint">${t("back-to-customer")}</p>`}
    </div>`;
}

function Processing({ payment }) {
  return html`
    <div class="payment-say">
      <div class="payment-spinner" aria-hidden="true"></div>
      <p class="payment-line" role="status">${t(payment.kind === "reversal" ? "reversing" : "processing")}</p>
      <p class="payment-hint">${t(payment.keepCard ? "keep-card" : "moment")}</p>
    </div>`;
}

const steps = {
  waiting: Waiting,
  resolving: Resolving,
  choose: Choose,
  installments: Installments,
  card: Card,
  pin: Pin,
  pix: Pix,
  confirm: Confirm,
  menu: Menu,
  processing: Processing,
};
