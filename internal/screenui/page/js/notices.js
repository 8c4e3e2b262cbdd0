// A command has come, or the caller has something to say: tells whoever looks at the page, and whoever does not.
import { useState, useEffect, useRef } from "./html.js";
import { serverNow } from "./clock.js";
import { local, session } from "./storage.js";
import { getState, useStore } from "./store.js";
import { words } from "./i18n.js";
import { money } from "./format.js";

export const t = words({
  "pt-BR": { title: "Comando recebido", text: "Restaure o aplicativo" },
  en: { title: "Command received", text: "Bring the app back up" },
  es: { title: "Comando recibido", text: "Restaure la aplicación" },
});

// What the terminal itself has to say, by kind.
const own = words({
  "pt-BR": {
    late: "Pago depois do fim", lateText: "{amount} de um pagamento já encerrado; será devolvido ao pagador.",
    lateByHand: "Pago depois do fim", lateByHandText: "{amount} de um pagamento já encerrado; estorne na maquininha, que só ela o devolve.",
    lateInMenu: "Pago depois do fim", lateInMenuText: "{amount} de um pagamento já encerrado; cancele a venda no menu do TEF (ADM), que só ele a devolve.",
    menuAgain: "Cancelado no menu do TEF", menuAgainText: "A venda de {amount} já constava como estornada, e nada mudou. Confira se não voltou duas vezes.",
    menuUnmatched: "Cancelado no menu do TEF", menuUnmatchedText: "Não se sabe qual venda foi cancelada ({amount}). Confira o comprovante e as vendas.",
    stray: "Resposta tardia do adquirente", strayText: "Uma operação de {amount} vale no adquirente e não combina com nenhuma daqui. Confira.",
    lateReturned: "Pagamento tardio devolvido", lateReturnedText: "{amount} voltou ao pagador.",
  },
  en: {
    late: "Paid after the end", lateText: "{amount} for a payment that was over; it goes back to the payer.",
    lateByHand: "Paid after the end", lateByHandText: "{amount} for a payment that was over; refund it at the device, which alone can.",
    lateInMenu: "Paid after the end", lateInMenuText: "{amount} for a payment that was over; cancel the sale in the TEF menu (ADM), which alone can.",
    menuAgain: "Cancelled in the TEF menu", menuAgainText: "The sale of {amount} counted as refunded already, and nothing changed. Check that it did not go back twice.",
    menuUnmatched: "Cancelled in the TEF menu", menuUnmatchedText: "Which sale was cancelled is not known ({amount}). Check the receipt and the sales.",
    stray: "Late answer of the acquirer", strayText: "An operation of {amount} stands at the acquirer and matches none here. Check it.",
    lateReturned: "Late payment returned", lateReturnedText: "{amount} went back to the payer.",
  },
  es: {
    late: "Pagado después del fin", lateText: "{amount} de un pago ya terminado; se devolverá al pagador.",
    lateByHand: "Pagado después del fin", lateByHandText: "{amount} de un pago ya terminado; devuélvalo en el aparato, el único que puede.",
    lateInMenu: "Pagado después del fin", lateInMenuText: "{amount} de un pago ya terminado; cancele la venta en el menú del TEF (ADM), el único que puede.",
    menuAgain: "Cancelado en el menú del TEF", menuAgainText: "La venta de {amount} ya figuraba como devuelta, y nada cambió. Compruebe que no volvió dos veces.",
    menuUnmatched: "Cancelado en el menú del TEF", menuUnmatchedText: "No se sabe qué venta fue cancelada ({amount}). Revise el comprobante y las ventas.",
    stray: "Respuesta tardía del adquirente", strayText: "Una operación de {amount} vale en el adquirente y no coincide con ninguna de aquí. Revísela.",
    lateReturned: "Pago tardío devuelto", lateReturnedText: "{amount} volvió al pagador.",
  },
});

// inWords is an announcement as it is shown: what the terminal itself says is in the page's language.
function inWords(n) {
  if (!n.own || !own.has(n.own.kind)) return n;
  const of = n.own.reference ? ` (${n.own.reference})` : "";
  return { ...n, title: own(n.own.kind), text: own(`${n.own.kind}Text`, { amount: money(n.own.amount) }) + of };
}

const shownFor = 2500;
const readFor = (notice) => Math.min(20000, 5000 + 60 * (notice.title.length + notice.text.length));
const staleAfter = 5000; // a notice this old came before the page
const seenKey = "maquininha.notices";
const askedKey = "maquininha.notifications.asked";

// useNotices gives the notice to show now, or null. What the caller says goes before commands.
export function useNotices(away) {
  const command = useCommands(away);
  const said = useAnnouncements();
  return said ?? command;
}

// useAnnouncements gives the caller's own words for as long as they take to read, by somebody who looks at the page.
function useAnnouncements() {
  const newest = useStore((s) => s.announcement);
  const [notice, setNotice] = useState(null);
  useEffect(() => {
    if (!newest || !isNew(newest, "announcement")) return;
    const said = inWords(newest);
    if (document.visibilityState !== "visible") notifySystem(said.title, said.text);
    setNotice(said);
  }, [newest]);
  useEffect(() => {
    if (!notice) return;
    let timer = 0;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(() => setNotice(null), readFor(notice));
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [notice]);
  return notice;
}

// useCommands: commands that follow one another closely are one notice; one that was already shown, or came before
// the page, is none. While the app is away it stays until it comes back.
function useCommands(away) {
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
    if (!newest || !isNew(newest, "command")) return;
    if (document.visibilityState !== "visible") {
      notifySystem(t("title"), t("text"));
      if (!away) return;
    }
    setNotice(newest);
    clearTimeout(timer.current);
    if (!away) timer.current = setTimeout(() => setNotice(null), shownFor);
  }, [newest]);
  return notice;
}

// A reload must not tell again what was told.
const seen = session.recall(seenKey) ?? {};
addEventListener("pagehide", () => session.remember(seenKey, seen));

function isNew(notification, kind) {
  const name = `${getState().hello?.boot}:${notification.id}`;
  if (seen[kind] === name) return false;
  seen[kind] = name;
  // What the terminal itself says is about money: who opens the page later hears it too.
  return Boolean(notification.own) || serverNow() - new Date(notification.at).getTime() < staleAfter;
}

let withdraw = () => {};

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") withdraw();
});

function notifySystem(title, body) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const options = { body, tag: "maquininha", icon: "/icon-192.png", lang: document.documentElement.lang };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    withdraw = () => shown.close();
  } catch {
    notifyByWorker(title, options); // phones only let a service worker notify
  }
}

async function notifyByWorker(title, options) {
  try {
    await navigator.serviceWorker.register("/sw.js");
    const worker = await navigator.serviceWorker.ready;
    await worker.showNotification(title, options);
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
