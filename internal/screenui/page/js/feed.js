// What the service says, kept as one state, and the way back to it.
//
// The state holds every key of the feed's "state" events, and besides them:
//   hello    the last hello, whole; its emulator, version, apiUrl also stand by themselves
//   items, payments   the open sale's lines; a new array whenever one changes
//   lost     nothing has come from the service for a second
//   ready    the first whole state is here
import { useState, useLayoutEffect, useRef } from "./html.js";
import { merge } from "./lines.js";
import { keepPresence } from "./presence.js";

const retryAfter = 500;
const lostAfter = 1000;
const answerWithin = 15000;

let state = {
  ready: false, lost: false, hello: null, emulator: false, version: "", apiUrl: "", locale: "pt-BR", name: "",
  view: "idle", active: true, override: null, pages: 0, busy: false,
  printer: { state: "unknown" }, acquirer: { state: "none" },
  sale: null, closing: null, question: null, success: null, payment: null, result: null, display: null,
  notification: null, paper: [], setup: { needed: false, pin: false, fixedLogin: false },
  items: [], payments: [], linesOf: null,
};
const watchers = new Set();
let clockOffset = 0;

export function getState() {
  return state;
}

// serverNow is the service's clock, in milliseconds since 1970.
export function serverNow() {
  return Date.now() + clockOffset;
}

// What comes in one go is drawn in one go: the watchers look once the events at hand are all taken in. A message
// to oneself, unlike a timer or a frame, is not held back while the page is hidden.
const soon = new MessageChannel();
let told = true;
soon.port1.onmessage = () => {
  told = true;
  for (const look of [...watchers]) look();
};

function change(patch) {
  state = { ...state, ...patch };
  if (told) soon.port2.postMessage(null);
  told = false;
}

// useStore gives the selected part of the state and draws again when that part is another one. A selector may
// build an object: its values are compared one by one.
export function useStore(select) {
  const [, again] = useState(0);
  const seen = useRef(null);
  const value = select(state);
  const kept = seen.current && same(seen.current.value, value) ? seen.current.value : value;
  seen.current = { select, value: kept };
  useLayoutEffect(() => {
    const look = () => {
      if (!same(seen.current.select(state), seen.current.value)) again((n) => n + 1);
    };
    watchers.add(look);
    look();
    return () => watchers.delete(look);
  }, []);
  return kept;
}

function same(a, b) {
  if (Object.is(a, b)) return true;
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.is(a[key], b[key]));
}

function isPlain(value) {
  return value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
}

// post tells the service what a person did. It never throws: status 0 means that nobody answered.
export async function post(path, body = {}, options = {}) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerWithin),
      ...options,
    });
    const text = await response.text();
    return { ok: response.ok, status: response.status, data: parse(text) };
  } catch {
    return { ok: false, status: 0, data: null };
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

let source = null;
let greeted = false;
let retry = 0;
let lostTimer = 0;

// start opens the feed and keeps it open for as long as the page lives.
export function start() {
  connect();
  keepPresence({ page: () => (greeted ? state.hello.page : null), post, reconnect });
}

function connect() {
  clearTimeout(retry);
  if (source) source.close();
  greeted = false;
  const mine = (source = new EventSource("/feed"));
  const on = (name, take) => mine.addEventListener(name, (event) => mine === source && take(JSON.parse(event.data)));
  on("hello", greet);
  on("state", update);
  on("lines", (lines) => change(merge(state, lines)));
  mine.onerror = () => mine === source && reconnect();
  watchSilence();
}

// reconnect drops the connection there is: the browser's own retry gives up on some answers, this one never does.
function reconnect() {
  if (source) source.close();
  source = null;
  greeted = false;
  clearTimeout(retry);
  retry = setTimeout(connect, retryAfter);
  watchSilence();
}

function watchSilence() {
  if (!lostTimer) lostTimer = setTimeout(() => change({ lost: true }), lostAfter);
}

function greet(hello) {
  if (state.hello && state.hello.version !== hello.version) {
    location.reload(); // another program answers now: this page may not speak its language
    return;
  }
  clearTimeout(lostTimer);
  lostTimer = 0;
  clockOffset = hello.now - Date.now();
  const { emulator, version, apiUrl, locale, name } = hello;
  change({ lost: false, hello, emulator, version, apiUrl, locale, name });
  greeted = true;
  document.dispatchEvent(new Event("feed:hello"));
}

function update(patch) {
  if (patch.sale === null) patch = { ...patch, items: [], payments: [], linesOf: null };
  change({ ...patch, ready: true });
}
