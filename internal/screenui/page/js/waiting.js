// The prints that wait until somebody has seen to the printer: what is said of them, and what two touches do.
import { html, useRef, useState } from "./html.js";
import { post } from "./http.js";
import { useStore } from "./store.js";
import { words } from "./i18n.js";
import { Icon } from "./ui.js";

const t = words({
  "pt-BR": {
    paperOut: "Sem papel", coverOpen: "Tampa aberta", offline: "Impressora não responde", ok: "Impressora pronta", printing: "Imprimindo…",
    doPaperOut: "Reponha e toque aqui", doCoverOpen: "Feche a tampa e toque aqui", doOffline: "Ligue e toque aqui", doOk: "Toque aqui para imprimir",
    xml: "O documento fiscal não foi impresso.", image: "A imagem não foi impressa.", receipt: "O comprovante não foi impresso.", text: "O texto não foi impresso.",
    many: "{n} impressões não saíram.", manyShort: "{n} impressões", wait: "Espere o papel sair.",
    busy: "O terminal está ocupado. Toque de novo em instantes.", later: "Agora não",
  },
  en: {
    paperOut: "Out of paper", coverOpen: "Cover open", offline: "Printer does not answer", ok: "Printer ready", printing: "Printing…",
    doPaperOut: "Add paper and touch here", doCoverOpen: "Close the cover and touch here", doOffline: "Turn it on and touch here", doOk: "Touch here to print",
    xml: "The fiscal document was not printed.", image: "The picture was not printed.", receipt: "The receipt was not printed.", text: "The text was not printed.",
    many: "{n} prints did not come out.", manyShort: "{n} prints", wait: "Wait for the paper.",
    busy: "The terminal is busy. Touch again in a moment.", later: "Not now",
  },
  es: {
    paperOut: "Sin papel", coverOpen: "Tapa abierta", offline: "La impresora no responde", ok: "Impresora lista", printing: "Imprimiendo…",
    doPaperOut: "Ponga papel y toque aquí", doCoverOpen: "Cierre la tapa y toque aquí", doOffline: "Enciéndala y toque aquí", doOk: "Toque aquí para imprimir",
    xml: "El documento fiscal no se imprimió.", image: "La imagen no se imprimió.", receipt: "El comprobante no se imprimió.", text: "El texto no se imprimió.",
    many: "{n} impresiones no salieron.", manyShort: "{n} impresiones", wait: "Espere a que salga el papel.",
    busy: "El terminal está ocupado. Toque de nuevo en un momento.", later: "Ahora no",
  },
});

const advice = { paperOut: "doPaperOut", coverOpen: "doCoverOpen", offline: "doOffline", ok: "doOk" };
const named = new Set(["xml", "image", "receipt"]);
const none = -1;

// useWaiting gives what to say of state.waiting and what to do about it, or null. How the printer is now counts more than
// how it was: many tell when they have paper again.
export function useWaiting() {
  const waiting = useStore((s) => s.waiting);
  const now = useStore((s) => s.printer.state);
  const turn = useStore((s) => s.turn);
  const [refused, setRefused] = useState(none); // the terminal's turn that was in the way
  const asked = useRef(false);
  if (!waiting) return null;
  const { id, kind, count, printing } = waiting;
  const how = now in advice ? now : waiting.why;
  const what = count > 1 ? t("many", { n: count }) : t(named.has(kind) ? kind : "text");
  return {
    how, printing, count,
    title: t(printing ? "printing" : how), what: printing ? null : what, advice: t(printing ? "wait" : advice[how]), later: t("later"),
    busy: refused >= turn ? t("busy") : null,
    dismiss: () => post("/printer/dismiss", { id }),
    print: () => {
      if (asked.current || printing) return;
      asked.current = true;
      setRefused(none);
      post("/printer/print", { id }).then(({ status, data }) => {
        asked.current = false;
        if (status === 409 && data?.reason === "busy") setRefused(data.turn);
      });
    },
  };
}

// WaitingRow says it above an open sale, which goes on.
export function WaitingRow({ on }) {
  const waiting = useWaiting();
  if (on !== "sale" || !waiting) return html`<div class="waiting" role="status" />`;
  const { how, printing, count, title, advice, busy, later, print, dismiss } = waiting;
  return html`<div class="waiting is-up" role="status" data-why=${how} aria-busy=${printing}>
    <button type="button" class="waiting-print" data-do="print-waiting" onClick=${print}>
      <${Icon} name=${how === "ok" ? "printer" : "warn"} />
      <span class="waiting-words"><b>${title}${count > 1 ? ` · ${t("manyShort", { n: count })}` : ""}</b>${" "}<span>${busy ?? advice}</span></span>
    </button>
    <button type="button" class="waiting-later" data-do="later" onClick=${dismiss}>${later}</button>
  </div>`;
}
