// What changes at the hub, as it changes: each event names a terminal and how it is now.
import { flat, session, terminals } from "./api.js";
import { nobody } from "./initial.js";
import { change, getState } from "./store.js";

const retryAfter = 1000;

// follow listens until it is told to stop: it returns how.
export function follow() {
  let source = null;
  let retry = 0;
  let ended = false;
  let serial = null; // of the newest change that is known
  let told = {}; // what came since the page was drawn last
  let called = {};
  const open = () => {
    source = new EventSource("/api/v1/events?since=" + serial);
    source.onopen = () => change({ lost: false });
    source.addEventListener("terminal", (event) => {
      const terminal = parse(event.data);
      if (!terminal?.id) return;
      const { id, name, ...rest } = flat(terminal);
      told[id] = rest;
      called[id] = name;
    });
    source.addEventListener("serial", (event) => { // ends what came together
      serial = event.data;
      const { news, changed, names } = getState();
      change({ news: news + 1, changed: { ...changed, ...told }, names: { ...names, ...called } });
      told = {};
      called = {};
    });
    source.onerror = again;
  };
  const again = async () => {
    source?.close();
    change({ lost: true });
    const who = await session();
    if (ended) return;
    if (who === null) change(nobody); // it has ended, or was ended
    else retry = setTimeout(connect, retryAfter);
  };
  const connect = async () => {
    // A hub that started anew, or another one, does not know the serial, and tells of all terminals.
    const said = await terminals({ limit: 1 });
    if (ended) return;
    if (said.serial === undefined) {
      again();
      return;
    }
    if (serial === null) serial = said.serial;
    open();
    change({ news: getState().news + 1 }); // what happened meanwhile is looked at
  };
  connect();
  return () => {
    ended = true;
    clearTimeout(retry);
    source?.close();
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
