// Hooks that several parts of the page share.
import { useState, useEffect, useLayoutEffect, useRef } from "./html.js";

// useLatest gives a ref to the value of the latest drawing, for what is set up once and called later.
export function useLatest(value) {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}

// useListener calls the latest handler for the target's events. It listens before the drawing can be seen, so that
// what is typed at once counts. Without a handler it does not listen.
export function useListener(target, name, handler, capture = false) {
  const latest = useLatest(handler);
  const listens = Boolean(handler);
  useLayoutEffect(() => {
    if (!listens) return undefined;
    const call = (event) => latest.current(event);
    target.addEventListener(name, call, capture);
    return () => target.removeEventListener(name, call, capture);
  }, [target, name, listens, capture]);
}

// usePrevious gives what the value was before it became this one.
export function usePrevious(value) {
  const seen = useRef({ now: value, before: undefined });
  if (seen.current.now !== value) seen.current = { now: value, before: seen.current.now };
  return seen.current.before;
}

// useMedia tells whether a MediaQueryList matches.
export function useMedia(query) {
  const [matches, setMatches] = useState(query.matches);
  useListener(query, "change", () => setMatches(query.matches));
  return matches;
}

// useVisible tells whether anybody can see the page.
export function useVisible() {
  const [visible, setVisible] = useState(!document.hidden);
  useListener(document, "visibilitychange", () => setVisible(!document.hidden));
  return visible;
}

// useBriefly keeps a value for so many milliseconds: [value, show].
export function useBriefly(ms) {
  const [value, show] = useState(null);
  useEffect(() => {
    if (value === null) return undefined;
    const timer = setTimeout(() => show(null), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return [value, show];
}

// useOnce lets one action run at a time: {busy, once}. once(action) resolves to what the action does, or to undefined
// while another is under way.
export function useOnce() {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const once = async (action) => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    const result = await action();
    running.current = false;
    setBusy(false);
    return result;
  };
  return { busy, once };
}

// useHold calls the latest action once a key was held for some milliseconds, then again every so many, if that is
// given: {start, stop}.
export function useHold(action, after, every) {
  const latest = useLatest(action);
  const timer = useRef(0);
  const stop = () => clearTimeout(timer.current);
  const fire = () => {
    latest.current();
    if (every) timer.current = setTimeout(fire, every);
  };
  const start = () => {
    stop();
    timer.current = setTimeout(fire, after);
  };
  useEffect(() => stop, []);
  return { start, stop };
}
