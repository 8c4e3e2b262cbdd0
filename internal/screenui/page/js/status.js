// How the printer, the acquirer and the link to a hub are, in words.
import { words } from "./i18n.js";

const t = words({
  "pt-BR": {
    ok: "Impressora pronta", paperOut: "Impressora sem papel", coverOpen: "Tampa da impressora aberta",
    offline: "Impressora não responde", none: "Sem impressora", unknown: "Impressora: estado desconhecido",
    ready: "Pagamentos prontos", noAcquirer: "Pagamentos não configurados",
    slowAcquirer: "Pagamentos: adquirente lento", silentAcquirer: "Pagamentos: adquirente sem resposta", offlineAcquirer: "Pagamentos: adquirente fora do ar",
    pending: "1 pagamento a conferir", pendings: "{n} pagamentos a conferir", pendingShort: "{n} a conferir",
    hubUp: "Hub conectado", hubDown: "Hub sem conexão", hubDialling: "Conectando ao hub", hubRefused: "Hub recusa este terminal", hubRevoked: "Terminal revogado no hub",
    paperOutShort: "Sem papel", coverOpenShort: "Tampa aberta", offlineShort: "Impressora não responde",
    doPaperOut: "Sem papel. Ponha uma bobina nova.", doCoverOpen: "Impressora aberta. Feche a tampa.", doOffline: "A impressora não responde. Veja se está ligada e com o cabo firme.",
    doPending: "1 pagamento a conferir. Não cobre de novo.", doPendings: "{n} pagamentos a conferir. Não cobre de novo.",
    doSlow: "O adquirente demora a responder. Os pagamentos podem levar mais tempo.", doSilent: "O adquirente não responde. Confira a internet da loja.", doOfflineAcquirer: "Pagamentos fora do ar. Confira a internet da loja.",
    doNoAcquirer: "Pagamentos não configurados: este terminal não cobra. Avise o suporte.",
    doRefused: "O hub recusa este terminal. Avise o suporte.", doRevoked: "Este terminal foi revogado no hub. Avise o suporte.",
  },
  en: {
    ok: "Printer ready", paperOut: "Printer out of paper", coverOpen: "Printer cover open",
    offline: "Printer does not answer", none: "No printer", unknown: "Printer: state unknown",
    ready: "Payments ready", noAcquirer: "Payments not set up",
    slowAcquirer: "Payments: slow acquirer", silentAcquirer: "Payments: acquirer does not answer", offlineAcquirer: "Payments: acquirer off-line",
    pending: "1 payment to check", pendings: "{n} payments to check", pendingShort: "{n} to check",
    hubUp: "Hub connected", hubDown: "Hub not connected", hubDialling: "Connecting to the hub", hubRefused: "Hub refuses this terminal", hubRevoked: "Terminal revoked at the hub",
    paperOutShort: "No paper", coverOpenShort: "Cover open", offlineShort: "Printer not answering",
    doPaperOut: "Out of paper. Put in a new roll.", doCoverOpen: "The printer is open. Close its cover.", doOffline: "The printer does not answer. See that it is on and its cable is firm.",
    doPending: "1 payment to check. Do not charge again.", doPendings: "{n} payments to check. Do not charge again.",
    doSlow: "The acquirer is slow. Payments may take longer.", doSilent: "The acquirer does not answer. Check the shop's internet.", doOfflineAcquirer: "Payments are down. Check the shop's internet.",
    doNoAcquirer: "Payments are not set up: this terminal can not charge. Tell your support.",
    doRefused: "The hub refuses this terminal. Tell your support.", doRevoked: "This terminal was revoked at the hub. Tell your support.",
  },
  es: {
    ok: "Impresora lista", paperOut: "Impresora sin papel", coverOpen: "Tapa de la impresora abierta",
    offline: "La impresora no responde", none: "Sin impresora", unknown: "Impresora: estado desconocido",
    ready: "Pagos listos", noAcquirer: "Pagos sin configurar",
    slowAcquirer: "Pagos: adquirente lento", silentAcquirer: "Pagos: el adquirente no responde", offlineAcquirer: "Pagos: adquirente fuera de línea",
    pending: "1 pago por revisar", pendings: "{n} pagos por revisar", pendingShort: "{n} por revisar",
    hubUp: "Hub conectado", hubDown: "Hub sin conexión", hubDialling: "Conectando al hub", hubRefused: "El hub rechaza este terminal", hubRevoked: "Terminal revocado en el hub",
    paperOutShort: "Sin papel", coverOpenShort: "Tapa abierta", offlineShort: "Impresora no responde",
    doPaperOut: "Sin papel. Ponga un rollo nuevo.", doCoverOpen: "Impresora abierta. Cierre la tapa.", doOffline: "La impresora no responde. Vea si está encendida y con el cable firme.",
    doPending: "1 pago por revisar. No cobre de nuevo.", doPendings: "{n} pagos por revisar. No cobre de nuevo.",
    doSlow: "El adquirente tarda en responder. Los pagos pueden demorar más.", doSilent: "El adquirente no responde. Revise el internet de la tienda.", doOfflineAcquirer: "Pagos fuera de línea. Revise el internet de la tienda.",
    doNoAcquirer: "Pagos sin configurar: este terminal no cobra. Avise al soporte.",
    doRefused: "El hub rechaza este terminal. Avise al soporte.", doRevoked: "Este terminal fue revocado en el hub. Avise al soporte.",
  },
});

const printerMood = { ok: "good", paperOut: "bad", coverOpen: "bad", offline: "bad", none: "quiet", unknown: "quiet" };
const acquirerMood = { slow: "warn", silent: "bad", offline: "bad" };

// printerStatus and acquirerStatus give {mood: good|warn|bad|quiet, text}.
export function printerStatus({ state }) {
  return { mood: printerMood[state] ?? "quiet", text: t(state in printerMood ? state : "unknown") };
}

export function acquirerStatus({ state, pending }) {
  if (pending > 0) return { mood: "warn", text: pending === 1 ? t("pending") : t("pendings", { n: pending }) };
  if (state === "ready") return { mood: "good", text: t("ready") };
  if (state in acquirerMood) return { mood: acquirerMood[state], text: t(`${state}Acquirer`) };
  return { mood: "quiet", text: t("noAcquirer") };
}

// hubStatus is the same of the link to a hub, or null without one. The shop works without it.
export function hubStatus({ state, reason }) {
  if (state === "up") return { mood: "good", text: t("hubUp") };
  if (state === "down") return reason ? { mood: "warn", text: t("hubDown") } : { mood: "quiet", text: t("hubDialling") };
  if (state === "refused") return { mood: "warn", text: t("hubRefused") };
  return state === "revoked" ? { mood: "warn", text: t("hubRevoked") } : null;
}

const printerAdvice = { paperOut: "doPaperOut", coverOpen: "doCoverOpen", offline: "doOffline" };
const acquirerAdvice = { slow: "doSlow", silent: "doSilent", offline: "doOfflineAcquirer", none: "doNoAcquirer" };
const hubAdvice = { refused: "doRefused", revoked: "doRevoked" };

// troubles are what somebody in the shop must do something about, and what: {name, icon, mood, text}. The shop sells on
// without a hub; only what does not mend itself is said of it.
export function troubles(printer, acquirer, hub) {
  const list = [];
  const tell = (name, icon, mood, text) => list.push({ name, icon, mood, text });
  if (printer.state in printerAdvice) tell("printer", "printer", "bad", t(printerAdvice[printer.state]));
  if (acquirer.pending > 0) tell("pending", "clock", "warn", acquirer.pending === 1 ? t("doPending") : t("doPendings", { n: acquirer.pending }));
  if (acquirer.state in acquirerAdvice) tell("acquirer", "card", acquirerMood[acquirer.state] ?? "warn", t(acquirerAdvice[acquirer.state]));
  if (hub.state in hubAdvice) tell("hub", "globe", "warn", t(hubAdvice[hub.state]));
  return list;
}

// printerTrouble says in a word what keeps the printer from printing, or null.
export function printerTrouble(state) {
  return printerMood[state] === "bad" ? t(`${state}Short`) : null;
}

// pendingShort says how many payments have no known outcome, or null.
export function pendingShort(n) {
  return n > 0 ? t("pendingShort", { n }) : null;
}
