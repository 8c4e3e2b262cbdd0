// What the service says, kept as one state. Each page has a file initial.js of its own: what is shown before anything was said.
import { initial } from "./initial.js";
import { useState, useLayoutEffect } from "./html.js";
import { useLatest } from "./hooks.js";

let state = initial;
const watchers = new Set();

export function getState() {
  return state;
}

// Changes that come together are drawn together: the watchers look once the events at hand are all taken in. A
// message to oneself, unlike a timer or a frame, is not held back while the page is hidden.
const channel = new MessageChannel();
let scheduled = false;
channel.port1.onmessage = () => {
  scheduled = false;
  for (const look of [...watchers]) look();
};

export function change(patch) {
  state = { ...state, ...patch };
  if (!scheduled) channel.port2.postMessage(null);
  scheduled = true;
}

// useStore gives the selected part of the state and draws again when that part is another one. A selector may
// build an object: its values are compared one by one.
export function useStore(select) {
  const [, redraw] = useState(0);
  const selected = select(state);
  const drawn = useLatest({ select, selected });
  useLayoutEffect(() => {
    const look = () => {
      if (!same(drawn.current.select(state), drawn.current.selected)) redraw((n) => n + 1);
    };
    watchers.add(look);
    look();
    return () => watchers.delete(look);
  }, []);
  return selected;
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
