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
    paperOutShort: "Sem papel", coverOpenShort: "Tampa aberta", offlineShort: "Impressora",
  },
  en: {
    ok: "Printer ready", paperOut: "Printer out of paper", coverOpen: "Printer cover open",
    offline: "Printer does not answer", none: "No printer", unknown: "Printer: state unknown",
    ready: "Payments ready", noAcquirer: "Payments not set up",
    slowAcquirer: "Payments: slow acquirer", silentAcquirer: "Payments: acquirer does not answer", offlineAcquirer: "Payments: acquirer off-line",
    pending: "1 payment to check", pendings: "{n} payments to check", pendingShort: "{n} to check",
    hubUp: "Hub connected", hubDown: "Hub not connected", hubDialling: "Connecting to the hub", hubRefused: "Hub refuses this terminal", hubRevoked: "Terminal revoked at the hub",
    paperOutShort: "No paper", coverOpenShort: "Cover open", offlineShort: "Printer",
  },
  es: {
    ok: "Impresora lista", paperOut: "Impresora sin papel", coverOpen: "Tapa de la impresora abierta",
    offline: "La impresora no responde", none: "Sin impresora", unknown: "Impresora: estado desconocido",
    ready: "Pagos listos", noAcquirer: "Pagos sin configurar",
    slowAcquirer: "Pagos: adquirente lento", silentAcquirer: "Pagos: el adquirente no responde", offlineAcquirer: "Pagos: adquirente fuera de línea",
    pending: "1 pago por revisar", pendings: "{n} pagos por revisar", pendingShort: "{n} por revisar",
    hubUp: "Hub conectado", hubDown: "Hub sin conexión", hubDialling: "Conectando al hub", hubRefused: "El hub rechaza este terminal", hubRevoked: "Terminal revocado en el hub",
    paperOutShort: "Sin papel", coverOpenShort: "Tapa abierta", offlineShort: "Impresora",
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

// printerTrouble says in a word what keeps the printer from printing, or null.
export function printerTrouble(state) {
  return printerMood[state] === "bad" ? t(`${state}Short`) : null;
}

// pendingShort says how many payments have no known outcome, or null.
export function pendingShort(n) {
  return n > 0 ? t("pendingShort", { n }) : null;
}
