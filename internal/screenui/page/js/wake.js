// Keeps the screen on for as long as somebody can see it.

let held = null;

async function hold() {
  if (held || document.visibilityState !== "visible") return;
  try {
    held = await navigator.wakeLock.request("screen");
    held.addEventListener("release", () => (held = null));
  } catch {
    held = null; // refused, for instance on an empty battery: the next touch asks again
  }
}

// keepAwake holds the lock, takes it again whenever the page comes back, and on a touch if it was refused.
export function keepAwake() {
  if (!("wakeLock" in navigator)) return;
  hold();
  document.addEventListener("visibilitychange", hold);
  addEventListener("pointerdown", hold, { passive: true });
}
