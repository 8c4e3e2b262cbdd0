// A print that waits until somebody has seen to the printer.
import { html, useRef, useState } from "../html.js";
import { post } from "../http.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { useKeys } from "../keys.js";
import { useButtonKeys } from "../payment/buttons.js";
import { Button, Icon } from "../ui.js";

const t = words({
  "pt-BR": {
    paperOut: "Sem papel", coverOpen: "Tampa aberta", offline: "Impressora não responde", ok: "Impressora pronta", printing: "Imprimindo…",
    doPaperOut: "Reponha e toque aqui", doCoverOpen: "Feche a tampa e toque aqui", doOffline: "Ligue e toque aqui", doOk: "Toque aqui para imprimir",
    xml: "O documento fiscal não foi impresso.", image: "A imagem não foi impressa.", receipt: "O comprovante não foi impresso.", text: "O texto não foi impresso.",
    busy: "O terminal está ocupado. Toque de novo em instantes.", later: "Agora não",
  },
  en: {
    paperOut: "Out of paper", coverOpen: "Cover open", offline: "Printer does not answer", ok: "Printer ready", printing: "Printing…",
    doPaperOut: "Add paper and touch here", doCoverOpen: "Close the cover and touch here", doOffline: "Turn it on and touch here", doOk: "Touch here to print",
    xml: "The fiscal document was not printed.", image: "The picture was not printed.", receipt: "The receipt was not printed.", text: "The text was not printed.",
    busy: "The terminal is busy. Touch again in a moment.", later: "Not now",
  },
  es: {
    paperOut: "Sin papel", coverOpen: "Tapa abierta", offline: "La impresora no responde", ok: "Impresora lista", printing: "Imprimiendo…",
    doPaperOut: "Ponga papel y toque aquí", doCoverOpen: "Cierre la tapa y toque aquí", doOffline: "Enciéndala y toque aquí", doOk: "Toque aquí para imprimir",
    xml: "El documento fiscal no se imprimió.", image: "La imagen no se imprimió.", receipt: "El comprobante no se imprimió.", text: "El texto no se imprimió.",
    busy: "El terminal está ocupado. Toque de nuevo en un momento.", later: "Ahora no",
  },
});

const advice = { paperOut: "doPaperOut", coverOpen: "doCoverOpen", offline: "doOffline", ok: "doOk" };
const named = new Set(["xml", "image", "receipt"]);
const none = -1;

// Printer shows state.waiting. How the printer is now counts more than how it was: many tell when they have paper again.
export function Printer() {
  const waiting = useStore((s) => s.waiting);
  const now = useStore((s) => s.printer.state);
  const turn = useStore((s) => s.turn);
  const [refused, setRefused] = useState(none); // the terminal's turn that was in the way
  const asked = useRef(false);
  const list = useButtonKeys();
  const later = () => post("/printer/dismiss", { id: waiting.id });
  const print = () => {
    if (asked.current || waiting.printing) return;
    asked.current = true;
    setRefused(none);
    post("/printer/print", { id: waiting.id }).then(({ status, data }) => {
      asked.current = false;
      if (status === 409 && data?.reason === "busy") setRefused(data.turn);
    });
  };
  useKeys({ Enter: waiting ? print : null, Escape: waiting ? later : null });
  if (!waiting) return html`<section class="ending trouble unknown" data-view="printer" />`;
  const how = now in advice ? now : waiting.why;
  return html`<section class="ending trouble unknown" data-view="printer" data-why=${how}>
    <${Icon} name=${how === "ok" ? "printer" : "warn"} />
    <div class="trouble-say" role="status">
      <h1>${t(waiting.printing ? "printing" : how)}</h1>
      <p>${t(refused >= turn ? "busy" : named.has(waiting.kind) ? waiting.kind : "text")}</p>
    </div>
    <div class="result-choices" ref=${list} aria-busy=${waiting.printing}>
      <${Button} data-do="print-waiting" onPress=${print}><${Icon} name="printer" />${t(advice[how])}<//>
      <${Button} kind="clear" data-do="later" onPress=${later}>${t("later")}<//>
    </div>
  </section>`;
}
