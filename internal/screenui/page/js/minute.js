// The wall clock.
import { useState, useEffect } from "./html.js";
import { serverNow } from "./feed.js";

// useMinute gives the time by the service's clock and draws again when the minute turns.
export function useMinute() {
  const [now, setNow] = useState(() => new Date(serverNow()));
  useEffect(() => {
    let timer = 0;
    const tick = () => {
      const date = new Date(serverNow());
      setNow(date);
      timer = setTimeout(tick, 60_000 - (date.getTime() % 60_000) + 20);
    };
    tick();
    document.addEventListener("visibilitychange", retick);
    document.addEventListener("feed:hello", retick);
    function retick() {
      clearTimeout(timer);
      tick();
    }
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", retick);
      document.removeEventListener("feed:hello", retick);
    };
  }, []);
  return now;
}
