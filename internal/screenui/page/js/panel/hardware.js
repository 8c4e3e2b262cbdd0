// The virtual printer with its cash drawers, and the app in front or behind.
import { exactTime } from "../format.js";
import { html } from "../html.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { Act, Choice, Said, useCall } from "./parts.js";

const t = words({
  "pt-BR": {
    printer: "Estado da impressora", ok: "Ok", paperOut: "Sem papel", coverOpen: "Tampa aberta", offline: "Desligada", none: "sem impressora", unknown: "desconhecida",
    drawerIsOpen: "gaveta aberta", closed: "Gaveta fechada", open: "Gaveta aberta às {time}", secondClosed: "2ª gaveta fechada", secondOpen: "2ª gaveta aberta às {time}",
    last: "última abertura às {time}", times: "{n} aberturas", close: "Fechar",
    app: "Primeiro plano", behind: "Minimizar", front: "Restaurar", auto: "Automático",
    active: "em primeiro plano", inactive: "em segundo plano", pages: "telas abertas: {n}", busy: "ocupado", free: "livre",
  },
  en: {
    printer: "State of the printer", ok: "Ok", paperOut: "Out of paper", coverOpen: "Cover open", offline: "Off", none: "no printer", unknown: "unknown",
    drawerIsOpen: "drawer open", closed: "Drawer closed", open: "Drawer opened at {time}", secondClosed: "2nd drawer closed", secondOpen: "2nd drawer opened at {time}",
    last: "last opened at {time}", times: "{n} openings", close: "Close",
    app: "Foreground", behind: "Minimise", front: "Restore", auto: "Automatic",
    active: "in the foreground", inactive: "in the background", pages: "screens open: {n}", busy: "busy", free: "free",
  },
  es: {
    printer: "Estado de la impresora", ok: "Ok", paperOut: "Sin papel", coverOpen: "Tapa abierta", offline: "Apagada", none: "sin impresora", unknown: "desconocida",
    drawerIsOpen: "gaveta abierta", closed: "Gaveta cerrada", open: "Gaveta abierta a las {time}", secondClosed: "2.ª gaveta cerrada", secondOpen: "2.ª gaveta abierta a las {time}",
    last: "última apertura a las {time}", times: "{n} aperturas", close: "Cerrar",
    app: "Primer plano", behind: "Minimizar", front: "Restaurar", auto: "Automático",
    active: "en primer plano", inactive: "en segundo plano", pages: "pantallas abiertas: {n}", busy: "ocupado", free: "libre",
  },
});

export const printerNote = (s) => {
  if (s.printer && s.printer.state !== "ok") return t(s.printer.state);
  return s.drawers.some((d) => d.open) ? t("drawerIsOpen") : null;
};

export function PrinterPanel() {
  const state = useStore((s) => s.printer?.state);
  const [call, said] = useCall();
  const options = ["ok", "paperOut", "coverOpen", "offline"].map((s) => [s, t(s)]);
  return html`
    <${Choice} name="printer" label=${t("printer")} options=${options} value=${state} onPick=${(to) => call("/emulator/printer", { state: to }, "")} />
    <${Drawers} onClose=${() => call("/emulator/drawer/close", {}, "")} />
    ${said?.text && html`<${Said} said=${said} />`}`;
}

// Drawers are the first, and the second once somebody has opened it: few have one.
function Drawers({ onClose }) {
  const drawers = useStore((s) => s.drawers).filter((d) => d.n === 1 || d.openings > 0);
  return html`
    <div class="drawers">
      <p>${drawers.map((d) => html`<span key=${d.n} data-drawer=${d.n} data-open=${d.open} data-openings=${d.openings}>${drawerWords(d)}</span>`)}</p>
      ${drawers.some((d) => d.open) && html`<${Act} do="drawer-close" onPress=${onClose}>${t("close")}<//>`}
    </div>`;
}

function drawerWords({ n, open, openings, openedAt }) {
  const time = exactTime(openedAt).slice(0, 8);
  const state = n === 1 ? t(open ? "open" : "closed", { time }) : t(open ? "secondOpen" : "secondClosed", { time });
  return [state, !open && openings > 0 && t("last", { time }), openings > 1 && t("times", { n: openings })].filter(Boolean).join(" · ");
}

export const appNote = (s) => (s.active ? null : t("inactive"));

export function AppPanel() {
  const { active, override, pages, busy } = useStore((s) => ({ active: s.active, override: s.override, pages: s.pages, busy: s.busy }));
  const [call, said] = useCall();
  const options = [[false, t("behind")], [true, t("front")], [null, t("auto")]];
  return html`
    <${Choice} name="app" label=${t("app")} options=${options} value=${override ?? null} onPick=${(to) => call("/emulator/foreground", { active: to }, "")} />
    <p class="why" data-active=${active} data-busy=${busy}>
      ${[t(active ? "active" : "inactive"), t("pages", { n: pages ?? 0 }), t(busy ? "busy" : "free")].join(" · ")}
    </p>
    ${said?.text && html`<${Said} said=${said} />`}`;
}
