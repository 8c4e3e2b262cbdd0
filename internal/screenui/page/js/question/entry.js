// An entry is what the person has given so far: {typed, raw} or {option}. raw is a default value that is nothing of
// its kind: shown as it is, and gone with the first key.
import { useState } from "../html.js";
import { keep, keyOf, recall } from "./draft.js";

export function useEntry(shown, kind) {
  const key = keyOf(shown);
  const [entry, setEntry] = useState(() => recall(key) ?? firstEntry(shown.question, kind));
  const change = (next) => {
    keep(key, next);
    setEntry(next);
  };
  return [entry, change];
}

function firstEntry({ defaultValue, options }, kind) {
  if (!kind.start) return { option: options?.find((o) => o.value === defaultValue)?.id ?? null };
  if (!defaultValue) return { typed: "" };
  const typed = kind.start(defaultValue);
  return typed === null ? { typed: defaultValue, raw: true } : { typed };
}

export function isEmpty(entry) {
  return "typed" in entry ? entry.typed === "" : entry.option === null;
}

function chosenOption({ options }, { option }) {
  return options?.find((o) => o.id === option) ?? null;
}

// answerOf is what is sent.
export function answerOf(question, kind, entry) {
  if (!("typed" in entry)) return chosenOption(question, entry)?.value ?? "";
  return entry.raw ? entry.typed : kind.answer(entry.typed);
}

// textOf is how it reads.
export function textOf(question, kind, entry) {
  if (!("typed" in entry)) return chosenOption(question, entry)?.name ?? "";
  const { lead = "", done } = entry.raw || entry.typed === "" ? { done: entry.typed } : kind.show(entry.typed);
  return lead + done;
}
