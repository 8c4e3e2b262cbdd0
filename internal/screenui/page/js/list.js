// A list of rows of one height that draws only the rows in sight, and follows the newest.
import { useLatest } from "./hooks.js";
import { html, useState, useRef, useLayoutEffect } from "./html.js";
import { Button, Icon } from "./ui.js";

const spare = 8; // rows drawn beyond each edge, so that a quick flick does not show a gap

// VirtualList draws Row({item, index}) for each item, rowEm em high, keyed by item.seq. newest is the index of the newest
// item, whose row is newestMoreEm higher; what follows it are no items of their own. While items arrive the list rests
// where all that follows is in sight, as far as the newest is too, unless the person scrolled up; then more(n) is the text
// of the button that leads back down.
export function VirtualList({ items, rowEm, Row, label, more, lang, newest, newestMoreEm }) {
  const box = useRef(null);
  const row = useRef(48); // pixels
  const there = useRef(items.length); // when the list came; what is after them has arrived since
  const [span, setSpan] = useState({ first: 0, rows: 12, atRest: true, seen: 0 }); // seen: items there were when it rested

  const top = () => Math.max(0, Math.min(box.current.scrollHeight - box.current.clientHeight, newest * row.current));
  const toRest = () => {
    box.current.scrollTop = top();
  };
  const look = () => {
    if (!box.current) return; // a scroll that was under way when the list went
    const { scrollTop, clientHeight } = box.current;
    const first = Math.max(0, Math.floor(scrollTop / row.current));
    const rows = Math.ceil(clientHeight / row.current) + 1;
    const atRest = scrollTop > top() - row.current * 0.8;
    setSpan((old) => (old.first === first && old.rows === rows && old.atRest === atRest ? old
      : { first, rows, atRest, seen: old.atRest ? items.length : old.seen }));
  };
  const follow = () => {
    if (span.atRest) toRest();
    look();
  };
  const latestFollow = useLatest(follow);

  useLayoutEffect(() => {
    const measure = () => {
      row.current = rowEm * parseFloat(getComputedStyle(box.current).fontSize);
      latestFollow.current();
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, [rowEm]);
  useLayoutEffect(follow, [items]);

  // Before the box has scrolled, what arrives must be drawn where it will rest.
  const resting = Math.min(items.length - span.rows, Math.max(newest, 0));
  const first = Math.max(0, (span.atRest ? resting : span.first) - spare);
  const last = Math.min(items.length, (span.atRest ? Math.max(resting, span.first) : span.first) + span.rows + spare);
  const unseen = span.atRest ? 0 : Math.max(0, items.length - span.seen);
  return html`<div class="vlist">
    <div class="vlist-box" ref=${box} onScroll=${look} tabindex="0" role="list" aria-label=${label}>
      <div class="vlist-all" style=${{ height: `${items.length * rowEm + newestMoreEm}em` }}>
        ${items.slice(first, last).map((item, i) => html`<div class=${`vlist-row ${first + i === newest && first + i >= there.current ? "arrives" : ""}`} key=${item.seq} role="listitem"
          aria-posinset=${first + i + 1} aria-setsize=${items.length}
          style=${{ top: `${(first + i) * rowEm + (first + i > newest ? newestMoreEm : 0)}em`, height: `${rowEm + (first + i === newest ? newestMoreEm : 0)}em` }}>
          <${Row} item=${item} index=${first + i} lang=${lang} newest=${first + i === newest} />
        </div>`)}
      </div>
    </div>
    ${unseen > 0 ? html`<${Button} kind="primary" class="vlist-more" data-do="newest" onPress=${toRest}><${Icon} name="down" />${more(unseen)}<//>` : null}
  </div>`;
}
