// A command has come: tells whoever looks at the page, and whoever does not.
import { useState, useEffect, useRef } from "./html.js";
import { serverNow } from "./clock.js";
import { local, session } from "./storage.js";
import { getState, useStore } from "./store.js";
import { words } from "./i18n.js";

export const t = words({
  "pt-BR": { title: "Comando recebido", text: "Restaure o aplicativo" },
  en: { title: "Command received", text: "Bring the app back up" },
  es: { title: "Comando recibido", text: "Restaure la aplicación" },
});

const shownFor = 2500;
const staleAfter = 5000; // a notice this old came before the page
const seenKey = "maquininha.notice";
const askedKey = "maquininha.notifications.asked";

// useNotices gives the notice to show now, or null. Commands that follow one another closely are one notice; one
// that was already shown, or came before the page, is none. While the app is away it stays until it comes back.
export function useNotices(away) {
  const newest = useStore((s) => s.notification);
  const [notice, setNotice] = useState(null);
  const timer = useRef(0);
  useEffect(askOnFirstTouch, []);
  // This effect stands before the next one: a command may come with the same change that sends the app away.
  useEffect(() => {
    clearTimeout(timer.current);
    setNotice(null);
  }, [away]);
  useEffect(() => {
    if (!newest || !isNew(newest)) return;
    if (document.visibilityState !== "visible") {
      notifySystem();
      if (!away) return;
    }
    setNotice(newest);
    clearTimeout(timer.current);
    if (!away) timer.current = setTimeout(() => setNotice(null), shownFor);
  }, [newest]);
  return notice;
}

// A reload must not tell again what was told.
let seen = session.recall(seenKey);
addEventListener("pagehide", () => session.remember(seenKey, seen));

function isNew(notification) {
  const name = `${getState().hello?.boot}:${notification.id}`;
  if (seen === name) return false;
  seen = name;
  return serverNow() - new Date(notification.at).getTime() < staleAfter;
}

let withdraw = () => {};

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") withdraw();
});

function notifySystem() {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const options = { body: t("text"), tag: "maquininha", icon: "/icon-192.png", lang: document.documentElement.lang };
  try {
    const shown = new Notification(t("title"), options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    withdraw = () => shown.close();
  } catch {
    notifyByWorker(options); // phones only let a service worker notify
  }
}

async function notifyByWorker(options) {
  try {
    await navigator.serviceWorker.register("/sw.js");
    const worker = await navigator.serviceWorker.ready;
    await worker.showNotification(t("title"), options);
    withdraw = async () => (await worker.getNotifications()).forEach((shown) => shown.close());
  } catch {
    // not possible here: the toast waits for whoever comes back
  }
}

// A browser only lets a person's touch ask, and asking once is enough.
function askOnFirstTouch() {
  if (!("Notification" in window) || Notification.permission !== "default" || local.recall(askedKey)) return;
  const ask = () => {
    local.remember(askedKey, true);
    try {
      Notification.requestPermission()?.catch(() => {});
    } catch {
      // not allowed here: the toast remains
    }
  };
  addEventListener("pointerup", ask, { once: true });
  return () => removeEventListener("pointerup", ask);
}
