// Um PIX num totem, em TypeScript: mostra o código numa tela própria, acompanha o terminal e, se o cliente desiste, cancela.
//   node totem.ts            espera o pagamento
//   node totem.ts desistir   cancela quando o código aparece, como faria o botão "Cancelar" do totem
import { Client, MaquininhaError } from '@maquininha/client';

const { MAQUININHA_URL = 'http://localhost:9050', MAQUININHA_USERNAME = 'admin', MAQUININHA_PASSWORD = '' } = process.env;
const terminal = new Client(MAQUININHA_URL, MAQUININHA_USERNAME, MAQUININHA_PASSWORD);
const desistir = process.argv[2] === 'desistir';

const agora = await terminal.operation(); // responde sempre, também com o terminal ocupado
if (agora) {
  console.error(`O terminal está ocupado: ${agora.message}`);
  process.exit(1);
}

// Única por cobrança; num totem de verdade, grave-a antes de cobrar.
const referenceId = `totem-${Date.now()}-${process.pid}`;
const fim = new AbortController();
const eventos = await terminal.streamOperation({ signal: fim.signal });

const acompanhar = async () => {
  let lido = '';
  let pix = '';
  for await (const operacao of eventos) {
    if (operacao?.referenceId !== referenceId) continue;
    if (operacao.message !== lido) console.log('→', operacao.message);
    lido = operacao.message;
    if (!operacao.pix || operacao.pix.code === pix) continue;
    pix = operacao.pix.code;
    console.log('PIX', pix); // aqui o totem desenha o QR Code
    // Sempre pela referência, para nunca atingir o próximo cliente. É um pedido; o desfecho é o da cobrança.
    if (desistir) await terminal.cancelOperation({ referenceId });
  }
};
acompanhar().catch(() => {}); // sem o acompanhamento, o pagamento segue

try {
  // Fica esperando até o desfecho. Com timeout, um cliente que foi embora não prende o totem.
  const pago = await terminal.pay({ tPag: '17', amount: '20.00', referenceId, timeout: 120 });
  console.log(`Pago: R$ 20,00, NSU ${pago.nsu}`);
} catch (erro) {
  if (!(erro instanceof MaquininhaError)) throw erro;
  process.exitCode = 1;
  if (erro.kind === 'refused' || erro.kind === 'cancelled') console.error(`Não pago: ${erro.message}`);
  else console.error(erro.message);
} finally {
  fim.abort();
}
