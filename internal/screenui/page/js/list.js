// A list of rows of one height that draws only the rows in sight, and follows the newest.
import { useLatest } from "./hooks.js";
import { html, useState, useRef, useLayoutEffect } from "./html.js";
import { Button, Icon } from "./ui.js";

const spare = 8; // rows drawn beyond each edge, so that a quick flick does not show a gap

// VirtualList draws Row({item, index}) for each item, rowEm em high, keyed by item.seq. It stays at the end while
// items arrive, unless the person scrolled up; then more(n) is the text of the button that leads back down. Row is told
// which item is the newest, by its seq.
export function VirtualList({ items, rowEm, Row, label, more, lang, newest }) {
  const box = useRef(null);
  const row = useRef(48); // pixels
  const there = useRef(items.length); // when the list came; what is after them has arrived since
  const [span, setSpan] = useState({ first: 0, rows: 12, atEnd: true, seen: 0 }); // seen: items there were at the end

  const toEnd = () => {
    box.current.scrollTop = box.current.scrollHeight;
  };
  const look = () => {
    if (!box.current) return; // a scroll that was under way when the list went
    const { scrollTop, clientHeight, scrollHeight } = box.current;
    const first = Math.max(0, Math.floor(scrollTop / row.current));
    const rows = Math.ceil(clientHeight / row.current) + 1;
    const atEnd = scrollHeight - clientHeight - scrollTop < row.current * 0.8;
    setSpan((old) => (old.first === first && old.rows === rows && old.atEnd === atEnd ? old
      : { first, rows, atEnd, seen: old.atEnd ? items.length : old.seen }));
  };
  const follow = () => {
    if (span.atEnd) toEnd();
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

  const first = Math.max(0, span.atEnd ? items.length - span.rows - spare : span.first - spare);
  const last = span.atEnd ? items.length : Math.min(items.length, span.first + span.rows + spare);
  const unseen = span.atEnd ? 0 : Math.max(0, items.length - span.seen);
  return html`<div class="vlist">
    <div class="vlist-box" ref=${box} onScroll=${look} tabindex="0" role="list" aria-label=${label}>
      <div class="vlist-all" style=${{ height: `${items.length * rowEm}em` }}>
        ${items.slice(first, last).map((item, i) => html`<div class=${`vlist-row ${item.seq === newest && first + i >= there.current ? "arrives" : ""}`} key=${item.seq} role="listitem"
          aria-posinset=${first + i + 1} aria-setsize=${items.length} style=${{ top: `${(first + i) * rowEm}em`, height: `${rowEm}em` }}>
          <${Row} item=${item} index=${first + i} lang=${lang} newest=${item.seq === newest} />
        </div>`)}
      </div>
    </div>
    ${unseen > 0 ? html`<${Button} kind="primary" class="vlist-more" data-do="newest" onPress=${toEnd}><${Icon} name="down" />${more(unseen)}<//>` : null}
  </div>`;
}
