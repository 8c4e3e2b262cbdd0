// What every section of the panel is made of.
import { useBriefly } from "../hooks.js";
import { html, useState } from "../html.js";
import { post } from "../http.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { local } from "../storage.js";

const t = words({
  "pt-BR": { unreachable: "O serviço não respondeu", failed: "Recusado ({status})" },
  en: { unreachable: "The service did not answer", failed: "Refused ({status})" },
  es: { unreachable: "El servicio no respondió", failed: "Rechazado ({status})" },
});

const openKey = "maquininha.panel"; // which sections are open

// Section can be closed, and is so next time too. What it holds lives only while it is open. note selects from
// the state a word to show in its head.
export function Section({ id, title, note, children }) {
  const [open, setOpen] = useState(() => local.recall(openKey)?.[id] ?? true);
  const word = useStore(note ?? nothing);
  const toggle = () => {
    local.remember(openKey, { ...local.recall(openKey), [id]: !open });
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
  const [said, say] = useBriefly(4000);
  const call = async (path, body, done) => {
    const { ok, status, data } = await post(path, body);
    const refusal = data?.message || (status ? t("failed", { status }) : t("unreachable"));
    say({ ok, text: ok ? done ?? data?.message ?? "" : refusal });
  };
  return [call, said];
}

export function Said({ said }) {
  return html`<p class=${"said" + (said && !said.ok ? " bad" : "")} role="status">${said?.text}</p>`;
}
