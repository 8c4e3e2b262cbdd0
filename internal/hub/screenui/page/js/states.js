// How a terminal is, in words and colours.
import { html } from "./html.js";
import { words } from "./i18n.js";
import { Badge } from "./parts.js";

const t = words({
  "pt-BR": {
    online: "no ar", offline: "fora do ar", revoked: "revogado", payment: "em pagamento", reversal: "em estorno", question: "em pergunta", print: "imprimindo", busy: "ocupado",
    paperOut: "sem papel", coverOpen: "tampa aberta", printerOffline: "impressora não responde", printer: "impressora: {state}", trouble: "adquirente {name} não responde", unresolved: "1 sem desfecho", unresolveds: "{n} sem desfecho",
    clock: "relógio {off} errado", background: "em segundo plano", foreground: "em primeiro plano", saleOpen: "venda aberta", "printer.ok": "pronta", "printer.none": "nenhuma", "printer.unknown": "não diz como está",
  },
  en: {
    online: "on-line", offline: "off-line", revoked: "revoked", payment: "in a payment", reversal: "in a reversal", question: "asking", print: "printing", busy: "busy",
    paperOut: "out of paper", coverOpen: "cover open", printerOffline: "printer does not answer", printer: "printer: {state}", trouble: "acquirer {name} does not answer", unresolved: "1 unresolved", unresolveds: "{n} unresolved",
    clock: "clock {off} off", background: "in the background", foreground: "in the foreground", saleOpen: "sale open", "printer.ok": "ready", "printer.none": "none", "printer.unknown": "does not tell",
  },
  es: {
    online: "en línea", offline: "fuera de línea", revoked: "revocado", payment: "en un pago", reversal: "en una devolución", question: "en una pregunta", print: "imprimiendo", busy: "ocupado",
    paperOut: "sin papel", coverOpen: "tapa abierta", printerOffline: "impresora no responde", printer: "impresora: {state}", trouble: "adquirente {name} no responde", unresolved: "1 sin resolver", unresolveds: "{n} sin resolver",
    clock: "reloj desviado {off}", background: "en segundo plano", foreground: "en primer plano", saleOpen: "venta abierta", "printer.ok": "lista", "printer.none": "ninguna", "printer.unknown": "no dice cómo está",
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
  return html`<span class="badges"><${Presence} terminal=${terminal} />${statesOf(terminal).map(([kind, text]) => html`<${Badge} key=${text} kind=${kind}>${text}<//>`)}</span>`;
}

const fine = ["ok", "none", "unknown"]; // there may be no printer, or none that tells

function statesOf(terminal) {
  const all = [];
  if (terminal.revokedAt) return all;
  if (terminal.online && terminal.busy) all.push(["warn", runningText(terminal)]);
  if (terminal.printer && !fine.includes(terminal.printer)) all.push(["bad", printerText(terminal.printer)]);
  for (const name of terminal.trouble ?? []) all.push(["bad", t("trouble", { name })]);
  if (terminal.unresolved > 0) all.push(["bad", t(terminal.unresolved === 1 ? "unresolved" : "unresolveds", { n: terminal.unresolved })]);
  if (Math.abs(terminal.clockOff ?? 0) > clockTolerance) all.push(["warn", t("clock", { off: span(Math.abs(terminal.clockOff)) })]);
  if (terminal.online && terminal.foreground === false) all.push(["plain", t("background")]);
  if (terminal.saleOpen) all.push(["plain", t("saleOpen")]);
  return all;
}

function runningText({ running }) {
  return running && t.has(running) ? t(running) : t("busy");
}

// printerText is how a printer is, also where nothing is wrong with it.
export function printerText(state) {
  if (!state) return "";
  if (state === "offline") return t("printerOffline");
  return t.has(`printer.${state}`) ? t(`printer.${state}`) : t.has(state) ? t(state) : t("printer", { state });
}

// screenText is what the terminal's screen is doing; "" while nobody knows.
export function screenText(terminal) {
  if (!terminal.online || terminal.foreground === undefined) return "";
  return [t(terminal.foreground ? "foreground" : "background"), terminal.busy ? runningText(terminal) : "", terminal.saleOpen ? t("saleOpen") : ""].filter(Boolean).join(", ");
}

// span is some seconds as people say it.
function span(seconds) {
  const [n, unit] = seconds < 120 ? [seconds, "s"] : seconds < 7200 ? [seconds / 60, "min"] : seconds < 172800 ? [seconds / 3600, "h"] : [seconds / 86400, "d"];
  return `${Math.round(n)} ${unit}`;
}
