// Cards to hold to the reader, each with what becomes of it, and the PIX to pay.
import { html, useState } from "../html.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { Act, Choice, Said, useCall } from "./parts.js";

const t = words({
  "pt-BR": {
    entry: "Como o cartão entra", insert: "Inserir", tap: "Aproximar", swipe: "Passar",
    credit: "crédito", debit: "débito", approves: "aprova", refuses: "recusa", silent: "sem resposta", gives: "cancela",
    short: "Saldo insuficiente", expired: "Cartão vencido", pin: "Senha inválida", issuer: "Emissor fora do ar", leaves: "Cliente desiste", nobody: "Sem resposta",
    pay: "Pagar este PIX", refuse: "Recusar", cancel: "Cancelar",
    none: "Nenhum pagamento na tela.", waiting: "O pagamento espera o aplicativo voltar.", resolving: "O pagamento espera que o anterior seja resolvido.", choose: "Escolha na tela, ou apresente já um cartão.",
    installments: "Escolha as parcelas na tela.", pinAsked: "Digite a senha na tela.", pix: "O pagamento é por PIX.", confirm: "Confirme na tela.",
    processing: "Processando.", card: "Escolha um cartão.", other: "O pagamento pede outra função do cartão.",
    "at-waiting": "em espera", "at-resolving": "pendência", "at-choose": "escolha", "at-installments": "parcelas", "at-card": "cartão", "at-pin": "senha", "at-pix": "PIX", "at-confirm": "confirmação", "at-processing": "processando",
  },
  en: {
    entry: "How the card is read", insert: "Insert", tap: "Tap", swipe: "Swipe",
    credit: "credit", debit: "debit", approves: "approves", refuses: "declines", silent: "no answer", gives: "cancels",
    short: "Insufficient funds", expired: "Expired card", pin: "Wrong PIN", issuer: "Issuer down", leaves: "Customer gives up", nobody: "No answer",
    pay: "Pay this PIX", refuse: "Decline", cancel: "Cancel",
    none: "No payment on the screen.", waiting: "The payment waits for the app to come back.", resolving: "The payment waits until the last one is settled.", choose: "Choose on the screen, or present a card right away.",
    installments: "Choose the instalments on the screen.", pinAsked: "Enter the PIN on the screen.", pix: "This payment is by PIX.", confirm: "Confirm on the screen.",
    processing: "Processing.", card: "Pick a card.", other: "The payment wants the card's other function.",
    "at-waiting": "waiting", "at-resolving": "unsettled", "at-choose": "choice", "at-installments": "instalments", "at-card": "card", "at-pin": "PIN", "at-pix": "PIX", "at-confirm": "confirmation", "at-processing": "processing",
  },
  es: {
    entry: "Cómo entra la tarjeta", insert: "Insertar", tap: "Acercar", swipe: "Deslizar",
    credit: "crédito", debit: "débito", approves: "aprueba", refuses: "rechaza", silent: "sin respuesta", gives: "cancela",
    short: "Saldo insuficiente", expired: "Tarjeta vencida", pin: "Clave inválida", issuer: "Emisor fuera de línea", leaves: "Cliente desiste", nobody: "Sin respuesta",
    pay: "Pagar este PIX", refuse: "Rechazar", cancel: "Cancelar",
    none: "Ningún pago en la pantalla.", waiting: "El pago espera que vuelva la aplicación.", resolving: "El pago espera que se resuelva el anterior.", choose: "Elija en la pantalla, o presente ya una tarjeta.",
    installments: "Elija las cuotas en la pantalla.", pinAsked: "Ingrese la clave en la pantalla.", pix: "El pago es por PIX.", confirm: "Confirme en la pantalla.",
    processing: "Procesando.", card: "Elija una tarjeta.", other: "El pago pide la otra función de la tarjeta.",
    "at-waiting": "en espera", "at-resolving": "pendiente", "at-choose": "elección", "at-installments": "cuotas", "at-card": "tarjeta", "at-pin": "clave", "at-pix": "PIX", "at-confirm": "confirmación", "at-processing": "procesando",
  },
});

// The good cards say no outcome: then the acquirer's script and the magic amounts decide. The messages are the
// bank's own, in Portuguese whatever the language of the panel.
const cards = [
  { id: "visa", brand: "Visa", tPag: "03", use: "credit", says: "approves", body: {} },
  { id: "mastercard", brand: "Mastercard", tPag: "04", use: "debit", says: "approves", body: {} },
  { id: "short", name: "short", says: "refuses", body: { outcome: "refuse", message: "Saldo insuficiente" } },
  { id: "expired", name: "expired", says: "refuses", body: { outcome: "refuse", message: "Cartão vencido" } },
  { id: "pin", name: "pin", says: "refuses", body: { outcome: "refuse", message: "Senha inválida" } },
  { id: "issuer", name: "issuer", says: "refuses", body: { outcome: "refuse", message: "Emissor fora do ar" } },
  { id: "leaves", name: "leaves", says: "gives", body: { outcome: "cancel" } },
  { id: "silent", name: "nobody", says: "silent", body: { outcome: "timeout" } },
];

const reasons = { pin: "pinAsked" };

export const paymentNote = (s) => (s.payment ? t("at-" + s.payment.step) : null);

export function PaymentPanel() {
  const payment = useStore((s) => s.payment);
  const [entry, setEntry] = useState("insert");
  const [call, said] = useCall();
  const step = payment?.step;
  const atReader = step === "card" || step === "choose";
  const settles = payment && step !== "waiting" && step !== "processing";
  const why = !payment ? t("none") : t(reasons[step] ?? step);
  const entries = ["insert", "tap", "swipe"].map((e) => [e, t(e)]);
  return html`
    <${Choice} name="entry" label=${t("entry")} options=${entries} value=${entry} onPick=${setEntry} />
    <div class="cards">
      ${cards.map((card) => {
        const other = atReader && card.use && payment.method !== "any" && payment.method !== card.use;
        return html`<${Card} key=${card.id} card=${card} disabled=${!atReader || other} title=${other ? t("other") : atReader ? null : why}
          onPress=${() => call("/emulator/card", { entry, ...(card.tPag && { tPag: card.tPag }), ...card.body }, "")} />`;
      })}
    </div>
    <div class="acts">
      <${Act} do="pay-pix" class="main" disabled=${step !== "pix"} title=${step === "pix" ? null : why}
        onPress=${() => call("/emulator/payment", { outcome: "approve", tPag: "17" }, "")}>${t("pay")}<//>
      <${Act} do="refuse" disabled=${!settles} title=${settles ? null : why} onPress=${() => call("/emulator/payment", { outcome: "refuse" }, "")}>${t("refuse")}<//>
      <${Act} do="settle-cancel" disabled=${!settles} title=${settles ? null : why} onPress=${() => call("/emulator/payment", { outcome: "cancel" }, "")}>${t("cancel")}<//>
    </div>
    ${said?.text ? html`<${Said} said=${said} />` : html`<p class="why" data-why=${step ?? "none"}>${why}</p>`}`;
}

function Card({ card, disabled, title, onPress }) {
  return html`
    <button type="button" class=${"plastic " + card.id} data-do=${"card-" + card.id} disabled=${disabled} title=${title} onClick=${onPress}>
      <i class="plastic-chip" aria-hidden="true"></i>
      <b>${card.brand ?? t(card.name)}</b>
      <span>${card.use ? `${t(card.use)} · ${t(card.says)}` : t(card.says)}</span>
    </button>`;
}
