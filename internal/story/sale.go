package story

import (
	"context"
	"strconv"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/sale"
)

// Resumed tells of a sale that was open when the service last stopped.
func (t *Teller) Resumed(v sale.View) {
	t.sale.Store(v.Number)
	f := named("")
	f.number("venda", v.Number)
	t.summary(f, v.Summary())
	t.info("Venda "+number(v.Number)+" retomada: já estava aberta quando o serviço iniciou", f)
}

// Sale tells of a change of a sale.
func (t *Teller) Sale(ctx context.Context, change sale.Change) {
	f := of(ctx)
	switch c := change.(type) {
	case sale.Opened:
		t.sale.Store(c.Sale)
		f.number("venda", c.Sale)
		t.info("Venda "+number(c.Sale)+" aberta", f)
	case sale.Edited:
		f.number("venda", c.Sale)
		t.info("Dados da venda "+number(c.Sale)+" alterados", f)
		t.doubtShown(c.Sale, c.Shown, f)
	case sale.ItemAdded:
		f.item(c.Sale, c.Item)
		t.info("Item adicionado: "+oneLine(c.Item.Description), f)
		t.doubtTotal(ctx, c.Sale, c.Item)
	case sale.ItemChanged:
		t.itemChanged(f, c)
		t.doubtTotal(ctx, c.Sale, c.Item)
	case sale.ItemRemoved:
		f.item(c.Sale, c.Item)
		t.info("Item removido: "+oneLine(c.Item.Description), f)
	case sale.PaymentAdded:
		f.payment(c.Sale, c.Payment)
		t.info("Pagamento lançado na venda "+number(c.Sale)+": "+paid(c.Payment), f)
	case sale.PaymentChanged:
		f.payment(c.Sale, c.Payment)
		t.info("Pagamento da venda "+number(c.Sale)+" alterado: "+paid(c.Payment), f)
	case sale.PaymentRemoved:
		f.payment(c.Sale, c.Payment)
		t.info("Pagamento da venda "+number(c.Sale)+" removido: "+paid(c.Payment), f)
	case sale.AdjustmentAdded:
		f.adjustment(c)
		t.info(adjusted(c, "adicionado"), f)
	case sale.AdjustmentChanged:
		f.adjustment(sale.AdjustmentAdded(c))
		t.info(adjusted(sale.AdjustmentAdded(c), "alterado"), f)
	case sale.AdjustmentRemoved:
		f.adjustment(sale.AdjustmentAdded(c))
		t.info(adjusted(sale.AdjustmentAdded(c), "removido"), f)
	case sale.Cleared:
		f.number("venda", c.Sale)
		f.number("linhas", int64(c.Lines))
		if len(c.Lists) > 1 {
			t.info("Venda "+number(c.Sale)+" esvaziada", f)
		} else {
			t.info(listWords[c.Lists[0]].all+" da venda "+number(c.Sale)+" removidos", f)
		}
	case sale.Closed:
		t.saleClosed(f, c)
	}
}

// listWords are the words for a sale's lists.
var listWords = map[sale.List]struct{ one, all, key string }{
	sale.Items: {"Item", "Itens", "item"}, sale.Payments: {"Pagamento", "Pagamentos", "pagamento"},
	sale.Discounts: {"Desconto", "Descontos", "desconto"}, sale.Additions: {"Acréscimo", "Acréscimos", "acréscimo"},
}

func adjusted(c sale.AdjustmentAdded, how string) string {
	text := listWords[c.List].one + " da venda " + number(c.Sale) + " " + how + ": " + reais(c.Adjustment.Value)
	if c.Adjustment.Description != nil && *c.Adjustment.Description != "" {
		text += ", " + oneLine(*c.Adjustment.Description)
	}
	return text
}

func (f *facts) adjustment(c sale.AdjustmentAdded) {
	f.number("venda", c.Sale)
	f.add(listWords[c.List].key, c.Adjustment.ID)
	f.amount("valor", c.Adjustment.Value)
}

// doubtShown warns of a total that the caller wants shown and that the sale does not add up to; the caller rules all the same.
func (t *Teller) doubtShown(venda int64, m *sale.Mismatch, f *facts) {
	if m != nil {
		t.warn("Total mostrado da venda "+number(venda)+" é "+reais(m.Shown)+"; o calculado é "+reais(m.Reckoned), f)
	}
}

func (t *Teller) itemChanged(f *facts, c sale.ItemChanged) {
	f.item(c.Sale, c.Item)
	if c.Item.Canceled && !c.Before.Canceled {
		t.info("Item cancelado: "+oneLine(c.Item.Description), f)
		return
	}
	if c.Item.Quantity.Cmp(c.Before.Quantity) != 0 {
		f.add("quantidade anterior", c.Before.Quantity.String())
	}
	if c.Item.UnitPrice.Cmp(c.Before.UnitPrice) != 0 {
		f.add("preço anterior", c.Before.UnitPrice.Cents())
	}
	if c.Item.Total.Cmp(c.Before.Total) != 0 {
		f.amount("total anterior", c.Before.Total)
	}
	t.info("Item alterado: "+oneLine(c.Item.Description), f)
}

func (t *Teller) saleClosed(f *facts, c sale.Closed) {
	t.sale.CompareAndSwap(c.Sale, 0)
	f.number("venda", c.Sale)
	s := c.Last.Summary()
	t.summary(f, s)
	f.took(c.Last.OpenedAt)
	items := number(int64(s.ItemCount)) + " itens"
	if s.ItemCount == 1 {
		items = "1 item"
	}
	if c.State == sale.Cancelled {
		t.info("Venda "+number(c.Sale)+" cancelada: "+items+", total "+reais(s.Total), f)
		return
	}
	message := "Venda " + number(c.Sale) + " finalizada: " + items + ", total " + reais(s.Total) + ", pago " + reais(s.Paid)
	if s.Change.Sign() > 0 {
		message += ", troco " + reais(s.Change)
	}
	t.info(message, f)
	t.doubtShown(c.Sale, c.Last.Mismatch(), f)
	if s.Due.Sign() > 0 {
		t.warn("Venda "+number(c.Sale)+" finalizada com pagamentos de "+reais(s.Paid)+" para um total de "+reais(s.Total), f)
	}
}

func (t *Teller) summary(f *facts, s sale.Summary) {
	f.key("itens")
	f.text = strconv.AppendInt(f.text, int64(s.ItemCount), 10)
	f.amount("total", s.Total)
	f.amount("pago", s.Paid)
	f.amount("troco", s.Change)
}

// doubtTotal warns of an item whose total is not what its parts add up to; the caller rules all the same.
func (t *Teller) doubtTotal(ctx context.Context, venda int64, i sale.Item) {
	difference := i.Discrepancy()
	if difference.Cmp(money.Cent) <= 0 {
		return
	}
	f := of(ctx)
	f.item(venda, i)
	t.warn("Total do item "+oneLine(i.ID)+" difere em "+reais(difference)+" de quantidade × preço − desconto + acréscimo", f)
}

func (f *facts) item(venda int64, i sale.Item) {
	f.number("venda", venda)
	f.add("item", i.ID)
	f.add("código", i.Code)
	f.key("quantidade")
	f.text = i.Quantity.Append(f.text)
	f.add("preço", i.UnitPrice.Cents()) // by the litre it has three decimals
	f.optionalAmount("desconto", i.Discount)
	f.optionalAmount("acréscimo", i.Addition)
	f.amount("total", i.Total)
}

func (f *facts) payment(venda int64, p sale.Payment) {
	f.number("venda", venda)
	f.add("pagamento", p.ID)
	if p.Type != nil {
		f.add("forma", paymentTypes[p.Type.Word()])
	}
	f.amount("valor", p.Value)
}

// paid is how much, and how.
func paid(p sale.Payment) string {
	if p.Type == nil {
		return reais(p.Value)
	}
	return reais(p.Value) + ", " + paymentTypes[p.Type.Word()]
}

// paymentTypes are the words for what a payment entry may be.
var paymentTypes = map[sale.PaymentType]string{
	"credit": "crédito", "debit": "débito", "pix": "PIX", "money": "dinheiro", "voucher": "vale", "gift": "vale-presente",
	"providerWallet": "carteira digital", "adm": "administrativo", "cancel": "cancelamento", "cancelDigitalWallet": "cancelamento de carteira digital",
	"unknown": "não informada",
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
