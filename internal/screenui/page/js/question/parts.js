// What every question has: its words, room for what is wrong, buttons, and where the focus begins.
import { html, useLayoutEffect } from "../html.js";
import { useMore } from "../more.js";
import { Button } from "../ui.js";
import { buttonText, prompt, t } from "./words.js";

// Head is what is asked, and how far the form has come.
export function Head({ shown }) {
  const { question, index, count } = shown;
  const text = prompt(question);
  const more = useMore();
  const size = text.length > 140 ? "small" : text.length > 60 ? "medium" : "large";
  return html`<header class="q-head">
    ${count > 1 ? html`<div class="q-progress" data-progress=${`${index + 1}/${count}`}>
      <span>${t("progress", { n: index + 1, of: count })}</span>
      <progress max=${count} value=${index + 1} aria-hidden="true"></progress>
    </div>` : null}
    <h1 ref=${more} class="q-prompt" id="q-prompt" data-size=${size} tabindex="-1"><span>${text}</span>${" "}
      ${question.required || count === 1 ? null : html`<small>${t("optional")}</small>`}</h1>
  </header>`;
}

// Fault takes its room before there is anything to say, so that nothing moves when it comes.
export function Fault({ question, text }) {
  const isLong = Math.max(text.length, question.errorMessage?.length ?? 0) > 60;
  return html`<p class="q-fault" id="q-fault" role="alert" data-fault data-long=${isLong ? "" : undefined}>${text}</p>`;
}

export function Foot({ shown, confirm, cancel, label, disabled, skip }) {
  const { showCancelButton, buttonCancelText } = shown.parameters;
  if (!showCancelButton && !confirm && !skip) return null;
  return html`<footer class="q-foot">
    ${confirm && html`<${Button} kind="primary" data-do="confirm" disabled=${disabled} onPress=${confirm}>${label}<//>`}
    ${skip && html`<${Button} kind="plain" data-do="skip" onPress=${skip}>${t("skip")}<//>`}
    ${showCancelButton && html`<${Button} kind="plain" data-do="cancel" onPress=${cancel}>${buttonText(buttonCancelText, "cancel")}<//>`}
  </footer>`;
}

// useFocus puts the focus where the answer begins, unless somebody is typing elsewhere on the page. It does so before
// the question can be seen: the first arrow moves the focus already, and it must not be taken back.
export function useFocus(root, target, option) {
  useLayoutEffect(() => {
    const at = document.activeElement;
    if (at && !root.current.contains(at) && at.closest("input, textarea, select")) return;
    const chosen = target.current?.querySelector?.(`[data-option="${option}"]`);
    const node = chosen ?? (target.current?.matches("[data-entry]") ? target.current : root.current.querySelector(".q-prompt"));
    node?.focus({ preventScroll: true });
    if (node instanceof HTMLInputElement) {
      node.setSelectionRange(node.value.length, node.value.length);
      node.scrollLeft = node.scrollWidth;
    }
  }, []);
}
