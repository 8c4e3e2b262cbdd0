// What the caller put on the display: an image, a text or a carousel.
import { html, useState } from "../html.js";
import { post } from "../http.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { Button } from "../ui.js";
import { useKeys } from "../keys.js";
import { textOn, safeColour } from "../colour.js";
import { Carousel } from "../carousel.js";

const t = words({
  "pt-BR": { close: "Fechar", image: "Imagem", failed: "Não foi possível mostrar a imagem" },
  en: { close: "Close", image: "Image", failed: "The image could not be shown" },
  es: { close: "Cerrar", image: "Imagen", failed: "No se pudo mostrar la imagen" },
});

export function Display() {
  const display = useStore((s) => s.display);
  const close = () => post("/display/close", { id: display.id });
  const mayClose = Boolean(display?.showCloseButton);
  useKeys({ Enter: mayClose ? close : null, Escape: mayClose ? close : null });
  if (!display) return html`<section class="display" data-view="display" />`;
  const background = display.kind === "image" ? "#000" : safeColour(display.backgroundColor);
  const colour = display.kind === "image" ? "#fff" : textOn(display.backgroundColor);
  return html`<section class=${`display is-${display.kind}`} data-view="display" data-display=${display.id} data-kind=${display.kind} style=${{ background, color: colour }}>
    <div class="display-body" key=${display.id}>
      ${display.kind === "image" ? html`<${Picture} url=${display.url} />` : null}
      ${display.kind === "text" ? html`<${Lines} lines=${display.lines} />` : null}
      ${display.kind === "carousel" ? html`<${Carousel} urls=${display.urls} interval=${display.interval} transition=${display.transition} label=${t("image")} />` : null}
    </div>
    ${mayClose ? html`<div class="display-foot"><${Button} class=${colour === "#fff" ? "on-dark" : "on-light"} data-do="close" onPress=${close}>${t("close")}<//></div>` : null}
  </section>`;
}

function Picture({ url }) {
  const [failed, setFailed] = useState(false);
  if (failed) return html`<p class="display-failed">${t("failed")}</p>`;
  return html`<img class="display-image" src=${url} alt=${t("image")} decoding="async" onError=${() => setFailed(true)} />`;
}

const aligns = new Set(["left", "center", "right"]);
const usualSize = 16;

// Lines: sizes are points, and 12 points are one em of the screen, so that a text keeps its proportions everywhere;
// only a line whose longest word would not fit the screen is smaller.
function Lines({ lines }) {
  return html`<div class="display-lines" tabindex="0">
    <div class="display-text">
      ${lines.map((line, i) => {
        if (line.rule) return html`<div key=${i} class=${line.divider ? "display-rule" : "display-gap"} role=${line.divider ? "separator" : null} />`;
        if (line.code) return html`<${Code} key=${i} code=${line.code} />`;
        if (line.cells) return html`<${Row} key=${i} cells=${line.cells} />`;
        return html`<p key=${i} style=${letters(line, 1)}>${line.value || "\u00a0"}</p>`;
      })}
    </div>
  </div>`;
}

// letters is how a text looks that has so much of the width.
function letters(text, share) {
  const size = text.size > 0 ? text.size : usualSize;
  return {
    fontSize: `min(${size / 12}em, (100cqw - 2.6em) * ${share} / ${longest(text.value) * 0.72})`, fontWeight: text.bold ? 700 : 400,
    fontStyle: text.italic ? "italic" : "normal", textAlign: aligns.has(text.align) ? text.align : "left",
  };
}

function Row({ cells }) {
  const whole = cells.reduce((sum, cell) => sum + cell.weight, 0) || 1;
  return html`<div class="display-row">
    ${cells.map((cell, i) => html`<p key=${i} style=${{ ...letters(cell, cell.weight / whole), flex: `${cell.weight} 1 0` }}>${cell.value}</p>`)}
  </div>`;
}

// Code is white around, whatever the colour of the page: readers need it.
function Code({ code }) {
  const width = code.kind === "qrcode" ? (code.size || 150) / 12 : code.width / 18;
  return html`<div class="display-code"><img class=${`is-${code.kind}`} src=${code.url} alt=${code.text} style=${{ width: `min(${width}em, 92cqw)` }} /></div>`;
}

// longest counts the letters of the longest word. What is longer than any word is broken instead.
function longest(text) {
  return Math.min(22, Math.max(4, ...String(text ?? "").split(/\s+/).map((word) => word.length)));
}
