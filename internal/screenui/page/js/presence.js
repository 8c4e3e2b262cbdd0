// Tells the service whether a person can see this page.
import { post } from "./http.js";

const beatEvery = 1000;
const beatWithin = 2500;

// keepPresence reports visibility at once, beats while visible, and says goodbye. page() is this page's id for
// the service, or null while there is no connection. A beat that nobody answers, or that the service does not
// know, calls reconnect: a dead connection can look open for minutes.
export function keepPresence({ page, reconnect }) {
  const visible = () => document.visibilityState === "visible";
  let reports = 0; // numbered, because one may overtake another
  const report = () => {
    if (page() !== null) post("/page/visible", { page: page(), visible: visible(), report: ++reports }, { keepalive: true });
  };
  const beat = async () => {
    const mine = page();
    if (mine === null || !visible()) return;
    const { ok } = await post("/page/beat", { page: mine }, { signal: AbortSignal.timeout(beatWithin) });
    if (!ok && mine === page() && visible()) reconnect();
  };
  document.addEventListener("feed:hello", report);
  document.addEventListener("visibilitychange", report);
  addEventListener("pagehide", () => {
    if (page() !== null) navigator.sendBeacon("/page/gone", JSON.stringify({ page: page() }));
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) reconnect();
  });
  setInterval(beat, beatEvery);
}
