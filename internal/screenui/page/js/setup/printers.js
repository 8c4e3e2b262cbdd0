// The printers that this machine can reach, besides those that the settings offer.
import { html, useEffect, useState } from "../html.js";
import { get, post } from "../http.js";
import { words } from "../i18n.js";
import { printerStatus } from "../status.js";
import { complaint } from "./words.js";

const t = words({
  "pt-BR": {
    queue: "Instalada: {name}", usb: "USB: {name}", serial: "Serial: {name}", network: "Rede: {name}", looking: "Procurando impressoras…",
    test: "Página de teste", print: "Imprimir", printing: "Imprimindo…", printed: "Impressa", failed: "A página não pôde ser impressa; os logs dizem por quê",
  },
  en: {
    queue: "Installed: {name}", usb: "USB: {name}", serial: "Serial: {name}", network: "Network: {name}", looking: "Looking for printers…",
    test: "Test page", print: "Print", printing: "Printing…", printed: "Printed", failed: "The page could not be printed; the logs say why",
  },
  es: {
    queue: "Instalada: {name}", usb: "USB: {name}", serial: "Serie: {name}", network: "Red: {name}", looking: "Buscando impresoras…",
    test: "Página de prueba", print: "Imprimir", printing: "Imprimiendo…", printed: "Impresa", failed: "La página no se pudo imprimir; los registros dicen por qué",
  },
});

// label says where a printer is, what it says that it is, and what is known to be wrong with it.
function label({ way, name, said, state }) {
  const what = said ? `${t(way, { name })} (${said})` : t(way, { name });
  return state === "unknown" ? what : `${what}: ${printerStatus({ state }).text}`;
}

// useFound gives the settings with the printers that were found among those to choose from, and what to say meanwhile.
export function useFound(field, settings) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    if (field !== "printer") return undefined;
    const left = new AbortController(); // nobody waits for the search any more
    get("/settings/printers", { signal: left.signal }).then(({ ok, data }) => {
      if (!left.signal.aborted) setFound(ok ? data.printers : []);
    });
    return () => left.abort();
  }, [field]);
  if (field !== "printer") return [settings, ""];
  const offered = new Set(settings.printers.map((p) => p.id));
  const more = (found ?? []).filter((p) => !offered.has(p.id)).map((p) => ({ id: p.id, label: label(p) }));
  return [{ ...settings, printers: [...settings.printers, ...more] }, found ? "" : t("looking")];
}

// TestPage is the row that prints one on the printer in use. onLocked is told when the settings were locked meanwhile.
export function TestPage({ onLocked }) {
  const [said, setSaid] = useState("");
  const print = async () => {
    setSaid(t("printing"));
    const got = await post("/settings/printers/test");
    if (got.status === 403) return onLocked();
    const { field, reason } = got.data ?? {};
    if (got.ok) return setSaid(t("printed"));
    if (field !== "printer") return setSaid(complaint(got));
    return setSaid(reason === "failed" ? t("failed") : printerStatus({ state: reason }).text);
  };
  return html`<li><button type="button" class="setup-row" data-do="test-page" disabled=${said === t("printing")} onClick=${print}>
    <span class="setup-row-name">${t("test")}</span><span class="setup-row-value">${t("print")}</span>
    ${said && html`<span class="setup-row-note" role="status">${said}</span>`}
  </button></li>`;
}
