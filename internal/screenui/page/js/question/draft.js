// What is half typed outlives a reload, and goes with its question: people's
// documents do not stay behind. One question is shown at a time, so there is
// one draft.

import { getState } from "../feed.js";

const place = "question.draft";
const tidyEvery = 1000;
let tidying = 0;

export function keyOf(shown) {
  return shown ? `${shown.serial}:${shown.index}` : "";
}

// recall returns what was kept for the question of that key, or null.
export function recall(key) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(place));
    if (draft) watch();
    return draft?.key === key ? draft.entry : null;
  } catch {
    return null;
  }
}

export function keep(key, entry) {
  try {
    sessionStorage.setItem(place, JSON.stringify({ key, entry }));
  } catch {
    return; // no room, or forbidden: a reload will ask again
  }
  watch();
}

function watch() {
  if (!tidying) tidying = setInterval(tidy, tidyEvery);
}

// tidy forgets the draft of a question that is gone. A payment may lie on top of
// the question meanwhile, so this does not end with the view.
export function tidy() {
  try {
    const draft = JSON.parse(sessionStorage.getItem(place));
    if (getState().ready && draft && draft.key !== keyOf(getState().question)) sessionStorage.removeItem(place);
    if (draft && sessionStorage.getItem(place)) return;
  } catch {
    // nothing can be kept, so nothing is left
  }
  clearInterval(tidying);
  tidying = 0;
}
