// The virtual printer, and the app in front or behind.
import { html } from "../html.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { Choice, Said, useCall } from "./parts.js";

const t = words({
  "pt-BR": {
    printer: "Estado da impressora", ok: "Ok", paperOut: "Sem papel", coverOpen: "Tampa aberta", offline: "Desligada", none: "sem impressora", unknown: "desconhecida",
    app: "Primeiro plano", behind: "Minimizar", front: "Restaurar", auto: "Automático",
    active: "em primeiro plano", inactive: "em segundo plano", pages: "telas abertas: {n}", busy: "ocupado", free: "livre",
  },
  en: {
    printer: "State of the printer", ok: "Ok", paperOut: "Out of paper", coverOpen: "Cover open", offline: "Off", none: "no printer", unknown: "unknown",
    app: "Foreground", behind: "Minimise", front: "Restore", auto: "Automatic",
    active: "in the foreground", inactive: "in the background", pages: "screens open: {n}", busy: "busy", free: "free",
  },
  es: {
    printer: "Estado de la impresora", ok: "Ok", paperOut: "Sin papel", coverOpen: "Tapa abierta", offline: "Apagada", none: "sin impresora", unknown: "desconocida",
    app: "Primer plano", behind: "Minimizar", front: "Restaurar", auto: "Automático",
    active: "en primer plano", inactive: "en segundo plano", pages: "pantallas abiertas: {n}", busy: "ocupado", free: "libre",
  },
});

export const printerNote = (s) => (s.printer && s.printer.state !== "ok" ? t(s.printer.state) : null);

export function PrinterPanel() {
  const state = useStore((s) => s.printer?.state);
  const [call, said] = useCall();
  const options = ["ok", "paperOut", "coverOpen", "offline"].map((s) => [s, t(s)]);
  return html`
    <${Choice} name="printer" label=${t("printer")} options=${options} value=${state} onPick=${(to) => call("/emulator/printer", { state: to }, "")} />
    ${said?.text && html`<${Said} said=${said} />`}`;
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
