// The service's clock: a terminal's own may be wrong.
import { useState, useEffect } from "./html.js";
import { useListener } from "./hooks.js";

let offset = 0;

// setServerNow takes the service's time, in milliseconds since 1970.
export function setServerNow(now) {
  offset = now - Date.now();
}

export function serverNow() {
  return Date.now() + offset;
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
