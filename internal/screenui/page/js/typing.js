// Typing into a field by the on-screen keyboard.

// typeInto does to a field what a key says: a character, or "back".
export function typeInto(field, key) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  if (key !== "back") {
    field.setRangeText(key, start, end, "end");
  } else if (start !== end) {
    field.setRangeText("", start, end, "end");
  } else {
    const last = Array.from(value.slice(0, start)).at(-1) ?? ""; // a character may be two code units
    field.setRangeText("", start - last.length, start, "end");
  }
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (field.selectionEnd === field.value.length) field.scrollLeft = field.scrollWidth;
}
