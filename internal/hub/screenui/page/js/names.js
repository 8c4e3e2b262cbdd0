// What terminals are called, by id. Names that a list needs are asked for together, when it is drawn.
import { terminals } from "./api.js";
import { useEffect } from "./html.js";
import { change, getState, useStore } from "./store.js";

const most = 100; // at once
const asked = new Set();

export function nameOf(id) {
  return getState().names[id] ?? "…";
}

// useNames has the names of these terminals known: the view is drawn again when they have come.
export function useNames(ids) {
  useStore((s) => s.names);
  const missing = [...new Set(ids)].filter((id) => id && !(id in getState().names) && !asked.has(id)).slice(0, most);
  useEffect(() => {
    if (!missing.length) return;
    for (const id of missing) asked.add(id);
    terminals({ id: missing, limit: most }).then(({ items }) => {
      for (const id of missing) asked.delete(id);
      if (!items) return; // the next drawing asks again
      const found = Object.fromEntries(items.map((i) => [i.id, i.name]));
      change({ names: { ...Object.fromEntries(missing.map((id) => [id, id])), ...getState().names, ...found } });
    });
  }, [missing.join(" ")]);
}
