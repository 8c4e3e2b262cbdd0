// Uma venda inteira em TypeScript: abre, lança itens, pergunta o CPF, cobra, finaliza e imprime.
// O cliente espera enquanto o terminal está ocupado e recupera respostas perdidas pela referência.
import { Client, MaquininhaError, fromCents } from '@maquininha/client';

const { MAQUININHA_URL = 'http://localhost:9050', MAQUININHA_USERNAME = 'admin', MAQUININHA_PASSWORD = '' } = process.env;
const terminal = new Client(MAQUININHA_URL, MAQUININHA_USERNAME, MAQUININHA_PASSWORD);

await terminal.startSale({ sellerName: 'Bruno' });
await terminal.addItem({ id: '1', code: '7891000100103', description: 'Café 500 g', quantity: '2', unitPrice: '18.90', total: '37.80' });
await terminal.addItem({ id: '2', code: '7896004000855', description: 'Pão de queijo kg', quantity: '0.412', unitPrice: '39.90', total: '16.44' });
const total = fromCents(3780 + 1644); // some em centavos, nunca em ponto flutuante

// Fica esperando até a pessoa responder.
let cpf = 'não informado';
try {
  const resposta = await terminal.ask({ type: 'CPF', question: 'CPF na nota?' }, { showCancelButton: true, buttonCancelText: 'Sem CPF' });
  cpf = resposta.value;
} catch (erro) {
  if (!(erro instanceof MaquininhaError && erro.kind === 'questionCancelled')) throw erro;
}

// Única por cobrança; num PDV de verdade, grave-a antes de cobrar.
const referenceId = `pedido-${Date.now()}`;
try {
  const pago = await terminal.pay({ tPag: '03', amount: total, referenceId });
  await terminal.addPayment({ tPag: 'credit', value: total });
  await terminal.finalizeSale({ message: 'Obrigado, volte sempre!' });
  await terminal.printText([
    { text: { value: 'Recibo', size: 24, bold: true, align: 'center' } },
    { line: { divider: true } },
    { text: { value: 'Total R$ 54,24' } },
    { text: { value: `CPF ${cpf}` } },
    { text: { value: `NSU ${pago.nsu}` } },
  ]);
  console.log(`Venda concluída: R$ 54,24, NSU ${pago.nsu}, CPF ${cpf}`);
} catch (erro) {
  if (!(erro instanceof MaquininhaError)) throw erro;
  process.exitCode = 1;
  switch (erro.kind) {
    case 'refused':
    case 'cancelled':
    case 'background': // ninguém abriu o aplicativo
      console.error(`Pagamento não aprovado: ${erro.message}`);
      await terminal.cancelSale();
      break;
    case 'unknownOutcome':
      console.error(`Confira mais tarde pela referência ${referenceId}; não cobre com outra.`);
      break;
    default:
      console.error(erro.message);
  }
}
