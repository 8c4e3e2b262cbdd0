// How a terminal is, in words and colours.
import { html } from "./html.js";
import { words } from "./i18n.js";
import { Badge } from "./parts.js";

const t = words({
  "pt-BR": {
    online: "no ar", offline: "fora do ar", revoked: "revogado", payment: "em pagamento", reversal: "em estorno", question: "em pergunta", print: "imprimindo", busy: "ocupado",
    paperOut: "sem papel", coverOpen: "tampa aberta", printer: "impressora: {state}", trouble: "adquirente: {name}", unresolved: "{n} sem desfecho",
    clock: "relógio {seconds} s fora", background: "em segundo plano", saleOpen: "venda aberta",
  },
  en: {
    online: "on-line", offline: "off-line", revoked: "revoked", payment: "in a payment", reversal: "in a reversal", question: "asking", print: "printing", busy: "busy",
    paperOut: "out of paper", coverOpen: "cover open", printer: "printer: {state}", trouble: "acquirer: {name}", unresolved: "{n} unresolved",
    clock: "clock {seconds} s off", background: "in the background", saleOpen: "sale open",
  },
  es: {
    online: "en línea", offline: "fuera de línea", revoked: "revocado", payment: "en un pago", reversal: "en una devolución", question: "en una pregunta", print: "imprimiendo", busy: "ocupado",
    paperOut: "sin papel", coverOpen: "tapa abierta", printer: "impresora: {state}", trouble: "adquirente: {name}", unresolved: "{n} sin resolver",
    clock: "reloj desviado {seconds} s", background: "en segundo plano", saleOpen: "venta abierta",
  },
});

const clockTolerance = 60; // seconds from which on a clock counts as wrong

// Presence says whether a terminal can be reached.
export function Presence({ terminal }) {
  if (terminal.revokedAt) return html`<${Badge} kind="bad">${t("revoked")}<//>`;
  return terminal.online ? html`<${Badge} kind="good" data-online="1">${t("online")}<//>` : html`<${Badge} data-online="0">${t("offline")}<//>`;
}

// States are what somebody should know before charging, and what support looks for.
export function States({ terminal }) {
  return html`<span class="badges">${statesOf(terminal).map(([kind, text]) => html`<${Badge} key=${text} kind=${kind}>${text}<//>`)}</span>`;
}

export function statesOf(terminal) {
  const all = [];
  if (terminal.online && terminal.busy) all.push(["warn", t.has(terminal.running) ? t(terminal.running) : t("busy")]);
  if (terminal.printer && !["ok", "ready", "none", "unknown"].includes(terminal.printer)) {
    all.push(["bad", t.has(terminal.printer) ? t(terminal.printer) : t("printer", { state: terminal.printer })]);
  }
  for (const name of terminal.trouble ?? []) all.push(["bad", t("trouble", { name })]);
  if (terminal.unresolved > 0) all.push(["bad", t("unresolved", { n: terminal.unresolved })]);
  if (Math.abs(terminal.clockOff ?? 0) > clockTolerance) all.push(["warn", t("clock", { seconds: Math.round(Math.abs(terminal.clockOff)) })]);
  if (terminal.online && terminal.foreground === false) all.push(["plain", t("background")]);
  if (terminal.saleOpen) all.push(["plain", t("saleOpen")]);
  return all;
}
