// The emulator's panel: what a test script does by /emulator/*, by hand.
import { useListener, useMedia } from "./hooks.js";
import { html, useState } from "./html.js";
import { local } from "./storage.js";
import { useStore } from "./store.js";
import { Icon } from "./ui.js";
import { words } from "./i18n.js";
import { Act, Choice, Said, Section, useCall } from "./panel/parts.js";
import { PaymentPanel, paymentNote } from "./panel/payment.js";
import { AcquirerPanel } from "./panel/acquirer.js";
import { AppPanel, PrinterPanel, appNote, printerNote } from "./panel/hardware.js";
import { NotificationPanel } from "./panel/notifications.js";
import { LogPanel } from "./panel/logs.js";
import { RequestPanel } from "./panel/requests.js";
import { TryPanel } from "./panel/try.js";

const t = words({
  "pt-BR": {
    title: "Emulador", close: "Fechar o painel", reset: "Reiniciar emulador",
    resetHint: "Cancela o que está na tela; adquirente, impressora e aplicativo voltam ao início. Os registros ficam.",
    payment: "Pagamento", acquirer: "Adquirente", printer: "Impressora", app: "Aplicativo", notifications: "Notificações", logs: "Logs", requests: "Requisições",
    parts: "Partes do painel", try: "Testar", simulate: "Simular", records: "Registros",
  },
  en: {
    title: "Emulator", close: "Close the panel", reset: "Reset emulator",
    resetHint: "Cancels what is on the screen; acquirer, printer and app start over. Stored records stay.",
    payment: "Payment", acquirer: "Acquirer", printer: "Printer", app: "App", notifications: "Notifications", logs: "Logs", requests: "Requests",
    parts: "Parts of the panel", try: "Try", simulate: "Simulate", records: "Records",
  },
  es: {
    title: "Emulador", close: "Cerrar el panel", reset: "Reiniciar emulador",
    resetHint: "Cancela lo que está en la pantalla; adquirente, impresora y aplicación vuelven al inicio. Los registros quedan.",
    payment: "Pago", acquirer: "Adquirente", printer: "Impresora", app: "Aplicación", notifications: "Notificaciones", logs: "Logs", requests: "Solicitudes",
    parts: "Partes del panel", try: "Probar", simulate: "Simular", records: "Registros",
  },
});

const roomy = matchMedia("(min-width: 1240px)"); // for what to do and, beside it, what comes of it
const tabKey = "maquininha.panel.tab";

// Panel fills the side beside the device; with onClose it is a drawer that Escape closes too.
export function Panel({ onClose }) {
  useListener(window, "keydown", onClose && ((event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }), true);
  useStore((s) => s.locale); // every word below is another one then
  const version = useStore((s) => s.version);
  const [call, said] = useCall();
  const two = useMedia(roomy) && !onClose;
  const [tab, setTab] = useState(() => local.recall(tabKey) ?? "try");
  const tabs = { try: Tries, simulate: Simulation, ...(!two && { records: Records }) };
  const open = tab in tabs ? tab : "try";
  const trouble = useStore((s) => printerNote(s) || appNote(s));
  const pick = (id) => {
    local.remember(tabKey, id);
    setTab(id);
  };
  const labels = Object.keys(tabs).map((id) => [id, id === "simulate" && trouble ? `${t(id)} · ${trouble}` : t(id)]);
  return html`
    <div class=${"panel" + (two ? " two" : "")}>
      <header class="panel-head">
        <h2>${t("title")}</h2>
        <div class="panel-news">${said ? html`<${Said} said=${said} />` : html`<span class="panel-version">${version}</span>`}</div>
        <${Act} do="reset" title=${t("resetHint")} onPress=${() => call("/emulator/reset", {})}>${t("reset")}<//>
        ${onClose && html`<button type="button" class="panel-close" data-do="panel-close" aria-label=${t("close")} onClick=${onClose}><${Icon} name="cross" /></button>`}
      </header>
      <div class="panel-sections">
        <div class="panel-column">
          <${Section} id="payment" title=${t("payment")} note=${paymentNote}><${PaymentPanel} /><//>
          <div class="panel-tabs"><${Choice} name="tab" label=${t("parts")} options=${labels} value=${open} onPick=${pick} /></div>
          <${tabs[open]} />
        </div>
        ${two && html`<div class="panel-column grows"><${Records} /></div>`}
      </div>
    </div>`;
}

const Tries = () => html`<div class="panel-body"><${TryPanel} /></div>`;

const Simulation = () => html`
  <${Section} id="acquirer" title=${t("acquirer")}><${AcquirerPanel} /><//>
  <${Section} id="printer" title=${t("printer")} note=${printerNote}><${PrinterPanel} /><//>
  <${Section} id="app" title=${t("app")} note=${appNote}><${AppPanel} /><//>`;

const Records = () => html`
  <${Section} id="requests" title=${t("requests")}><${RequestPanel} /><//>
  <${Section} id="logs" title=${t("logs")}><${LogPanel} /><//>
  <${Section} id="notifications" title=${t("notifications")}><${NotificationPanel} /><//>`;
