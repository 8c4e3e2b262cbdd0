// Uma troca em TypeScript: o cliente pagou R$ 54,24 e devolve um café; R$ 18,90 voltam para ele, no máximo uma vez.
import { Client, MaquininhaError } from '@maquininha/client';

const { MAQUININHA_URL = 'http://localhost:9050', MAQUININHA_USERNAME = 'admin', MAQUININHA_PASSWORD = '' } = process.env;
const terminal = new Client(MAQUININHA_URL, MAQUININHA_USERNAME, MAQUININHA_PASSWORD);

const referenceId = `pedido-${Date.now()}-${process.pid}`;
// Único por devolução; num PDV de verdade, grave-o antes de devolver. O cliente repete com ele enquanto for preciso.
const reversalId = `troca-${referenceId}-1`;
try {
  await terminal.pay({ tPag: '03', amount: '54.24', referenceId });
  const { details } = await terminal.reversePart(referenceId, { amount: '18.90', reversalId });
  const estorno = details.reversals.find((r) => r.reversalId === reversalId);
  console.log(`Troca concluída: R$ ${details.reversed.replace('.', ',')} de R$ 54,24 devolvidos, NSU ${estorno?.nsu}`);
} catch (erro) {
  if (!(erro instanceof MaquininhaError)) throw erro;
  process.exitCode = 1;
  // Negada, cancelada, mais do que resta, um adquirente que só devolve tudo; ou 'unknownOutcome': repita mais tarde com o mesmo reversalId.
  console.error(`Não feito (${erro.kind}): ${erro.message}`);
}
