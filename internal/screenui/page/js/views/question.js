// One question at a time. The service says which; what is typed lives here until it is sent.
import { useFresh } from "../fresh.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { Choosing } from "../question/choosing.js";
import { Confirm } from "../question/confirm.js";
import { keyOf, tidy } from "../question/draft.js";
import { answerOf, isEmpty, textOf, useEntry } from "../question/entry.js";
import { kindOf } from "../question/kinds.js";
import { useAnswering } from "../question/send.js";
import { Typing } from "../question/typing.js";
import { complaint, sendText } from "../question/words.js";
import { useStore } from "../store.js";

export function Question() {
  const shown = useStore((state) => state.question);
  useEffect(() => tidy, []);
  if (!shown) return null;
  return html`<${Asked} key=${keyOf(shown)} shown=${shown} />`;
}

function Asked({ shown }) {
  const { question, parameters } = shown;
  const kind = kindOf(question);
  const root = useRef(null);
  const [entry, setEntry] = useEntry(shown, kind);
  const [step, setStep] = useState("input");
  const answering = useAnswering(shown, answerOf(question, kind, entry), {
    complete: entry.raw || !isEmpty(entry) && (kind.complete?.(entry.typed) ?? true),
    wait: kind.wait ?? 0,
  });
  useFresh(step);

  // submit gives the answer, or shows it once more before.
  const submit = async (value) => {
    if (!parameters.confirmAnswer || step === "confirm") {
      if (await answering.give(value) === false) setStep("input");
    } else if (await answering.ask(value)) {
      setStep("confirm");
    }
  };
  const change = (next) => !answering.busy && setEntry(next);
  const fault = complaint(question, answering.reason);
  const button = sendText(parameters.buttonText, !question.required && isEmpty(entry));
  const Input = kind.input === "list" || kind.input === "buttons" ? Choosing : Typing;
  return html`<section class="question" data-view="question" data-type=${question.type} data-input=${kind.input}
    data-step=${step} data-busy=${answering.busy ? "" : undefined} ref=${root}>
    ${step === "confirm"
      ? html`<${Confirm} question=${question} text=${textOf(question, kind, entry)} fault=${fault} button=${button} root=${root}
          confirm=${() => submit()} correct=${() => !answering.busy && setStep("input")} />`
      : html`<${Input} ...${{ shown, kind, entry, change, answering, submit, root, fault, button }} />`}
  </section>`;
}
