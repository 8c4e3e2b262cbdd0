/** Cliente da maquininha, no navegador e no Node. */

/**
 * Decimal exato, em texto: `"54.24"`, `"0.412"`. O JSON da interface usa números; o cliente os escreve e lê dígito por dígito,
 * sem passar por ponto flutuante. Para somar, conte em centavos: {@link toCents} e {@link fromCents}.
 */
export type Decimal = string;

/** Na ida, também se aceita `number` de até 15 dígitos; o resultado de uma conta (`0.1 + 0.2`) é recusado com TypeError. */
export type DecimalInput = Decimal | number;

/** `fromCents(5424)` é `"54.24"`. */
export function fromCents(cents: number | bigint): Decimal;
/** `toCents("54.24")` é `5424`. RangeError quando seria preciso arredondar. */
export function toCents(value: Decimal): number;

import type {
  Sale, Item, ItemChange, SalePayment, SalePaymentChange, Adjustment, AdjustmentChange, SaleList, Closing, SaleFilter, EndedSale, EndedSaleView, SaleView,
} from './sale-types.d.ts';
export type * from './sale-types.d.ts';

export type QuestionType =
  | 'TEXT' | 'NUMBER' | 'PHONE' | 'CPF' | 'CNPJ' | 'CPFORCNPJ' | 'EMAIL' | 'CEP' | 'DATE' | 'TIME' | 'MONEY' | 'REGEX' | 'LIST' | 'BUTTON';

export interface Question {
  id?: number;
  /** O texto; sem ele, o da própria pergunta do tipo. */
  question?: string;
  type?: QuestionType;
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  defaultValue?: string;
  mask?: string;
  regex?: string;
  errorMessage?: string;
  /** De LIST e BUTTON. */
  options?: {id: number; name: string; value: string}[];
}

export interface QuestionParameters {
  buttonText?: string;
  showCancelButton?: boolean;
  buttonCancelText?: string;
  showSuccessMessage?: boolean;
  successMessage?: string;
  successMessageInterval?: number;
  confirmAnswer?: boolean;
  /** Em segundos, de 10 a 3600: se ninguém responder até lá, `timedOut`. */
  timeout?: number;
}

/** `value` é canônico: só dígitos, datas como `2026-12-31`, dinheiro como `12.34`. */
export interface Answer {
  id: number;
  value: string;
}

export type Instruction =
  | {text: {value: string; size?: number; bold?: boolean; align?: 'left' | 'center' | 'right'}}
  | {line: {divider: boolean}}
  | {qrcode: QRCode}
  | {barcode: Barcode};

export interface QRCode {
  content: string;
  /** O lado em pontos do papel, 8 por milímetro; 200. */
  size?: number;
  /** Quanto pode estar danificado; `M`. */
  level?: 'L' | 'M' | 'Q' | 'H';
  align?: 'left' | 'center' | 'right';
}

export interface Barcode {
  content: string;
  /** `code128`. */
  type?: 'code128' | 'code39' | 'code93' | 'ean13' | 'ean8' | 'upca' | 'upce' | 'itf' | 'codabar';
  /** Das barras, em pontos do papel, 8 por milímetro; 80. */
  height?: number;
  /** O conteúdo embaixo das barras; `true`. */
  showText?: boolean;
  align?: 'left' | 'center' | 'right';
}

/** Em que um documento é desenhado. */
export interface Drawing {
  /** `png`. `escpos` são os bytes que uma impressora receberia. */
  format?: 'png' | 'pdf' | 'escpos';
  /** Largura do papel em pontos, de 200 a 2000; 576. */
  width?: number;
}

export type Bytes = Uint8Array | ArrayBuffer | Blob;

export interface DisplayText {
  content: Instruction[];
  /** `#RGB`, `#RRGGBB` ou um nome como `white`. */
  backgroundColor: string;
  showCloseButton?: boolean;
}

export interface Carousel {
  /** Bytes, ou texto já em Base64. */
  images: (Uint8Array | string)[];
  intervalMs?: number;
  transition?: 'fade' | 'slide' | 'zoom' | 'none';
  backgroundColor: string;
  showCloseButton?: boolean;
}

/** 03 crédito, 04 débito, 17 PIX, 99 o terminal pergunta. */
export type PaymentMethod = '03' | '04' | '17' | '99';
export type InstallmentType = 'single' | 'seller' | 'buyer';

export interface Payment {
  tPag: PaymentMethod;
  amount: DecimalInput;
  /** Dê uma a cada cobrança e grave-a antes de cobrar: sem ela uma resposta perdida não se recupera e não há estorno. */
  referenceId?: string;
  installments?: number;
  installmentType?: InstallmentType;
  /** Em segundos, de 10 a 3600: se ninguém pagar até lá, `cancelled`. */
  timeout?: number;
  /** Um objeto seu, devolvido em `details.request`. */
  details?: Record<string, unknown>;
}

/** Parte de um pagamento a devolver. */
export interface Refund {
  amount: DecimalInput;
  /** Dê um a cada estorno e grave-o antes de pedir: sem ele uma resposta perdida não se recupera, e pedir de novo devolve de novo. */
  reversalId?: string;
}

export type TransactionStatus = 'approved' | 'refused' | 'cancelled' | 'reversed' | 'pending';

export type TransactionStep = 'choosing' | 'card' | 'pin' | 'processing' | 'pix' | 'confirming' | 'settling';

export interface Transaction {
  nsu: string;
  message: string;
  details: {
    status: TransactionStatus;
    /** Onde está uma transação `pending` em andamento; `null` quando ninguém está nela. */
    step: TransactionStep | null;
    referenceId: string | null;
    tPag: PaymentMethod;
    amount: Decimal;
    installments: number;
    installmentType: InstallmentType;
    createdAt: string;
    updatedAt: string;
    cAut: string | null;
    tBand: string | null;
    cnpj: string | null;
    txid: string | null;
    endToEndId: string | null;
    /** O estorno com que tudo voltou; `null` enquanto algo resta. */
    reversal: {nsu: string; at: string} | null;
    reversals: {reversalId: string | null; nsu: string; amount: Decimal; at: string}[];
    /** A soma dos estornos. */
    reversed: Decimal;
    request: Record<string, unknown> | null;
    receipt: {customer: string; merchant: string} | null;
    /** O que foi pago depois do fim: não conta, e volta ao pagador. */
    late?: {amount: Decimal; endToEndId: string | null; at: string; returnedAt: string | null};
  };
}

export type OperationStep =
  'waiting' | 'settling' | 'choosing' | 'installments' | 'card' | 'pin' | 'processing' | 'pix' | 'confirming' | 'menu' | 'receipt' | 'asking' | 'printing';

/** O que o terminal está fazendo; o que não se aplica é `null`. */
export interface Operation {
  operationId: string;
  kind: 'payment' | 'reversal' | 'menu' | 'question' | 'print' | 'display';
  referenceId: string | null;
  tPag: PaymentMethod | null;
  amount: Decimal | null;
  step: OperationStep;
  /** O que o cliente lê. */
  message: string;
  since: string;
  cancellable: boolean;
  /** O código para uma tela do próprio PDV. */
  pix: {code: string; expiresAt: string | null} | null;
  answered: number | null;
  of: number | null;
}

/** Qual operação cancelar: pela referência ou, sem ela, pelo `operationId`. Vazio: uma pergunta. */
export interface Wish {
  referenceId?: string;
  operationId?: string;
}

export interface LogEntry {
  id: string;
  level: 'fatal' | 'error' | 'warning' | 'info' | 'trace' | 'path' | 'debug';
  source: 'app' | 'router' | 'http';
  message: string;
  details: string | null;
  createdAt: string;
}

export interface LogFilter {
  level?: LogEntry['level'];
  source?: LogEntry['source'];
  dateFrom?: string | Date;
  dateTo?: string | Date;
  limit?: number;
}

export interface Status {
  status: string;
  uptimeSeconds: number;
  startedAt: string;
}

export interface Info {
  appName: string;
  version: string;
  build: string;
  platform: string;
  locale: string;
  timeZone: string;
  mode: 'production' | 'emulator';
  isActive: boolean;
  isBusy: boolean;
  /** Presente quando o terminal atende também chamadores escritos para outro produto (`--compat`). */
  compat?: 'tefip';
}

/** O que deu errado, para decidir o que fazer. */
export type ErrorKind =
  /** Ocupado, e continuou assim até a paciência acabar; nada foi feito. */
  | 'busy'
  /** Em segundo plano: alguém precisa abrir o aplicativo do terminal; nada foi feito. */
  | 'background'
  | 'stopping'
  /** Ninguém sabe ainda se o dinheiro se moveu. */
  | 'unknownOutcome'
  | 'unauthorized'
  /** Pagamento ou estorno negado; `message` diz por quê. */
  | 'refused'
  /** Pagamento ou estorno cancelado: no terminal, por `cancelOperation` ou por `timeout`. */
  | 'cancelled'
  | 'questionCancelled'
  /** Ninguém respondeu a pergunta dentro de `timeout`. */
  | 'timedOut'
  /** Não imprimiu; `reason` diz por quê. */
  | 'notPrinted'
  | 'invalid'
  | 'notFound'
  | 'conflict'
  /** Não houve conexão: nada foi enviado. (No navegador não se distingue de `noAnswer`.) */
  | 'unreachable'
  /** O navegador não deixou a requisição sair: falta a permissão da rede local. Nada foi enviado. */
  | 'blocked'
  /** Foi enviado, ao menos em parte, e a resposta não veio inteira: pode ter sido feito. */
  | 'noAnswer'
  /** A chave do terminal não é a fixada. */
  | 'wrongKey'
  | 'other';

/** Todo erro do cliente; abortar com `AbortSignal` rejeita com a razão do sinal, exceto em pagamentos (`unknownOutcome`). */
export class MaquininhaError extends Error {
  readonly kind: ErrorKind;
  /** Status HTTP; 0 quando não houve resposta. */
  readonly status: number;
  /** `code` do corpo. */
  readonly code: number;
  /** Cabeçalho X-Motivo. */
  readonly reason: string;
  /** De um pagamento ou estorno de desfecho desconhecido. */
  readonly referenceId: string;
  constructor(kind: ErrorKind, message: string, more?: {status?: number; code?: number; reason?: string; referenceId?: string; cause?: unknown});
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface ClientOptions {
  /** Milissegundos para o que ninguém precisa responder no terminal; 60000. */
  timeout?: number;
  /** Por quanto tempo repetir enquanto o terminal está ocupado; 60000. 0 não repete. */
  busyPatience?: number;
  /** Por quanto tempo procurar uma resposta perdida; 300000. O tempo em que o terminal ainda trabalha nela não conta. */
  recoveryPatience?: number;
  /** Só no Node: a chave do terminal, `sha256//…`, como ele a mostra ao iniciar. Nenhuma outra é aceita. */
  pin?: string;
  /** Outro `fetch`. */
  fetch?: typeof fetch;
}

export class Client {
  constructor(address: string, user: string, password: string, options?: ClientOptions);

  startSale(sale?: Sale, options?: CallOptions): Promise<void>;
  updateSale(change: Sale, options?: CallOptions): Promise<void>;
  sale(options?: CallOptions): Promise<SaleView>;
  addItem(item: Item, options?: CallOptions): Promise<string>;
  updateItem(id: string, change: ItemChange, options?: CallOptions): Promise<void>;
  removeItem(id: string, options?: CallOptions): Promise<void>;
  cancelItem(id: string, options?: CallOptions): Promise<void>;
  addPayment(payment: SalePayment, options?: CallOptions): Promise<string>;
  updatePayment(id: string, change: SalePaymentChange, options?: CallOptions): Promise<void>;
  removePayment(id: string, options?: CallOptions): Promise<void>;
  addDiscount(discount: Adjustment, options?: CallOptions): Promise<string>;
  updateDiscount(id: string, change: AdjustmentChange, options?: CallOptions): Promise<void>;
  removeDiscount(id: string, options?: CallOptions): Promise<void>;
  addAddition(addition: Adjustment, options?: CallOptions): Promise<string>;
  updateAddition(id: string, change: AdjustmentChange, options?: CallOptions): Promise<void>;
  removeAddition(id: string, options?: CallOptions): Promise<void>;
  /** Esvazia uma lista (onde uma linha tem o id `clear`, só ela sai); sem dizer qual, todas. A venda continua aberta. */
  clearSale(list?: SaleList, options?: CallOptions): Promise<void>;
  /** Devolve o id da venda, para `endedSale`. */
  finalizeSale(closing?: Closing, options?: CallOptions): Promise<string>;
  cancelSale(closing?: Closing, options?: CallOptions): Promise<string>;
  /** As vendas encerradas, da mais nova para a mais antiga. */
  endedSales(filter?: SaleFilter, options?: CallOptions): Promise<EndedSale[]>;
  endedSale(id: string, options?: CallOptions): Promise<EndedSaleView>;

  /** Espera a pessoa responder. Abortar tira a pergunta da tela. */
  ask(question: Question, parameters?: QuestionParameters, options?: CallOptions): Promise<Answer>;
  askForm(questions: Question[], parameters?: QuestionParameters, options?: CallOptions): Promise<Answer[]>;
  cancelAsk(options?: CallOptions): Promise<void>;

  printImage(image: Bytes, options?: CallOptions): Promise<void>;
  printText(page: Instruction[], options?: CallOptions): Promise<void>;
  printXML(xml: string | Bytes, options?: CallOptions): Promise<void>;
  /** Texto com tags ACBr; cada corte dele é um papel. */
  printACBr(text: string, options?: CallOptions): Promise<void>;
  /** Abre a gaveta de dinheiro ligada à impressora. */
  openDrawer(options?: CallOptions): Promise<void>;
  /** O que `printImage` imprimiria, desenhado; nada é impresso, e um terminal ocupado também responde. */
  renderImage(image: Bytes, drawing?: Drawing, options?: CallOptions): Promise<Uint8Array>;
  renderText(page: Instruction[], drawing?: Drawing, options?: CallOptions): Promise<Uint8Array>;
  renderXML(xml: string | Bytes, drawing?: Drawing, options?: CallOptions): Promise<Uint8Array>;
  /** Vários papéis são páginas do PDF; numa imagem, ficam um abaixo do outro. */
  renderACBr(text: string, drawing?: Drawing, options?: CallOptions): Promise<Uint8Array>;

  /**
   * Cobra e espera o desfecho: devolve a transação aprovada, ou rejeita com `refused` ou `cancelled`. Com `referenceId`, cobra no
   * máximo uma vez, mesmo que a resposta se perca ou a chamada se repita. Abortar não cancela o pagamento no terminal.
   */
  pay(payment: Payment, options?: CallOptions): Promise<Transaction>;
  /** Devolve tudo o que resta. */
  reverse(referenceId: string, options?: CallOptions): Promise<Transaction>;
  /** Devolve uma parte, no máximo uma vez por `reversalId`. `conflict`: o adquirente não faz, ou resta menos. */
  reversePart(referenceId: string, refund: Refund, options?: CallOptions): Promise<Transaction>;
  transaction(referenceId: string, options?: CallOptions): Promise<Transaction>;
  transactions(filter?: {limit?: number; since?: string | Date; status?: TransactionStatus}, options?: CallOptions): Promise<Transaction[]>;

  logs(filter?: LogFilter & {search?: string; includeDetails?: boolean}, options?: CallOptions): Promise<LogEntry[]>;
  /** O ZIP. */
  downloadLogs(filter?: LogFilter, options?: CallOptions): Promise<Uint8Array>;
  /** Depois que a promessa se cumpre, cada entrada nova chega; saia do laço ou aborte para desligar. */
  streamLogs(options?: CallOptions): Promise<AsyncIterableIterator<LogEntry>>;

  /** O que o terminal está fazendo; `null`: nada. */
  operation(options?: CallOptions): Promise<Operation | null>;
  /** Como está agora e, depois, cada mudança; saia do laço ou aborte para desligar. */
  streamOperation(options?: CallOptions): Promise<AsyncIterableIterator<Operation | null>>;
  /**
   * Pede o fim do que está em andamento, e volta na hora. O desfecho é o de quem chamou `pay`, `reverse` ou `ask`; pode ser uma
   * aprovação que já vinha. `notFound`: nada em andamento. `conflict`: é outra operação, ou já é tarde.
   */
  cancelOperation(wish?: Wish, options?: CallOptions): Promise<void>;

  /** Com um botão para fechar, menos com `showCloseButton: false`. */
  displayImage(image: Bytes, options?: CallOptions & {showCloseButton?: boolean}): Promise<void>;
  displayText(page: DisplayText, options?: CallOptions): Promise<void>;
  displayCarousel(carousel: Carousel, options?: CallOptions): Promise<void>;
  clearDisplay(options?: CallOptions): Promise<void>;
  popDisplay(options?: CallOptions): Promise<void>;
  /** Avisa quem está no terminal, por cima do que estiver na tela. */
  notify(notification: {title: string; message: string}, options?: CallOptions): Promise<void>;

  status(options?: CallOptions): Promise<Status>;
  info(options?: CallOptions): Promise<Info>;
  /** Só no Android. */
  restart(options?: CallOptions): Promise<Status>;
}
