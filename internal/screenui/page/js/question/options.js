// Answers to choose from: a list, where one is marked and then confirmed, and
// buttons, where a press is the answer.

import { html, useLayoutEffect } from "../html.js";
import { Icon } from "../ui.js";
import { t } from "./words.js";

// List has rows with a mark. choose gets the option, or null when a marked row
// of a question that may stay open is pressed again.
export function List({ options, chosen, optional, choose, entry }) {
  useLayoutEffect(() => entry.current.querySelector("[aria-checked=true]")?.scrollIntoView({ block: "nearest" }), [chosen]);
  const stop = chosen ?? options[0]?.id; // the one row that Tab comes to
  const press = (option, event) => {
    if (option.id !== chosen) choose(option);
    else if (optional && event.detail === 1) choose(null);
  };
  return html`<div class="q-options q-list" role="radiogroup" aria-label=${t("options")} ref=${entry}>
    ${options.map((option) => html`<button type="button" role="radio" key=${option.id} class="q-option" data-option=${option.id} data-value=${option.value}
        aria-checked=${String(option.id === chosen)} tabindex=${option.id === stop ? "0" : "-1"} onClick=${(event) => press(option, event)}>
      <span class="q-mark"></span><span class="q-name">${option.name}</span>
    </button>`)}
  </div>`;
}

// Buttons has one button for each option; the chosen one is only marked. Of two, the likely one stands out: what the
// caller has chosen before, or names first.
export function Buttons({ options, chosen, choose, entry }) {
  const longest = Math.max(...options.map((option) => Array.from(option.name).length));
  const columns = options.length < 4 || longest > 14 ? 1 : options.length > 5 && longest < 5 ? 3 : 2;
  const likely = options.length === 2 ? chosen ?? options[0].id : null;
  return html`<div class="q-options q-buttons" role="group" aria-label=${t("options")} ref=${entry} data-columns=${columns}>
    ${options.map((option) => html`<button type="button" key=${option.id} class=${`q-option ${option.id === likely ? "likely" : ""}`} data-option=${option.id} data-value=${option.value}
        data-chosen=${option.id === chosen ? "" : undefined} onClick=${() => choose(option)}>
      <span class="q-name">${option.name}</span>
      ${option.id === chosen ? html`<${Icon} name="check" />` : null}
    </button>`)}
  </div>`;
}

// nextOption finds which option a key leads to; -1 is none focused yet. Rows of
// several columns are as they stand on the screen.
export function nextOption(container, key) {
  const all = [...container.querySelectorAll(".q-option")];
  const at = all.indexOf(document.activeElement);
  const columns = Math.max(1, all.filter((o) => o.offsetTop === all[0].offsetTop).length);
  const last = all.length - 1;
  if (key === "Home") return 0;
  if (key === "End") return last;
  const forward = key === "ArrowDown" || key === "ArrowRight";
  if (at < 0) return forward ? 0 : last;
  const stride = key === "ArrowDown" || key === "ArrowUp" ? columns : 1;
  return Math.min(last, Math.max(0, at + (forward ? stride : -stride)));
}

export function focusOption(container, index) {
  container.querySelectorAll(".q-option")[index]?.focus();
}
