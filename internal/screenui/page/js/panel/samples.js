// What a newcomer can try with one press: each sample is what a caller would send, one request after the other.

const json = (path, body) => ({ path, type: "application/json", body: body === undefined ? "" : JSON.stringify(body) });

const item = (id, code, description, quantity, unitPrice, total) => json("/sale/item", { id, code, description, quantity, unitPrice, total });

const saleTotal = 58.74; // of the sample sale

// Each payment is another one: the same reference again would be answered with what became of the first.
const pay = (amount, more) => () => [json("/transaction", { ...more, amount, referenceId: "teste-" + Date.now() })];

const ask = (type, more) => () => [json("/ask", { parameters: { showCancelButton: true }, question: { id: 1, type, required: true, ...more } })];

const options = ["Débito", "Crédito", "Dinheiro"].map((name, i) => ({ id: i + 1, name, value: name.toLowerCase() }));

const form = () => [json("/ask/form", {
  parameters: { showCancelButton: true },
  questions: [{ id: 1, type: "CPF" }, { id: 2, type: "PHONE" }, { id: 3, type: "EMAIL" }],
})];

const receipt = [
  { text: { value: "PADARIA SÃO JOÃO", size: 2, bold: true, align: "center" } },
  { line: { divider: true } },
  { text: { value: "2 x Café 500 g            37,80", size: 1, bold: false, align: "left" } },
  { text: { value: "Obrigado e volte sempre!", size: 1, bold: false, align: "center" } },
  { line: { divider: false } },
];

// sampleNote is where the note of the coupon is read from.
export const sampleNote = "/sample/nfce.xml";
const note = async () => {
  const response = await fetch(sampleNote);
  return [{ path: "/print/xml", type: "text/xml", body: await response.text(), file: "nfce.xml" }];
};

export const groups = [
  {
    id: "sale", samples: {
      open: () => [
        json("/sale", { customerName: "Ana" }),
        item("1", "7891000100103", "Café torrado 500 g", 2, 18.9, 37.8), item("2", "2000412", "Pão de queijo kg", 0.412, 39.9, 16.44), item("3", "7896065880069", "Água sem gás", 1, 4.5, 4.5),
      ],
      finish: () => [json("/sale/payment", { id: "1", tPag: "01", value: 100 }), json("/sale/finalize", { message: "Obrigado!" })],
      drop: () => [json("/sale/cancel", {})],
    },
  },
  {
    id: "payment", samples: {
      credit: pay(saleTotal, { tPag: "03" }), debit: pay(saleTotal, { tPag: "04" }), pix: pay(saleTotal, { tPag: "17" }),
      choice: pay(saleTotal), refused: pay(0.51, { tPag: "03" }),
    },
  },
  {
    id: "question", samples: {
      cpf: ask("CPF"), cnpj: ask("CNPJ"), cpfOrCnpj: ask("CPFORCNPJ"), phone: ask("PHONE"), email: ask("EMAIL"), cep: ask("CEP"),
      date: ask("DATE"), time: ask("TIME"), money: ask("MONEY"), number: ask("NUMBER"), text: ask("TEXT", { question: "Qual é o seu nome?" }),
      regex: ask("REGEX", { question: "Digite a placa do carro", regex: "^[A-Z]{3}[0-9][A-Z0-9][0-9]{2}$", errorMessage: "A placa é como ABC1D23" }),
      list: ask("LIST", { question: "Como você quer pagar?", options }), button: ask("BUTTON", { question: "Como você quer pagar?", options }),
      form,
    },
  },
  {
    id: "print", samples: {
      coupon: note, receipt: () => [json("/print/text", receipt)], drawer: () => [json("/drawer")],
    },
  },
  {
    id: "display", samples: {
      message: () => [json("/display/text", { content: [{ text: { value: "Promoção do dia", size: 3, bold: true, align: "center" } }], backgroundColor: "#0b57d0" })],
      clear: () => [json("/display/clear")],
    },
  },
];

// curl is the same request for a shell. Of what has a file only the file is named.
export function curl(request, apiUrl, user) {
  const body = request.file ? ` --data-binary @${request.file}` : request.body && ` -d '${request.body.replaceAll("'", `'\\''`)}'`;
  const type = request.body && request.type !== "application/json" ? ` -H 'Content-Type: ${request.type}'` : "";
  return `curl -u ${user}:SENHA -X POST ${apiUrl}${request.path}${type}${body}`;
}
