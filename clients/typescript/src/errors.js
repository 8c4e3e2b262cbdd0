/** @typedef {import('./index.d.ts').ErrorKind} ErrorKind */

export class MaquininhaError extends Error {
  /**
   * @param {ErrorKind} kind
   * @param {string} message
   * @param {{status?: number, code?: number, reason?: string, referenceId?: string, cause?: unknown}} [more]
   */
  constructor(kind, message, { status = 0, code = status, reason = '', referenceId = '', cause } = {}) {
    super(message, { cause });
    this.name = 'MaquininhaError';
    /** @type {ErrorKind} */
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.referenceId = referenceId;
  }
}

/**
 * Is it an error of one of these kinds?
 * @param {unknown} error
 * @param {...ErrorKind} kinds
 */
export const is = (error, ...kinds) => error instanceof MaquininhaError && kinds.includes(error.kind);

// The texts are the interface's own: they tell one 503 from another.
/** @type {[number, string, ErrorKind][]} */
const kinds = [
  [503, 'Aplicativo ocupado', 'busy'],
  [503, 'Muitos documentos grandes', 'busy'],
  [503, 'Uma transação anterior ainda está sem resposta', 'busy'],
  [503, 'Aplicativo em segundo plano', 'background'],
  [503, 'Serviço encerrando', 'stopping'],
  [503, 'Situação da transação desconhecida', 'unknownOutcome'],
  [409, 'Pergunta cancelada', 'questionCancelled'],
  [409, 'Tempo esgotado', 'timedOut'],
  [500, 'Erro ao imprimir', 'notPrinted'],
  [400, '', 'invalid'],
  [413, '', 'invalid'],
  [401, '', 'unauthorized'],
  [404, '', 'notFound'],
  [409, '', 'conflict'],
];

// The terminal's own word that no money has moved. Any other 5xx may come from a proxy that lost patience, or from a fault in the
// middle of the payment.
const harmless = ['Aplicativo ocupado', 'Uma transação anterior', 'Aplicativo em segundo plano', 'Nenhum adquirente configurado', 'Não foi possível gravar'];

/**
 * The operation may have happened, although no answer says so.
 * @param {unknown} error
 */
export const lost = (error) =>
  !(error instanceof MaquininhaError) ||
  error.kind === 'noAnswer' ||
  (error.status >= 500 && !harmless.some((text) => error.message.startsWith(text)));

/**
 * A refusal of a payment or reversal.
 * @param {string} message
 */
export const judged = (message) =>
  new MaquininhaError(message === 'Transação cancelada' || message === 'Estorno cancelado' ? 'cancelled' : 'refused', message, { status: 403 });

/**
 * The error that an answer is.
 * @param {Response} answer
 * @param {string} path
 * @param {string} text
 */
export function failure(answer, path, text) {
  let code = answer.status;
  let message = `Resposta inesperada: ${answer.status}`; // a proxy in between, or no terminal at all
  try {
    const said = JSON.parse(text);
    if (typeof said.message === 'string') ({ code, message } = said);
  } catch {
    // it stays unexpected
  }
  const { status } = answer;
  if (status === 403 && path.startsWith('/transaction')) return judged(message);
  const reason = answer.headers.get('X-Motivo') ?? '';
  const kind = kinds.find(([s, start]) => s === status && message.startsWith(start))?.[2] ?? 'other';
  return new MaquininhaError(kind, reason ? `${message} (${reason})` : message, { status, code, reason });
}
