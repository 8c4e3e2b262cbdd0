// What stands around every view: where one can go, who is signed in, and whether the hub still speaks.
import { signOut } from "./api.js";
import { html } from "./html.js";
import { words } from "./i18n.js";
import { Languages } from "./parts.js";
import { hashOf } from "./route.js";
import { change, useStore } from "./store.js";
import { Icon } from "./ui.js";

const t = words({
  "pt-BR": {
    terminals: "Terminais", transactions: "Transações", closing: "Fechamento", logs: "Logs", access: "Acessos", audit: "Auditoria",
    leave: "Sair", lost: "Sem ligação com o hub; tentando de novo.",
  },
  en: {
    terminals: "Terminals", transactions: "Transactions", closing: "Closing", logs: "Logs", access: "Access", audit: "Audit",
    leave: "Sign out", lost: "Not connected to the hub; trying again.",
  },
  es: {
    terminals: "Terminales", transactions: "Transacciones", closing: "Cierre", logs: "Logs", access: "Accesos", audit: "Auditoría",
    leave: "Salir", lost: "Sin conexión con el hub; reintentando.",
  },
});

const places = [["terminals", "card"], ["transactions", "paper"], ["closing", "bag"], ["logs", "bell"], ["access", "lock", true], ["audit", "check", true]];

export function Shell({ children }) {
  const { session, view, lost, version } = useStore((s) => ({ session: s.session, view: s.route.view, lost: s.lost, version: s.about.version }));
  const leave = async () => {
    await signOut();
    change({ session: null });
  };
  return html`
    <div class="hub">
      <header class="hub-head">
        <a class="hub-name" href=${hashOf("terminals")}><img src="/icon.svg" alt="" /><b>maquininha hub</b> <small>${version}</small></a>
        <span class="hub-who">${session.name}</span>
        <${Languages} />
        <button type="button" class="act" data-do="signout" onClick=${leave}>${t("leave")}</button>
      </header>
      <nav class="hub-nav">
        ${places.filter(([, , administers]) => !administers || session.role === "administers").map(([id, icon]) => html`
          <a key=${id} href=${hashOf(id)} data-nav=${id} aria-current=${view === id ? "page" : undefined}><${Icon} name=${icon} /><span>${t(id)}</span></a>`)}
      </nav>
      ${lost && html`<p class="hub-lost" role="status">${t("lost")}</p>`}
      <main class="hub-view" data-view=${view}>${children}</main>
    </div>`;
}
