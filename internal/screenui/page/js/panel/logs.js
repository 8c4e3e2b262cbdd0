// The log as it is written, with filters. Entries are kept here only while the section is open.
import { html, memo, useEffect, useMemo, useRef, useState } from "../html.js";
import { words } from "../i18n.js";
import { Act, fold, timeOf, useVisible } from "./parts.js";

const t = words({
  "pt-BR": {
    level: "Nível", source: "Origem", all: "todos", any: "todas", text: "Filtrar texto", pause: "Pausar", resume: "Continuar", clear: "Limpar",
    none: "Nenhum registro.", nothing: "Nada passa pelo filtro.", lost: "Sem ligação com os logs; tentando de novo.", fresh: "{n} novos", shown: "{n} de {all}",
  },
  en: {
    level: "Level", source: "Source", all: "all", any: "all", text: "Filter text", pause: "Pause", resume: "Resume", clear: "Clear",
    none: "No entries.", nothing: "Nothing passes the filter.", lost: "Not connected to the logs; trying again.", fresh: "{n} new", shown: "{n} of {all}",
  },
  es: {
    level: "Nivel", source: "Origen", all: "todos", any: "todos", text: "Filtrar texto", pause: "Pausar", resume: "Continuar", clear: "Limpiar",
    none: "Ningún registro.", nothing: "Nada pasa el filtro.", lost: "Sin conexión con los logs; reintentando.", fresh: "{n} nuevos", shown: "{n} de {all}",
  },
});

const kept = 500;
const drawn = 200;
const levels = ["fatal", "error", "warning", "info", "trace", "path", "debug"];
const sources = ["app", "router", "http"];

export function LogPanel() {
  const [filter, setFilter] = useState({ level: "", source: "", text: "" });
  const [paused, setPaused] = useState(false);
  const { entries, fresh, lost, clear } = useLog(paused);
  const passing = useMemo(() => pass(entries, filter), [entries, filter]);
  const set = (key) => (event) => setFilter({ ...filter, [key]: event.currentTarget.value });
  return html`
    <div class="log-tools">
      <select aria-label=${t("level")} data-key="log-level" value=${filter.level} onChange=${set("level")}>
        <option value="">${t("level")}: ${t("all")}</option>
        ${levels.map((l) => html`<option key=${l} value=${l}>${l}</option>`)}
      </select>
      <select aria-label=${t("source")} data-key="log-source" value=${filter.source} onChange=${set("source")}>
        <option value="">${t("source")}: ${t("any")}</option>
        ${sources.map((s) => html`<option key=${s} value=${s}>${s}</option>`)}
      </select>
      <input type="search" data-key="log-text" placeholder=${t("text")} aria-label=${t("text")} value=${filter.text} onInput=${set("text")} />
      <${Act} do="log-pause" on=${paused} onPress=${() => setPaused(!paused)}>${paused ? t("resume") : t("pause")}<//>
      <${Act} do="log-clear" onPress=${clear}>${t("clear")}<//>
    </div>
    ${lost && html`<p class="said bad">${t("lost")}</p>`}
    <div class="log" data-log=${passing.length} tabindex="0" role="log" aria-live="off">
      ${passing.slice(0, drawn).map((e) => html`<${Entry} key=${e.id} entry=${e} />`)}
      ${!passing.length && html`<p class="why">${entries.length ? t("nothing") : t("none")}</p>`}
    </div>
    <p class="why">
      ${t("shown", { n: Math.min(drawn, passing.length), all: entries.length })}${paused && fresh > 0 ? " · " + t("fresh", { n: fresh }) : ""}
    </p>`;
}

function pass(entries, { level, source, text }) {
  const wanted = fold(text.trim());
  return entries.filter((e) => (!level || e.level === level) && (!source || e.source === source) && (!wanted || e.folded.includes(wanted)));
}

const Entry = memo(({ entry }) => {
  const [open, setOpen] = useState(false);
  const row = html`<time>${entry.time}</time><b>${entry.level}</b><i>${entry.source}</i><span>${entry.message}</span>`;
  const kind = "log-row " + entry.level;
  if (!entry.details) return html`<div class=${kind}>${row}</div>`;
  return html`
    <button type="button" class=${kind + " more"} aria-expanded=${open} onClick=${() => setOpen(!open)}>${row}</button>
    ${open && html`<pre class="panel-json">${pretty(entry.details)}</pre>`}`;
});

// pretty lays out JSON, and leaves what is none as it is.
export function pretty(text) {
  if (typeof text !== "string") return JSON.stringify(text, null, 2);
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return indent(text);
}

// indent lays out JSON that parses without reading its numbers, so that 7.490 stays 7.490.
function indent(text) {
  let out = "";
  let depth = 0;
  const line = () => "\n" + "  ".repeat(depth);
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|[[{]\s*[\]}]|[[{\]},:]|[^\s"[\]{},:]+/g)) {
    if (token === "{" || token === "[") (depth++, (out += token + line()));
    else if (token === "}" || token === "]") (depth--, (out += line() + token));
    else if (token === ",") out += token + line();
    else if (token === ":") out += ": ";
    else out += token.length > 1 && /^[[{]/.test(token) ? token[0] + token.at(-1) : token;
  }
  return out;
}

// useLog reads what there is, then follows. The stream rests while nobody sees the page: a browser allows few
// connections to one server. However many entries come, the list is drawn once a frame.
function useLog(paused) {
  const visible = useVisible();
  const [shown, setShown] = useState({ entries: [], fresh: 0 });
  const [lost, setLost] = useState(false);
  const all = useRef([]);
  const stop = useRef(paused);
  const draw = () => setShown((was) => (stop.current ? { ...was, fresh: newer(all.current, was.entries) } : { entries: all.current, fresh: 0 }));
  useEffect(() => {
    stop.current = paused;
    draw();
  }, [paused]);
  useEffect(() => {
    if (!visible) return;
    let ended = false;
    let frame = 0;
    const take = (list) => {
      all.current = join(all.current, list);
      frame ||= requestAnimationFrame(() => ((frame = 0), draw()));
    };
    const catchUp = () => fetch("/logs?limit=" + drawn).then((r) => (r.ok ? r.json() : [])).then((list) => !ended && take(list), () => {});
    const stream = new EventSource("/logs/stream");
    stream.onopen = () => (setLost(false), catchUp());
    stream.onerror = () => setLost(true);
    stream.onmessage = (event) => {
      try {
        take([JSON.parse(event.data)]);
      } catch {
        // not an entry
      }
    };
    return () => {
      ended = true;
      stream.close();
      cancelAnimationFrame(frame);
    };
  }, [visible]);
  const clear = () => {
    floor = Math.max(floor, ...all.current.map((e) => e.id));
    all.current = [];
    setShown({ entries: [], fresh: 0 });
  };
  return { ...shown, lost, clear };
}

let floor = 0; // entries up to this one were cleared away

const newer = (all, seen) => all.filter((e) => e.id > (seen[0]?.id ?? 0)).length;

// join puts entries into the list, newest first, each once.
function join(list, more) {
  const known = new Set(list.map((e) => e.id));
  const fresh = more.filter((e) => e.id > floor && !known.has(e.id)).map((e) => ({
    ...e, time: timeOf(e.createdAt), folded: fold(`${e.message} ${typeof e.details === "string" ? e.details : e.details ? JSON.stringify(e.details) : ""}`),
  }));
  if (!fresh.length) return list;
  return [...fresh, ...list].sort((a, b) => b.id - a.id).slice(0, kept);
}
