// What is half typed is kept over a reload, and forgotten with its question: no
// customer's document stays behind. One question is shown at a time, so there
// is one draft.

import { session } from "../storage.js";
import { getState } from "../store.js";

const place = "question.draft";
const tidyEvery = 1000;
let tidying = 0;

export function keyOf(shown) {
  return shown ? `${shown.serial}:${shown.index}` : "";
}

// recall returns what was kept for the question of that key, or null.
export function recall(key) {
  const draft = session.recall(place);
  if (draft) watch();
  return draft?.key === key ? draft.entry : null;
}

export function keep(key, entry) {
  session.remember(place, { key, entry });
  watch();
}

function watch() {
  if (!tidying) tidying = setInterval(tidy, tidyEvery);
}

// tidy forgets the draft of a question that is gone. A payment may lie on top of
// the question meanwhile, so this does not end with the view.
export function tidy() {
  const draft = session.recall(place);
  const { ready, question } = getState();
  if (draft && (!ready || draft.key === keyOf(question))) return;
  session.forget(place);
  clearInterval(tidying);
  tidying = 0;
}
