// The feed: one connection over which the service tells everything.
import { setServerNow } from "./clock.js";
import { merge } from "./lines.js";
import { keepPresence } from "./presence.js";
import { change, getState } from "./store.js";

const retryAfter = 500;
const lostAfter = 1000;

let source = null;
let page = null; // this page's id for the service; null while there is no connection
let retry = 0;
let lostTimer = 0;

// start opens the feed and keeps it open for as long as the page lives.
export function start() {
  connect();
  keepPresence({ page: () => page, reconnect });
}

function connect() {
  clearTimeout(retry);
  source?.close();
  page = null;
  const mine = (source = new EventSource("/feed"));
  const on = (name, take) => mine.addEventListener(name, (event) => mine === source && take(JSON.parse(event.data)));
  on("hello", greet);
  on("state", update);
  on("lines", (lines) => change(merge(getState(), lines)));
  mine.onerror = () => mine === source && reconnect();
  watchSilence();
}

// reconnect drops the connection there is: the browser's own retry gives up on some answers, this one never does.
function reconnect() {
  source?.close();
  source = null;
  page = null;
  clearTimeout(retry);
  retry = setTimeout(connect, retryAfter);
  watchSilence();
}

function watchSilence() {
  if (!lostTimer) lostTimer = setTimeout(() => change({ lost: true }), lostAfter);
}

function greet(hello) {
  const before = getState().hello;
  if (before && before.version !== hello.version) {
    location.reload(); // another version of the program answers now, and brings a page of its own
    return;
  }
  clearTimeout(lostTimer);
  lostTimer = 0;
  setServerNow(hello.now);
  const { emulator, version, apiUrl, locale, name } = hello;
  change({ lost: false, hello, emulator, version, apiUrl, locale, name });
  page = hello.page;
  document.dispatchEvent(new Event("feed:hello"));
}

function update(patch) {
  if (patch.sale === null) patch = { ...patch, items: [], payments: [], discounts: [], additions: [], linesOf: null };
  change({ ...patch, ready: true });
}
