// The answer once more, before it is sent.

import { html, useEffect, useRef } from "../html.js";
import { useKeys } from "../keys.js";
import { Button } from "../ui.js";
import { prompt, t } from "./words.js";

export function Confirm({ question, text, fault, button, root, confirm, correct }) {
  const yes = useRef(null);
  useEffect(() => yes.current?.querySelector("[data-do=confirm]")?.focus(), []);
  useKeys({ Enter: () => void confirm(), Escape: () => void correct() }, root);
  return html`<div class="q-confirm">
    <p class="q-asked">${prompt(question)}</p>
    <p class="q-given" data-given style=${{ "--n": Array.from(text).length }}>${text || t("blank")}</p>
    <h1 class="q-sure">${t("sure")}</h1>
    <p class="q-fault" id="q-fault" role="alert" data-fault>${fault}</p>
  </div>
  <footer class="q-foot" ref=${yes}>
    <${Button} kind="plain" data-do="correct" onPress=${correct}>${t("correct")}<//>
    <${Button} kind="primary" data-do="confirm" onPress=${confirm}>${button}<//>
  </footer>`;
}
