// The page of the hub: who is not signed in signs in, everybody else sees the view that the address names.
import { about, session, signOut } from "./api.js";
import { ErrorBoundary } from "./boundary.js";
import { html, render, useEffect } from "./html.js";
import { words } from "./i18n.js";
import { nobody } from "./initial.js";
import { follow } from "./live.js";
import { startLocale } from "./locale.js";
import { startRoutes } from "./route.js";
import { Shell, further } from "./shell.js";
import { change, useStore } from "./store.js";
import { Access } from "./views/access.js";
import { Audit } from "./views/audit.js";
import { Closing } from "./views/closing.js";
import { Factor } from "./views/factor.js";
import { Fleet } from "./views/fleet.js";
import { Logs } from "./views/logs.js";
import { More } from "./views/more.js";
import { Operations } from "./views/operations.js";
import { Places } from "./views/places.js";
import { Settings } from "./views/settings.js";
import { SignIn } from "./views/signin.js";
import { Terminal } from "./views/terminal.js";
import { Transactions } from "./views/transactions.js";
import { Webhooks } from "./views/webhooks.js";

const views = { terminals: Fleet, transactions: Transactions, closing: Closing, logs: Logs, operations: Operations, places: Places, settings: Settings, webhooks: Webhooks, access: Access, audit: Audit, more: More };

const retryAfter = 1000;
const t = words({
  "pt-BR": { lost: "O hub não responde; tentando de novo." },
  en: { lost: "The hub does not answer; trying again." },
  es: { lost: "El hub no responde; reintentando." },
});

async function leave() {
  await signOut();
  change(nobody);
}

// begin asks who is signed in until the hub says it.
async function begin() {
  for (let who; who === undefined;) {
    who = await session();
    change({ session: who, lost: who === undefined });
    if (who === undefined) await new Promise((done) => setTimeout(done, retryAfter));
  }
}

function App() {
  const { signed, known, view, id, locale, role, lost, must } = useStore((s) => ({ signed: Boolean(s.session), known: s.session !== undefined, view: s.route.view, id: s.route.id, locale: s.locale, role: s.session?.role, lost: s.lost, must: s.session?.mustSetFactor }));
  useEffect(() => (signed && !must ? follow() : undefined), [signed, must]);
  if (!known) return lost ? html`<p class="hub-lost" role="status">${t("lost")}</p>` : null;
  if (!signed) return html`<${SignIn} key=${locale} />`;
  if (must) return html`<${Factor} key=${locale} must onClose=${leave} />`;
  const View = view === "terminals" && id ? Terminal : views[view];
  return html`<${Shell} key=${locale}><${ErrorBoundary} key=${view + id}><${View} id=${id} places=${view === "more" ? further(role) : undefined} /><//><//>`;
}

startLocale();
startRoutes();
render(html`<${App} />`, document.getElementById("app"));
about().then((said) => change({ about: said }));
begin();
