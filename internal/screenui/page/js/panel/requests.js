// What callers asked last and what they were answered.
import { html, memo, useEffect, useRef, useState } from "../html.js";
import { useStore } from "../feed.js";
import { words } from "../i18n.js";
import { timeOf, useVisible } from "./parts.js";
import { pretty } from "./logs.js";

const t = words({
  "pt-BR": { none: "Nenhuma requisição ainda.", request: "Requisição", answer: "Resposta", cut: "cortado", empty: "sem corpo", lost: "Não foi possível ler as requisições.", running: "em curso" },
  en: { none: "No requests yet.", request: "Request", answer: "Answer", cut: "cut", empty: "no body", lost: "The requests could not be read.", running: "running" },
  es: { none: "Ninguna solicitud todavía.", request: "Solicitud", answer: "Respuesta", cut: "cortado", empty: "sin cuerpo", lost: "No se pudieron leer las solicitudes.", running: "en curso" },
});

const every = 1000;
const drawn = 100;

export function RequestPanel() {
  const { list, lost } = useRequests();
  return html`
    ${lost && html`<p class="said bad">${t("lost")}</p>`}
    <div class="requests" data-requests=${list.length}>
      ${list.slice(0, drawn).map((r) => html`<${Exchange} key=${r.n} n=${r.n} exchange=${r} />`)}
      ${!list.length && !lost && html`<p class="why">${t("none")}</p>`}
    </div>`;
}

const Exchange = memo(({ exchange: r }) => {
  const [open, setOpen] = useState(false);
  const kind = !r.status ? "running" : r.status < 400 ? "good" : r.status < 500 ? "bad" : "worse";
  return html`
    <button type="button" class=${"request " + kind} data-request=${r.n} aria-expanded=${open} onClick=${() => setOpen(!open)}>
      <time>${timeOf(r.at).slice(0, 8)}</time><b>${r.method}</b><span>${r.path}</span><i>${r.status || t("running")}</i><small>${r.status ? took(r.durationMs) : ""}</small>
    </button>
    ${open && html`
      <${Body} title=${t("request")} text=${r.request} cut=${r.requestTruncated} />
      <${Body} title=${t("answer")} text=${r.answer} cut=${r.answerTruncated} />`}`;
});

function Body({ title, text, cut }) {
  return html`
    <div class="request-body">
      <h4>${title}${cut && html`<em>${t("cut")}</em>`}</h4>
      ${text ? html`<pre class="panel-json">${pretty(text)}</pre>` : html`<p class="why">${t("empty")}</p>`}
    </div>`;
}

function took(ms) {
  if (ms === null || ms === undefined) return "";
  return ms >= 10000 ? `${Math.round(ms / 1000)} s` : `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}

// useRequests looks once a second and after every command, but only while somebody can see it.
function useRequests() {
  const visible = useVisible();
  const command = useStore((s) => s.notification?.id);
  const [state, setState] = useState({ list: [], lost: false });
  const known = useRef(new Map());
  useEffect(() => {
    if (!visible) return;
    let timer = 0;
    const stop = new AbortController();
    const look = async () => {
      try {
        const response = await fetch("/emulator/requests", { signal: stop.signal });
        if (!response.ok) throw new Error(String(response.status));
        const list = (await response.json()).map((r) => settled(known.current, r));
        known.current = new Map(list.map((r) => [r.n, r]));
        setState((was) => (was.lost || was.list.length !== list.length || list.some((r, i) => r !== was.list[i]) ? { list, lost: false } : was));
      } catch {
        if (stop.signal.aborted) return;
        setState((was) => ({ ...was, lost: true }));
      }
      timer = setTimeout(look, every);
    };
    look();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [visible, command]);
  return state;
}

// settled keeps the exchange known already, so that its row is not drawn again.
function settled(known, r) {
  const was = known.get(r.n);
  return was && was.at === r.at && was.status === r.status && was.durationMs === r.durationMs ? was : r;
}
