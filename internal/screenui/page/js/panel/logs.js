// The log as it is written, with filters. Entries are kept here only while the section is open.
import { exactTime } from "../format.js";
import { useVisible } from "../hooks.js";
import { html, memo, useEffect, useMemo, useState } from "../html.js";
import { get } from "../http.js";
import { words } from "../i18n.js";
import { pretty } from "./json.js";
import { Act } from "./parts.js";

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

const drawn = 200;
const levels = ["fatal", "error", "warning", "info", "trace", "path", "debug"];
const sources = ["app", "router", "http"];

export function LogPanel() {
  const [filter, setFilter] = useState({ level: "", source: "", text: "" });
  const { entries: all, lost, clear } = useLog();
  const [frozen, setFrozen] = useState(null); // what is shown while paused
  const paused = frozen !== null;
  const entries = frozen ?? all;
  const fresh = paused ? all.filter((e) => e.id > (frozen[0]?.id ?? 0)).length : 0;
  const passing = useMemo(() => pass(entries, filter), [entries, filter]);
  const clearAll = () => {
    clear();
    if (paused) setFrozen([]);
  };
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
      <${Act} do="log-pause" on=${paused} onPress=${() => setFrozen(paused ? null : all)}>${paused ? t("resume") : t("pause")}<//>
      <${Act} do="log-clear" onPress=${clearAll}>${t("clear")}<//>
    </div>
    ${lost && html`<p class="said bad">${t("lost")}</p>`}
    <div class="log" data-log=${passing.length} tabindex="0" role="log" aria-live="off">
      ${passing.slice(0, drawn).map((e) => html`<${Entry} key=${e.id} entry=${e} />`)}
      ${!passing.length && html`<p class="why">${entries.length ? t("nothing") : t("none")}</p>`}
    </div>
    <p class="why">
      ${t("shown", { n: Math.min(drawn, passing.length), all: entries.length })}${fresh > 0 ? " · " + t("fresh", { n: fresh }) : ""}
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

const kept = 500;

// useLog reads what there is, then follows: {entries, lost, clear}, newest first. The stream rests while nobody sees
// the page: a browser allows few connections to one server. However many entries come, the list is drawn once a frame.
function useLog() {
  const visible = useVisible();
  const [entries, setEntries] = useState([]);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (!visible) return undefined;
    let pending = [];
    let frame = 0;
    let ended = false;
    const draw = () => {
      const more = pending;
      pending = [];
      frame = 0;
      setEntries((list) => join(list, more));
    };
    const take = (list) => {
      if (ended) return;
      pending.push(...list);
      frame ||= requestAnimationFrame(draw);
    };
    const stream = new EventSource("/logs/stream");
    stream.onopen = async () => {
      setLost(false);
      const { ok, data } = await get("/logs?limit=" + drawn);
      if (ok && data) take(data);
    };
    stream.onerror = () => setLost(true);
    stream.onmessage = (event) => take([JSON.parse(event.data)]);
    return () => {
      ended = true;
      stream.close();
      cancelAnimationFrame(frame);
    };
  }, [visible]);
  const clear = () => {
    cleared = Math.max(cleared, ...entries.map((e) => e.id));
    setEntries([]);
  };
  return { entries, lost, clear };
}

let cleared = 0; // entries up to this one were cleared away, also when the section is opened again

// join puts entries into the list, newest first, each once.
function join(list, more) {
  const known = new Set(list.map((e) => e.id));
  const fresh = more.filter((e) => e.id > cleared && !known.has(e.id) && known.add(e.id)).map((e) => ({
    ...e, time: exactTime(e.createdAt), folded: fold(`${e.message} ${typeof e.details === "string" ? e.details : e.details ? JSON.stringify(e.details) : ""}`),
  }));
  if (!fresh.length) return list;
  return [...fresh, ...list].sort((a, b) => b.id - a.id).slice(0, kept);
}

// fold makes text comparable whatever its case and accents.
function fold(text) {
  return String(text ?? "").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
