// The sale: what is sent and what comes.
import type {Decimal, DecimalInput} from './index.d.ts';

export interface Sale {
  /** CPF ou CNPJ. */
  customerDocument?: string | null;
  customerName?: string | null;
  sellerName?: string | null;
  additionalInfo?: string | null;
  /** O total que a tela mostra em vez do calculado; uma diferença fica como aviso nos logs. */
  total?: DecimalInput | null;
}

export interface Item {
  /** Seu; sem ele, o terminal cria um. */
  id?: string;
  code: string;
  description: string;
  canceled?: boolean;
  quantity: DecimalInput;
  unitPrice: DecimalInput;
  discount?: DecimalInput | null;
  addition?: DecimalInput | null;
  total: DecimalInput;
  additionalInfo?: string | null;
}

/** Só o que muda: campo ausente fica como está, `null` apaga um opcional. */
export type ItemChange = Partial<Omit<Item, 'id'>>;

export type SalePaymentType =
  | 'credit' | 'debit' | 'pix' | 'money' | 'voucher' | 'gift' | 'providerWallet' | 'adm' | 'cancel' | 'cancelDigitalWallet' | 'unknown'
  | '01' | '03' | '04' | '05' | '17' | '99' | 'veroWallet';

/** Registra como a venda foi paga; não move dinheiro (veja {@link Client.pay}). */
export interface SalePayment {
  id?: string;
  tPag?: SalePaymentType | null;
  description?: string | null;
  value: DecimalInput;
  additionalInfo?: string | null;
}

export type SalePaymentChange = Partial<Omit<SalePayment, 'id'>>;

/** Um desconto ou acréscimo da venda inteira; a descrição aparece na tela. Do valor conta o absoluto. */
export interface Adjustment {
  id?: string;
  description?: string | null;
  value: DecimalInput;
  additionalInfo?: string | null;
}

export type AdjustmentChange = Partial<Omit<Adjustment, 'id'>>;

export type SaleList = 'item' | 'payment' | 'discount' | 'addition';

export interface Closing {
  message?: string;
  showMessage?: boolean;
  showCloseButton?: boolean;
  buttonCloseText?: string;
  /** Milissegundos. */
  messageInterval?: number;
  /** `false`: nada aparece. */
  showResultScreen?: boolean;
}

export interface SaleSession {
  customerDocument: string | null; customerName: string | null; sellerName: string | null; additionalInfo: string | null;
  total: Decimal | null; openedAt: string;
}

export interface SaleSummary {
  /** Soma do `total` dos itens. */
  subtotal: Decimal;
  /** Da venda. */
  discount: Decimal;
  /** Da venda. */
  surcharge: Decimal;
  itemDiscount: Decimal; itemAddition: Decimal;
  /** `subtotal` − `discount` + `surcharge`. */
  total: Decimal;
  paid: Decimal; due: Decimal; change: Decimal; itemCount: number;
}

export type SaleStatus = 'finalized' | 'cancelled';

export interface SaleFilter {
  since?: Date | string;
  until?: Date | string;
  status?: SaleStatus;
  /** Sem ele, 100. */
  limit?: number;
}

/** Uma venda encerrada, sem as linhas. */
export interface EndedSale {
  saleId: string; status: SaleStatus; openedAt: string; closedAt: string;
  sale: SaleSession;
  summary: SaleSummary;
}

export interface EndedSaleView extends EndedSale, SaleView {
  /** O `referenceId` de cada transação feita enquanto a venda estava aberta. */
  transactions: string[];
}

export interface SaleView {
  sale: SaleSession;
  items: {
    id: string; code: string; description: string; canceled: boolean; quantity: Decimal; unitPrice: Decimal;
    discount: Decimal | null; addition: Decimal | null; total: Decimal; additionalInfo: string | null;
  }[];
  payments: {id: string; tPag: SalePaymentType | null; description: string | null; value: Decimal; additionalInfo: string | null}[];
  discounts: {id: string; description: string | null; value: Decimal; additionalInfo: string | null}[];
  additions: {id: string; description: string | null; value: Decimal; additionalInfo: string | null}[];
  summary: SaleSummary;
}
