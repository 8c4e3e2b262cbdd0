// What the virtual printer printed: papers hang out of it until somebody tears them off.
import { useListener, useMedia } from "./hooks.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { post } from "./http.js";
import { useStore } from "./store.js";
import { Button, Icon } from "./ui.js";
import { words } from "./i18n.js";

const t = words({
  "pt-BR": {
    printer: "Impressora", one: "1 cupom", many: "{n} cupons", of: "{i}/{n}", tear: "Destacar", all: "Destacar tudo", away: "Guardar", paper: "Cupom impresso",
    png: "Baixar PNG", pdf: "Baixar PDF", empty: "Nenhum cupom", older: "Cupom anterior", newer: "Próximo cupom",
  },
  en: {
    printer: "Printer", one: "1 receipt", many: "{n} receipts", of: "{i}/{n}", tear: "Tear off", all: "Tear off all", away: "Put away", paper: "Printed receipt",
    png: "Download PNG", pdf: "Download PDF", empty: "No receipts", older: "Previous receipt", newer: "Next receipt",
  },
  es: {
    printer: "Impresora", one: "1 recibo", many: "{n} recibos", of: "{i}/{n}", tear: "Cortar", all: "Cortar todo", away: "Guardar", paper: "Recibo impreso",
    png: "Descargar PNG", pdf: "Descargar PDF", empty: "Ningún recibo", older: "Recibo anterior", newer: "Recibo siguiente",
  },
});

const tearing = 320; // milliseconds, as in paper.css
const dotsPerEm = 32; // 576 dots are 18 em wide
const guarded = new Set(["sale", "question", "payment", "result", "success", "closing", "printer"]); // what paper never covers by itself
const roomy = matchMedia("(min-width: 1400px)"); // as in paper.css

// Paper lies over the screen: a sheet out of the bottom edge, or a small tab when it was put away or when
// something else needs the screen. Where the window has room beside the device, it is a printer of its own.
export function Paper({ framed }) {
  const papers = useStore((s) => s.paper);
  const room = useMedia(roomy);
  const [putAway, setPutAway] = useState(0); // the newest paper that was put away: a newer one comes out by itself
  useLayoutEffect(() => {
    if (!papers.length) setPutAway(0); // the numbers start over with the service
  }, [papers.length]);
  if (framed && room) return html`<${Printer} papers=${papers} />`;
  return papers.length ? html`<${Sheet} papers=${papers} putAway=${putAway} onPutAway=${setPutAway} />` : null;
}

function Printer({ papers }) {
  return html`
    <aside class="paper paper-printer" aria-label=${t("printer")}>
      <${Stack} papers=${papers} idle=${html`<p class="paper-empty">${t("empty")}</p>`} />
    </aside>`;
}

function Sheet({ papers, putAway, onPutAway }) {
  const view = useStore((s) => s.view);
  const serial = useStore((s) => `${s.view} ${s.payment?.serial} ${s.question?.serial}`);
  const [asked, setAsked] = useState(null); // opened by hand over this
  const newest = papers[0].n;
  const open = guarded.has(view) ? asked === serial : newest > putAway;
  const close = () => {
    onPutAway(newest);
    setAsked(null);
  };
  const show = () => {
    onPutAway(papers.at(-1).n - 1);
    setAsked(serial);
  };
  useListener(window, "keydown", open && ((event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  }), true);
  if (!open) {
    return html`
      <button type="button" class="paper paper-tab" data-do="paper" onClick=${show}>
        <${Icon} name="paper" /><span>${count(papers.length)}</span>
      </button>`;
  }
  return html`
    <aside class="paper paper-sheet" aria-label=${t("paper")}>
      <${Stack} papers=${papers} away=${close} />
    </aside>`;
}

const count = (n) => (n === 1 ? t("one") : t("many", { n }));

// Stack is the printer's slot with the paper above it. The newest is on top; older ones can be leafed through.
function Stack({ papers, away, idle }) {
  const [picked, setPicked] = useState(null);
  const [torn, setTorn] = useState(null); // the paper that is being torn off, 0 for all
  const at = Math.max(0, papers.findIndex((p) => p.n === picked));
  const paper = papers[at];
  useEffect(() => setPicked(null), [papers[0]?.n]);
  const tear = async (n) => {
    setTorn(n);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) await new Promise((done) => setTimeout(done, tearing));
    await post("/paper/tear", { n });
    setTorn(null);
  };
  const several = papers.length > 1;
  return html`
    <div class="paper-room">
      ${paper ? html`<${Slip} key=${paper.n} paper=${paper} torn=${torn === paper.n || torn === 0} />` : idle}
    </div>
    <div class="paper-mouth">
      <div class="paper-slot" aria-hidden="true"></div>
      ${paper && html`
        <div class="paper-acts">
          ${several && html`
            <div class="paper-leaf">
              <button type="button" data-do="paper-newer" aria-label=${t("newer")} disabled=${at === 0} onClick=${() => setPicked(papers[at - 1].n)}><${Icon} name="back" /></button>
              <span data-count=${papers.length}>${t("of", { i: at + 1, n: papers.length })}</span>
              <button type="button" data-do="paper-older" aria-label=${t("older")} disabled=${at === papers.length - 1} onClick=${() => setPicked(papers[at + 1].n)}><${Icon} name="back" class="flip" /></button>
            </div>`}
          <a class="paper-link" data-do="paper-png" href=${`/paper/${paper.n}.png`} download=${`cupom-${paper.n}.png`} aria-label=${t("png")}>PNG</a>
          <a class="paper-link" data-do="paper-pdf" href=${`/paper/${paper.n}.pdf`} download=${`cupom-${paper.n}.pdf`} aria-label=${t("pdf")}>PDF</a>
          ${away && html`<button type="button" class="paper-away" data-do="paper-away" aria-label=${t("away")} title=${t("away")} onClick=${away}><${Icon} name="down" /></button>`}
          ${several && html`<${Button} kind="plain" data-do="tear-all" onPress=${() => tear(0)}>${t("all")}<//>`}
          <${Button} kind="primary" data-do="tear" onPress=${() => tear(paper.n)}>${t("tear")}<//>
        </div>`}
    </div>`;
}

// Slip is one paper. It is as wide as the printer's, and scrolls when longer than its room.
function Slip({ paper, torn }) {
  const box = useRef(null);
  useLayoutEffect(() => {
    box.current.scrollTop = 0;
  }, []);
  const width = `${paper.width / dotsPerEm}em`;
  return html`
    <div class=${"paper-scroll" + (torn ? " torn" : "")} ref=${box} tabindex="0" role="region" aria-label=${t("paper")} data-paper=${paper.n}>
      <div class="paper-slip" style=${{ width }}>
        <div class="paper-face"><img src=${`/paper/${paper.n}.png`} width=${paper.width} height=${paper.height} alt=${t("paper")} draggable=${false} /></div>
      </div>
    </div>`;
}
