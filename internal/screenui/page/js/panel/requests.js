// What callers asked last and what they were answered.
import { exactTime } from "../format.js";
import { useVisible } from "../hooks.js";
import { html, memo, useEffect, useState } from "../html.js";
import { get } from "../http.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { pretty } from "./json.js";

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
      <time>${exactTime(r.at).slice(0, 8)}</time><b>${r.method}</b><span>${r.path}</span><i>${r.status || t("running")}</i><small>${r.status ? took(r.durationMs) : ""}</small>
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
  const [list, setList] = useState([]);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (!visible) return undefined;
    let timer = 0;
    const stop = new AbortController();
    const look = async () => {
      const { ok, data } = await get("/emulator/requests", { signal: stop.signal });
      if (stop.signal.aborted) return;
      setLost(!ok);
      if (ok) setList((old) => joined(old, data));
      timer = setTimeout(look, every);
    };
    look();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [visible, command]);
  return { list, lost };
}

// joined keeps what is known already, so that it is not drawn again.
function joined(old, list) {
  const known = new Map(old.map((r) => [r.n, r]));
  const all = list.map((r) => {
    const was = known.get(r.n);
    return was && was.at === r.at && was.status === r.status && was.durationMs === r.durationMs ? was : r;
  });
  return all.length === old.length && all.every((r, i) => r === old[i]) ? old : all;
}
