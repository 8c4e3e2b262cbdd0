// Sample requests of a caller, sent with one press; each shows its curl line and what was answered.
import { useBriefly } from "../hooks.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { send } from "../http.js";
import { useStore } from "../store.js";
import { words } from "../i18n.js";
import { copy } from "../copy.js";
import { pretty } from "./json.js";
import { Act } from "./parts.js";
import { curl, groups, sampleNote } from "./samples.js";

const t = words({
  "pt-BR": {
    exchange: "O que foi enviado e respondido",
    intro: "Cada botão envia ao terminal o que um PDV enviaria, e mostra o comando para copiar.",
    sale: "Venda", open: "Abrir com três itens", finish: "Pagar em dinheiro e finalizar", drop: "Cancelar venda",
    payment: "Pagamento", credit: "Crédito", debit: "Débito", pix: "PIX", choice: "O cliente escolhe", refused: "Recusado (R$ 0,51)",
    question: "Pergunta", cpf: "CPF", cnpj: "CNPJ", cpfOrCnpj: "CPF ou CNPJ", phone: "Telefone", email: "E-mail", cep: "CEP", date: "Data", time: "Hora",
    money: "Valor", number: "Número", text: "Texto", regex: "Regra própria", list: "Lista", button: "Botões", form: "Formulário",
    print: "Impressão", coupon: "Cupom fiscal", receipt: "Recibo", drawer: "Abrir gaveta",
    display: "Tela", message: "Mostrar texto", clear: "Limpar",
    waiting: "A requisição fica aberta até alguém responder no terminal.", unanswered: "O serviço não respondeu.", copy: "Copiar", copied: "Copiado", copyFailed: "Não copiou", file: "Baixar nfce.xml",
  },
  en: {
    exchange: "What was sent and answered",
    intro: "Each button sends the terminal what a POS would send, and shows the command to copy.",
    sale: "Sale", open: "Open with three items", finish: "Pay in cash and finalize", drop: "Cancel sale",
    payment: "Payment", credit: "Credit", debit: "Debit", pix: "PIX", choice: "The customer chooses", refused: "Declined (R$ 0.51)",
    question: "Question", cpf: "CPF", cnpj: "CNPJ", cpfOrCnpj: "CPF or CNPJ", phone: "Telephone", email: "E-mail", cep: "CEP", date: "Date", time: "Time",
    money: "Amount", number: "Number", text: "Text", regex: "Own rule", list: "List", button: "Buttons", form: "Form",
    print: "Printing", coupon: "Fiscal coupon", receipt: "Receipt", drawer: "Open drawer",
    display: "Display", message: "Show a text", clear: "Clear",
    waiting: "The request stays open until somebody answers at the terminal.", unanswered: "The service did not answer.", copy: "Copy", copied: "Copied", copyFailed: "Not copied", file: "Download nfce.xml",
  },
  es: {
    exchange: "Lo que se envió y se respondió",
    intro: "Cada botón envía al terminal lo que enviaría un punto de venta, y muestra el comando para copiar.",
    sale: "Venta", open: "Abrir con tres artículos", finish: "Pagar en efectivo y finalizar", drop: "Cancelar venta",
    payment: "Pago", credit: "Crédito", debit: "Débito", pix: "PIX", choice: "El cliente elige", refused: "Rechazado (R$ 0,51)",
    question: "Pregunta", cpf: "CPF", cnpj: "CNPJ", cpfOrCnpj: "CPF o CNPJ", phone: "Teléfono", email: "Correo", cep: "CEP", date: "Fecha", time: "Hora",
    money: "Importe", number: "Número", text: "Texto", regex: "Regla propia", list: "Lista", button: "Botones", form: "Formulario",
    print: "Impresión", coupon: "Cupón fiscal", receipt: "Recibo", drawer: "Abrir cajón",
    display: "Pantalla", message: "Mostrar un texto", clear: "Limpiar",
    waiting: "La solicitud queda abierta hasta que alguien responda en el terminal.", unanswered: "El servicio no respondió.", copy: "Copiar", copied: "Copiado", copyFailed: "No se copió", file: "Descargar nfce.xml",
  },
});

export function TryPanel() {
  const [tried, setTried] = useState(null); // {id, steps: [{request, answer}]}
  const shown = useRef(null); // what is tried later takes the place of what still waits
  useEffect(() => () => { shown.current = null; }, []);
  const run = async (id, sample) => {
    const turn = {};
    shown.current = turn;
    const show = (steps) => shown.current === turn && setTried({ id, steps });
    const done = [];
    for (const request of await sample()) {
      show([...done, { request }]);
      const answer = await send("/try" + request.path, request.body && { headers: { "Content-Type": request.type }, body: request.body });
      done.push({ request, answer });
      show([...done]);
      if (!answer.ok) return;
    }
  };
  return html`
    <div class="try-room">${tried ? html`<${Tried} key=${tried.id} steps=${tried.steps} />` : html`<p class="why">${t("intro")}</p>`}</div>
    ${groups.map(({ id: group, samples }) => html`
      <div class="try-group" key=${group} role="group" aria-label=${t(group)}>
        <h4>${t(group)}</h4>
        <div class="acts">
          ${Object.entries(samples).map(([id, sample]) => html`
            <${Act} key=${id} do=${`try-${id}`} on=${tried?.id === id} onPress=${() => run(id, sample)}>${t(id)}<//>`)}
        </div>
      </div>`)}`;
}

// Tried scrolls by itself, in room that is there before: no button moves when it comes.
function Tried({ steps }) {
  const list = useRef(null);
  useEffect(() => {
    list.current.scrollTop = list.current.lastElementChild.offsetTop - 8;
  }, [steps]);
  return html`<ol class="tried" ref=${list} tabindex="0" aria-label=${t("exchange")} data-tried=${steps.length}>${steps.map((step, i) => html`<${Step} key=${i} step=${step} />`)}</ol>`;
}

function Step({ step: { request, answer } }) {
  const line = useStore((s) => curl(request, s.apiUrl, s.user));
  const refused = answer && !answer.ok;
  return html`
    <li class="try-step">
      <div class="curl"><code tabindex="0">${line}</code><${Copy} text=${line} /></div>
      ${request.file && html`<a class="why" href=${sampleNote} download=${request.file}>${t("file")}</a>`}
      ${answer
        ? html`<p class=${"said" + (refused ? " bad" : "")} role="status">${answer.status || t("unanswered")}</p>
            ${answer.data && html`<pre class="panel-json" tabindex="0">${pretty(answer.data)}</pre>`}`
        : html`<p class="why" role="status">${t("waiting")}</p>`}
    </li>`;
}

function Copy({ text }) {
  const [said, say] = useBriefly(2500);
  return html`<${Act} do="copy-curl" onPress=${async () => say((await copy(text)) ? "copied" : "copyFailed")}>${t(said || "copy")}<//>`;
}
