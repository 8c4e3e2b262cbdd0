// How the bank behind the terminal answers next.
import { html, useState } from "../html.js";
import { words } from "../i18n.js";
import { Act, Said, useCall } from "./parts.js";

const t = words({
  "pt-BR": {
    normal: "Normal", slow: "Lento", silent: "Silencioso", offline: "Fora do ar", refuse: "Recusa",
    times: "Próximas operações", fewer: "Menos", more: "Mais", queued: "Na fila: {n}× {what}", cleared: "Fila esvaziada: o adquirente responde normalmente",
    hint: "Vale para as próximas operações, na ordem programada.",
  },
  en: {
    normal: "Normal", slow: "Slow", silent: "Silent", offline: "Offline", refuse: "Declines",
    times: "Next operations", fewer: "Fewer", more: "More", queued: "Queued: {n}× {what}", cleared: "Queue cleared: the acquirer answers as usual",
    hint: "Applies to the next operations, in the order queued.",
  },
  es: {
    normal: "Normal", slow: "Lento", silent: "Silencioso", offline: "Fuera de línea", refuse: "Rechaza",
    times: "Próximas operaciones", fewer: "Menos", more: "Más", queued: "En cola: {n}× {what}", cleared: "Cola vaciada: el adquirente responde normalmente",
    hint: "Vale para las próximas operaciones, en el orden programado.",
  },
});

const replies = [
  ["slow", { next: "approve", delayMs: 8000 }],
  ["silent", { next: "timeout" }],
  ["offline", { next: "offline" }],
  ["refuse", { next: "refuse" }],
];

export function AcquirerPanel() {
  const [times, setTimes] = useState(1);
  const [call, said] = useCall();
  const send = (id, body) => call("/emulator/acquirer", { ...body, times }, t("queued", { n: times, what: t(id).toLowerCase() }));
  return html`
    <div class="acts">
      <${Act} do="acquirer-normal" onPress=${() => call("/emulator/acquirer", { next: "normal" }, t("cleared"))}>${t("normal")}<//>
      ${replies.map(([id, body]) => html`<${Act} key=${id} do=${"acquirer-" + id} onPress=${() => send(id, body)}>${t(id)}<//>`)}
    </div>
    <div class="times">
      <span>${t("times")}</span>
      <${Act} do="times-fewer" title=${t("fewer")} disabled=${times <= 1} onPress=${() => setTimes(times - 1)}>−<//>
      <output data-times=${times}>${times}</output>
      <${Act} do="times-more" title=${t("more")} disabled=${times >= 20} onPress=${() => setTimes(times + 1)}>+<//>
    </div>
    ${said?.text ? html`<${Said} said=${said} />` : html`<p class="why">${t("hint")}</p>`}`;
}
