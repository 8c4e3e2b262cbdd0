// What terminals are called, by id.
import { terminals } from "./api.js";
import { useEffect } from "./html.js";
import { change, getState } from "./store.js";

const most = 1000; // names read at once; beyond them an id is shown until the terminal is heard of

export function nameOf(id) {
  return getState().names[id] ?? id;
}

// useNames has them read once for a view that shows terminals by name.
export function useNames() {
  useEffect(() => {
    terminals({ limit: most }).then(({ items = [] }) => change({ names: { ...getState().names, ...Object.fromEntries(items.map((i) => [i.id, i.name])) } }));
  }, []);
}
