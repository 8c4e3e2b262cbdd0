// What every section of the panel is made of.
import { html, useCallback, useEffect, useRef, useState } from "../html.js";
import { post, useStore } from "../feed.js";
import { words } from "../i18n.js";

const t = words({
  "pt-BR": { unreachable: "O serviço não respondeu", failed: "Recusado ({status})" },
  en: { unreachable: "The service did not answer", failed: "Refused ({status})" },
  es: { unreachable: "El servicio no respondió", failed: "Rechazado ({status})" },
});

const memory = "maquininha.panel";

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(memory)) ?? {};
  } catch {
    return {};
  }
}

function remember(id, open) {
  try {
    localStorage.setItem(memory, JSON.stringify({ ...remembered(), [id]: open }));
  } catch {
    // no storage: sections start open next time
  }
}

// Section can be closed, and is so next time too. What it holds lives only while it is open. note selects from
// the state a word to show in its head.
export function Section({ id, title, note, children }) {
  const [open, setOpen] = useState(() => remembered()[id] ?? true);
  const word = useStore(note ?? nothing);
  const toggle = () => {
    remember(id, !open);
    setOpen(!open);
  };
  return html`
    <section class=${"panel-section" + (open ? " open" : "")} data-section=${id}>
      <h3>
        <button type="button" data-do=${"section-" + id} aria-expanded=${open} onClick=${toggle}>
          <i class="panel-arrow" aria-hidden="true"></i><span>${title}</span>${word && html`<em>${word}</em>`}
        </button>
      </h3>
      ${open && html`<div class="panel-body">${children}</div>`}
    </section>`;
}

const nothing = () => null;

// Act is a button of the panel.
export function Act({ do: name, on, disabled, title, onPress, class: extra = "", children }) {
  return html`<button type="button" class=${"act " + extra} data-do=${name} aria-pressed=${on} disabled=${disabled} title=${title} onClick=${onPress}>${children}</button>`;
}

// Choice is a row of which one is on: options are [value, label].
export function Choice({ name, label, options, value, onPick }) {
  return html`
    <div class="choice" role="group" aria-label=${label}>
      ${options.map(([option, word]) => html`
        <${Act} key=${String(option)} do=${`${name}-${option}`} on=${option === value} onPress=${() => onPick(option)}>${word}<//>`)}
    </div>`;
}

// useCall sends to the service and keeps what came of it for a while: [call, said].
export function useCall() {
  const [said, setSaid] = useState(null);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const call = useCallback(async (path, body, done) => {
    const { ok, status, data } = await post(path, body);
    const text = data?.message || (status ? t("failed", { status }) : t("unreachable"));
    clearTimeout(timer.current);
    setSaid(ok ? { ok, text: done ?? data?.message ?? "" } : { ok, text });
    timer.current = setTimeout(() => setSaid(null), 4000);
    return ok;
  }, []);
  return [call, said];
}

export function Said({ said }) {
  return html`<p class=${"said" + (said && !said.ok ? " bad" : "")} role="status">${said?.text}</p>`;
}

// useVisible tells whether anybody can see the page.
export function useVisible() {
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return visible;
}

// fold makes text comparable whatever its case and accents.
export function fold(text) {
  return String(text ?? "").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

// timeOf is an instant as hours, minutes, seconds and milliseconds.
export function timeOf(stamp) {
  const at = new Date(stamp);
  if (Number.isNaN(at.getTime())) return "";
  const two = (n) => String(n).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}
