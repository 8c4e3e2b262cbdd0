// The service's clock: a terminal's own may be wrong.
import { useState, useEffect } from "./html.js";
import { useListener } from "./hooks.js";

let offset = performance.timeOrigin;

// setServerNow takes the service's time, in milliseconds since 1970. It goes on by the page's own count of time: the
// terminal's clock may be set while a code waits to be paid.
export function setServerNow(now) {
  offset = now - performance.now();
}

export function serverNow() {
  return performance.now() + offset;
}

// useMinute gives the time and draws again when the minute turns.
export function useMinute() {
  const [now, setNow] = useState(() => new Date(serverNow()));
  const look = () => setNow(new Date(serverNow()));
  useEffect(() => {
    const timer = setTimeout(look, 60_000 - (now.getTime() % 60_000) + 20);
    return () => clearTimeout(timer);
  }, [now]);
  useListener(document, "visibilitychange", look);
  useListener(document, "feed:hello", look);
  return now;
}
