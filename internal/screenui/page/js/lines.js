// The open sale's lines, as the feed brings them: all of them, or only what changed.

// merge gives the patch of the state that takes the lines in. Untouched arrays keep their identity.
export function merge(state, lines) {
  const fresh = lines.whole || lines.sale !== state.linesOf;
  return {
    linesOf: lines.sale,
    items: take(fresh ? [] : state.items, lines.items, fresh),
    payments: take(fresh ? [] : state.payments, lines.payments, fresh),
    discounts: take(fresh ? [] : state.discounts, lines.discounts, fresh),
    additions: take(fresh ? [] : state.additions, lines.additions, fresh),
  };
}

function take(old, changed, fresh) {
  if (fresh) return changed ?? [];
  if (!changed || changed.length === 0) return old;
  const all = old.slice();
  for (const line of changed) put(all, line);
  return all;
}

// put replaces the line of the same seq or files it in order; nearly always that is the end.
function put(all, line) {
  if (all.length === 0 || all[all.length - 1].seq < line.seq) {
    all.push(line);
    return;
  }
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle].seq < line.seq) low = middle + 1;
    else high = middle;
  }
  all.splice(low, all[low] && all[low].seq === line.seq ? 1 : 0, line);
}
