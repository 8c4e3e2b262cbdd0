// What is being typed, large: masked characters with the missing ones pale, or
// a field of text.

import { html, useLayoutEffect, useRef } from "../html.js";
import { Icon } from "../ui.js";

// Masked shows a kind's {lead, done, rest} with the caret where the next
// character goes. The keys come from elsewhere.
export function Masked({ look, label, fine, invalid, entry }) {
  const { lead = "", done, rest, size = Array.from(lead + done + rest).length } = look;
  const end = useRef(null);
  useLayoutEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [done]);
  return html`<div class="q-entry" data-entry ref=${entry} role="textbox" aria-readonly="true" tabindex="0" data-invalid=${invalid ? "" : undefined}
      aria-label=${label} aria-invalid=${String(invalid)} aria-describedby="q-fault">
    <p class="q-line" style=${{ "--n": size }} dir="ltr"
      ><span class="q-pale">${lead}</span><span data-typed>${done}</span><i class="q-caret" ref=${end}></i
      ><span class="q-pale">${rest}</span></p>
    <${Fine} shown=${fine} />
  </div>`;
}

// Field is a real field, so that the browser minds the caret, dead keys and the
// selection; only its own keyboard stays away. change gets the new text.
export function Field({ value, fits, change, label, fine, invalid, entry }) {
  const take = (event) => {
    const field = event.target;
    const typed = event.isComposing ? field.value : trimmed(field, value, fits);
    if (typed !== value) change(typed);
  };
  return html`<div class="q-entry q-text" data-invalid=${invalid ? "" : undefined}>
    <input class="q-field" data-entry data-typed ref=${entry} type="text" inputmode="none" autocomplete="off" autocapitalize="off" autocorrect=${false}
      spellcheck=${false} enterkeyhint="done" aria-label=${label} aria-invalid=${String(invalid)} aria-describedby="q-fault"
      value=${value} onInput=${take} onCompositionEnd=${take} />
    <${Fine} shown=${fine} />
  </div>`;
}

function Fine({ shown }) {
  return html`<span class="q-fine" data-fine=${shown ? "" : undefined}><${Icon} name="check" /></span>`;
}

// trimmed takes back what was put in beyond the room there is, never what stood
// there before, and leaves the caret behind what stays.
function trimmed(field, before, fits) {
  const typed = field.value.replace(/\p{Cc}/gu, " ");
  const size = (text) => Array.from(text).length;
  let head = Array.from(typed.slice(0, field.selectionEnd));
  const tail = typed.slice(field.selectionEnd);
  const isLonger = () => size(head.join("") + tail) > size(before);
  while (head.length && isLonger() && !fits(head.join("") + tail)) head = head.slice(0, -1);
  const kept = head.join("") + tail;
  if (kept !== field.value) {
    field.value = kept;
    field.setSelectionRange(head.join("").length, head.join("").length);
  }
  return kept;
}
