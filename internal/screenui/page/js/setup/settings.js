// What is set, what may be chosen, and how a value reads. "settings" is what GET /settings answers.
import { useEffect, useState } from "../html.js";
import { get } from "../http.js";
import { named, t } from "./words.js";

const lists = { locale: "locales", colour: "colours", theme: "themes", printer: "printers", printerModel: "printerModels", acquirer: "acquirers", cardReceipt: "cardReceipts", tradeName: "switches", phone: "switches", itemNotes: "switches" };

// typed stand for what no list has: the address of a printer, a colour.
export const typed = {
  printer: { id: "network", step: "network", shown: (value) => value.replace(/^tcp:\/\//, ""), meant: (text) => (/^(tcp:\/\/|file:|cups:|windows:)/.test(text) ? text : `tcp://${text}`) },
  colour: { id: "other", step: "otherColour", shown: (value) => value, meant: (text) => (text.startsWith("#") ? text : `#${text}`) },
};

// choicesOf is what a field may be set to; undefined for one that is typed.
export function choicesOf(field, settings) {
  const listed = settings[lists[field]];
  return typed[field] ? [...listed, typed[field]] : listed;
}

// valueText is a field's value as it reads. It never says a secret, only that there is one.
export function valueText(field, value, settings) {
  if (field === "password" || field === "pin") return t("secret");
  if (field === "logo") return t(value ? "logo.on" : "logo.off");
  const choices = choicesOf(field, settings);
  if (!choices) return value || "—";
  const choice = choices.find((c) => c.id === value);
  return choice || !value ? named(field, choice) : value; // what was typed
}

const retryAfter = 500;

// useSettings loads the settings, once they are open, and keeps asking until the service answers: it may be starting
// anew. It gives [settings, reload, setSettings]; settings are null until they have come.
export function useSettings(open) {
  const [settings, setSettings] = useState(null);
  const [turn, setTurn] = useState(0);
  const reload = () => setTurn((n) => n + 1);
  useEffect(() => {
    if (!open) return undefined;
    let gone = false;
    let again = 0;
    get("/settings").then(({ ok, data }) => {
      if (gone) return;
      if (ok && data) setSettings(data);
      else again = setTimeout(reload, retryAfter);
    });
    return () => {
      gone = true;
      clearTimeout(again);
    };
  }, [open, turn]);
  return [settings, reload, setSettings];
}

const rules = {
  user: (value) => value.length >= 1 && value.length <= 64 && value.trim() === value && !value.includes(":"),
  password: (value) => [...value].length >= 8,
  name: (value) => [...value].length <= 40,
  pin: (value) => /^\d{4,8}$/.test(value),
  network: (value) => value.trim() !== "",
  otherColour: (value) => /^#?[0-9a-f]{6}$/i.test(value.trim()),
};

// fits tells early what the service will say in any case.
export function fits(field, value) {
  return rules[field] ? rules[field](value ?? "") : true;
}
