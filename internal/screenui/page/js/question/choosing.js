// A question with answers to choose from.
import { html, useRef } from "../html.js";
import { useKeys } from "../keys.js";
import { Buttons, List, focusOption, nextOption } from "./options.js";
import { Fault, Foot, Head, useFocus } from "./parts.js";

export function Choosing({ shown, kind, entry, change, answering, submit, root, fault, button }) {
  const { question, parameters } = shown;
  const options = question.options ?? [];
  const group = useRef(null);
  const isList = kind.input === "list";
  const optional = !question.required;
  useFocus(root, group, entry.option);

  const choose = (option) => {
    change({ option: option?.id ?? null });
    if (!isList) return submit(option.value);
  };
  const skip = () => {
    change({ option: null });
    return submit("");
  };
  const confirm = () => (entry.option === null && !optional ? answering.complain("required") : submit());
  const unmark = () => {
    if (!isList || !optional) return false;
    change({ option: null });
    root.current.querySelector(".q-prompt").focus(); // Enter confirms, and presses no row
  };
  useKeys({
    Enter: (_, event) => {
      const row = event.target instanceof Element && event.target.closest("[role=radio]");
      if (row && row.getAttribute("aria-checked") !== "true") return false; // the browser presses it
      if (!isList) return false;
      confirm();
    },
    Escape: parameters.showCancelButton ? answering.cancel : null,
    Backspace: unmark,
    Delete: unmark,
    move: (key) => {
      const index = nextOption(group.current, key);
      focusOption(group.current, index);
      if (isList && options[index]) change({ option: options[index].id });
    },
  }, root);

  const Offer = isList ? List : Buttons;
  return html`<div class="q-top">
    <${Head} shown=${shown} />
    <${Fault} question=${question} text=${fault} />
  </div>
  <${Offer} options=${options} chosen=${entry.option} optional=${optional} choose=${choose} entry=${group} />
  <${Foot} shown=${shown} label=${button} confirm=${isList && confirm} disabled=${entry.option === null && !optional}
    skip=${!isList && optional && skip} cancel=${answering.cancel} />`;
}
