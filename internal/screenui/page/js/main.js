// The root: picks the view the service names, and draws the device around it in the emulator.
import { html, render, useState, useEffect } from "./html.js";
import { start } from "./feed.js";
import { useMedia, usePrevious } from "./hooks.js";
import { useStore } from "./store.js";
import { locale, words } from "./i18n.js";
import { useLook, useThemeColour } from "./look.js";
import { keepAwake } from "./wake.js";
import { ErrorBoundary } from "./boundary.js";
import { useFresh } from "./fresh.js";
import { Bar } from "./bar.js";
import { Settled } from "./settled.js";
import { WaitingRow } from "./waiting.js";
import { useNotices } from "./notices.js";
import { Paper } from "./paper.js";
import { Panel } from "./panel.js";
import { Idle } from "./views/idle.js";
import { Home } from "./views/home.js";
import { Sale } from "./views/sale.js";
import { Closing } from "./views/closing.js";
import { Display } from "./views/display.js";
import { Question } from "./views/question.js";
import { Success } from "./views/success.js";
import { Printer } from "./views/printer.js";
import { Payment } from "./views/payment.js";
import { Result } from "./views/result.js";
import { Setup } from "./views/setup.js";
import { Settings, useOpenSettings } from "./views/settings.js";

const t = words({
  "pt-BR": { lost: "Reconectando…", lostHint: "A tela volta sozinha quando o serviço responder.", panel: "Painel do emulador" },
  en: { lost: "Reconnecting…", lostHint: "The screen comes back by itself once the service answers.", panel: "Emulator panel" },
  es: { lost: "Reconectando…", lostHint: "La pantalla vuelve sola cuando el servicio responda.", panel: "Panel del emulador" },
});

const views = { idle: Idle, sale: Sale, closing: Closing, printer: Printer, display: Display, question: Question, success: Success, payment: Payment, result: Result };
const kiosk = new URLSearchParams(location.search).has("kiosk");
const wide = matchMedia("(min-width: 900px)");

function App() {
  const emulator = useStore((s) => s.emulator) && !kiosk;
  const framed = useMedia(wide) && emulator;
  const [drawer, setDrawer] = useState(false);
  const lang = useStore(() => locale());
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
  const look = useLook();
  const open = framed || drawer;
  return html`<div class=${`app ${framed ? "framed" : "bare"}`}>
    <div class="device">
      <div class="screen" data-theme=${look.theme} style=${look.style}><${Stage} /></div>
      <div class="mouth" style=${look.style}><${ErrorBoundary}><${Paper} framed=${framed} /><//></div>
    </div>
    ${emulator && !framed ? html`<button type="button" class="drawer-tab" data-do="panel" aria-expanded=${drawer} aria-label=${t("panel")} onClick=${() => setDrawer(!drawer)}><span /></button>` : null}
    ${emulator && open ? html`<aside class="side" aria-label=${t("panel")}><${ErrorBoundary}><${Panel} onClose=${framed ? null : () => setDrawer(false)} /><//></aside>` : null}
  </div>`;
}

// identity names what is shown: the question of a form, the step of a payment, the view.
function identity(s) {
  const part = { question: s.question && `${s.question.serial}/${s.question.index}`, payment: s.payment?.serial, display: s.display?.id, printer: s.waiting?.id }[s.view];
  return `${s.view} ${part ?? ""}`;
}

// Stage is what the terminal's own screen shows. The first start stays where it was while something else is shown.
function Stage() {
  const { ready, lost, view, away, needed } = useStore((s) => ({
    ready: s.ready, lost: s.lost, view: s.view, away: !s.active && s.override === false, needed: s.setup.needed,
  }));
  useFresh(useStore(identity));
  const [settings, openSettings, closeSettings] = useOpenSettings(ready && (away || view !== "idle"));
  const notice = useNotices(away);
  const setup = needed || settings;
  const shown = away ? "home" : view === "idle" && setup ? "setup" : view;
  const View = views[shown];
  const after = usePrevious(shown);
  useThemeColour(ready, shown, useStore((s) => `${s.result?.verdict} ${s.closing?.finalized} ${s.look.theme}`));
  if (!ready) return html`<div class="stage">${lost ? html`<${Lost} />` : null}</div>`;
  return html`<div class=${`stage on-${shown}`}>
    <${Bar} on=${shown} notice=${notice} />
    <div class="rows">
      <${Settled} on=${shown} />
      <${WaitingRow} on=${shown} />
    </div>
    <main class="view">
      ${setup ? html`<div class="layer" key="setup" hidden=${shown !== "setup"}>
        <${ErrorBoundary}>${needed ? html`<${Setup} />` : html`<${Settings} onClose=${closeSettings} />`}<//>
      </div>` : null}
      ${away ? html`<${Home} key="home" notice=${notice} />` : View ? html`<${ErrorBoundary} key=${shown}><${View} onSettings=${openSettings} after=${after} /><//>` : null}
    </main>
    ${lost ? html`<${Lost} />` : null}
  </div>`;
}

function Lost() {
  return html`<div class="lost" role="alert">
    <span class="spinner" />
    <p class="lost-title">${t("lost")}</p>
    <p>${t("lostHint")}</p>
  </div>`;
}

start();
keepAwake();
render(html`<${App} />`, document.getElementById("app"));
