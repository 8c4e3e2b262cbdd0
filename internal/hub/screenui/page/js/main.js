// The page of the hub: who is not signed in signs in, everybody else sees the view that the address names.
import { about, session } from "./api.js";
import { ErrorBoundary } from "./boundary.js";
import { html, render, useEffect } from "./html.js";
import { follow } from "./live.js";
import { startLocale } from "./locale.js";
import { startRoutes } from "./route.js";
import { Shell } from "./shell.js";
import { change, useStore } from "./store.js";
import { Access } from "./views/access.js";
import { Audit } from "./views/audit.js";
import { Closing } from "./views/closing.js";
import { Fleet } from "./views/fleet.js";
import { Logs } from "./views/logs.js";
import { SignIn } from "./views/signin.js";
import { Terminal } from "./views/terminal.js";
import { Transactions } from "./views/transactions.js";

const views = { terminals: Fleet, transactions: Transactions, closing: Closing, logs: Logs, access: Access, audit: Audit };

function App() {
  const { signed, known, route, locale } = useStore((s) => ({ signed: Boolean(s.session), known: s.session !== undefined, route: s.route, locale: s.locale }));
  useEffect(() => (signed ? follow() : undefined), [signed]);
  if (!known) return null;
  if (!signed) return html`<${SignIn} key=${locale} />`;
  const View = route.view === "terminals" && route.id ? Terminal : views[route.view];
  return html`<${Shell} key=${locale}><${ErrorBoundary} key=${route.view + route.id}><${View} id=${route.id} /><//><//>`;
}

startLocale();
startRoutes();
render(html`<${App} />`, document.getElementById("app"));
const [said, who] = await Promise.all([about(), session()]);
change({ about: said, session: who });
