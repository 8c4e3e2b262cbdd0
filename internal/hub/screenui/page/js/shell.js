// What stands around every view: where one can go, who is signed in, and whether the hub still speaks.
import { signOut } from "./api.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { words } from "./i18n.js";
import { nobody } from "./initial.js";
import { Languages } from "./parts.js";
import { hashOf } from "./route.js";
import { change, useStore } from "./store.js";
import { Icon } from "./ui.js";
import { Factor } from "./views/factor.js";

const t = words({
  "pt-BR": {
    terminals: "Terminais", transactions: "Transações", closing: "Fechamento", logs: "Logs", operations: "Operações", places: "Lojas", settings: "Configurações", webhooks: "Webhooks", access: "Acessos", audit: "Auditoria", more: "Mais",
    leave: "Sair", lost: "Sem ligação com o hub; tentando de novo.", skip: "Ir para o conteúdo", nav: "Partes", factor: "{name}: segundo fator",
  },
  en: {
    terminals: "Terminals", transactions: "Transactions", closing: "Closing", logs: "Logs", operations: "Operations", places: "Shops", settings: "Settings", webhooks: "Webhooks", access: "Access", audit: "Audit", more: "More",
    leave: "Sign out", lost: "Not connected to the hub; trying again.", skip: "Skip to the content", nav: "Parts", factor: "{name}: second factor",
  },
  es: {
    terminals: "Terminales", transactions: "Transacciones", closing: "Cierre", logs: "Logs", operations: "Operaciones", places: "Tiendas", settings: "Configuración", webhooks: "Webhooks", access: "Accesos", audit: "Auditoría", more: "Más",
    leave: "Salir", lost: "Sin conexión con el hub; reintentando.", skip: "Ir al contenido", nav: "Partes", factor: "{name}: segundo factor",
  },
});

// [view, icon, whether only administrators go there]; those behind the first four are under "more" on a telephone.
const places = [
  ["terminals", "card"], ["transactions", "paper"], ["closing", "sum"], ["logs", "lines"], ["operations", "clock"], ["places", "shop"], ["settings", "gear", true], ["webhooks", "send", true], ["access", "lock", true], ["audit", "check", true],
];
const first = 4;

// further are the places that a telephone's bar has no room for: [view, icon, name].
export function further(role) {
  return open(role).slice(first).map(([id, icon]) => [id, icon, t(id)]);
}

function open(role) {
  return places.filter(([, , administers]) => !administers || role === "administers");
}

export function Shell({ children }) {
  const { session, view, id, lost, version } = useStore((s) => ({ session: s.session, view: s.route.view, id: s.route.id, lost: s.lost, version: s.about.version }));
  const main = useRef(null);
  const [factor, showFactor] = useState(false);
  const begun = useRef(false);
  useEffect(() => {
    document.title = `${t(view)} · maquininha hub`;
    if (begun.current) main.current.focus({ preventScroll: true }); // who hears the page hears the new view
    begun.current = true;
    main.current.scrollTop = 0;
  }, [view, id]);
  const leave = async () => {
    await signOut();
    change(nobody);
  };
  const seen = open(session.role);
  const beyond = seen.slice(first).some(([one]) => one === view) || view === "more";
  return html`
    <div class="hub">
      <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); main.current.focus(); }}>${t("skip")}</a>
      <header class="hub-head">
        <a class="hub-name" href=${hashOf("terminals")} aria-label="maquininha hub"><img src="/icon.svg" alt="" /><b>maquininha hub</b> <small>${version}</small></a>
        <button type="button" class="act hub-who" data-do="factor" aria-label=${t("factor", { name: session.name })} onClick=${() => showFactor(true)}><${Icon} name="lock" /><span>${session.name}</span></button>
        <${Languages} />
        <button type="button" class="act" data-do="signout" onClick=${leave}>${t("leave")}</button>
      </header>
      <nav class="hub-nav" aria-label=${t("nav")}>
        ${seen.map(([one, icon], i) => html`
          <a key=${one} class=${i >= first ? "wide" : ""} href=${hashOf(one)} data-nav=${one} aria-current=${view === one ? "page" : undefined}><${Icon} name=${icon} /><span>${t(one)}</span></a>`)}
        <a class="narrow" href=${hashOf("more")} data-nav="more" aria-current=${beyond ? "page" : undefined}><${Icon} name="more" /><span>${t("more")}</span></a>
      </nav>
      ${lost && html`<p class="hub-lost" role="status">${t("lost")}</p>`}
      ${factor && html`<${Factor} onClose=${() => showFactor(false)} />`}
      <main class="hub-view" id="main" tabindex="0" ref=${main} data-view=${view}>${children}</main>
    </div>`;
}
