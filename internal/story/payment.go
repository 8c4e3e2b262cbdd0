package story

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// Began tells of a payment or a reversal that holds the terminal from now on.
func (t *Teller) Began(ctx context.Context, s payment.Shown) {
	r := &running{
		origin: origin{operation.NameOf(ctx), t.sale.Load()}, what: "o pagamento", reference: s.Request.Reference, began: time.Now(),
	}
	if s.Kind == payment.Menu {
		r.what = "o menu do adquirente"
		t.running.Store(r)
		t.info("Menu do adquirente aberto", r.facts(""))
		return
	}
	message := "Pagamento pedido: "
	if s.Kind == payment.Refund {
		message, r.what = "Estorno pedido: ", "o estorno"
	}
	t.running.Store(r)
	f := r.facts(s.Request.Reference)
	f.asked(s.Amount, s.Method, s.Installments)
	t.info(message+reais(s.Amount)+", "+methodNames[s.Method], f)
}

// Left tells of an operation that ended with its caller, before anything was sent.
func (t *Teller) Left(ctx context.Context, s payment.Shown) {
	f := origin{operation.NameOf(ctx), t.sale.Load()}.facts(s.Request.Reference)
	message := "Pagamento encerrado: o PDV desligou antes de algo ser enviado; nada foi cobrado"
	if s.Kind == payment.Refund {
		message = "Estorno encerrado: o PDV desligou antes de algo ser enviado; o pagamento continua valendo"
	}
	t.warn(message, f)
}

// Repeated tells of a payment or a reversal that was made before and is not made again.
func (t *Teller) Repeated(ctx context.Context, kind payment.Kind, tx payment.Transaction) {
	f := origin{operation.NameOf(ctx), t.sale.Load()}.facts(tx.Request.Reference)
	f.transaction(tx)
	message := "Pagamento já aprovado antes: respondido de novo, sem outra cobrança"
	if kind == payment.Refund {
		message = "Estorno já aprovado antes: respondido de novo, sem outra devolução"
	}
	t.info(message, f)
}

// NotPaid tells of a payment or a reversal that its caller got an error for, in the words of the error.
func (t *Teller) NotPaid(ctx context.Context, kind payment.Kind, r payment.Request, err error, why string) {
	f := origin{operation.NameOf(ctx), t.sale.Load()}.facts(r.Reference)
	if r.Amount.Sign() > 0 {
		f.amount("valor", r.Amount)
	}
	what := "Pagamento"
	if kind == payment.Refund {
		what = "Estorno"
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		t.warn(what+": o PDV desligou antes da resposta; o desfecho fica registrado aqui", f)
		return
	}
	if busy := t.running.Load(); busy != nil && errors.Is(err, operation.ErrBusy) {
		f.add("em andamento", busy.reference)
	}
	t.warn(what+" sem sucesso: "+oneLine(why), f)
}

// CalledOff tells of a caller who does not want the running operation any more.
func (t *Teller) CalledOff(ctx context.Context, w operation.Wish) {
	f := of(ctx)
	if r := t.running.Load(); r != nil && w.Reference != "" && r.reference == w.Reference {
		f = r.facts(w.Reference)
	} else {
		f.add("referência", w.Reference)
	}
	t.info("Cancelamento pedido pelo PDV", f)
}

// Moved tells of a step of an attempt.
func (t *Teller) Moved(ctx context.Context, s payment.Move) {
	from := t.originOf(ctx, s.After)
	f := from.facts(s.After.Request.Reference)
	f.transaction(s.After)
	level, message := stepWords(s)
	if message == "" {
		return
	}
	if !s.After.State.Open() && s.Before.State != s.After.State {
		f.took(t.began(from, s.After))
	}
	if note := noteOf(s); note != "" && s.Before.State != s.After.State {
		f.add("motivo", note)
		message += ": " + oneLine(note)
	}
	t.logs.Add(level, logbook.App, message, f.String())
}

// noteOf is why a step was made: the acquirer's own words on what it did not accept, or why there are none.
func noteOf(s payment.Move) string {
	if s.Note == payment.NoteCalledOff || s.Note == payment.NoteTimedOut {
		return "" // the message says it
	}
	switch s.Word {
	case payment.Accepted:
		return ""
	case "":
		if s.After.State == payment.StateConfirmed && len(s.After.Reversals) == 0 {
			return "" // its words say it
		}
		return portuguese.Text(s.Note)
	}
	return s.Note
}

// originOf is the operation that an attempt belongs to. The recovery goes on with it in the name of who began.
func (t *Teller) originOf(ctx context.Context, tx payment.Transaction) origin {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := t.attempts[tx.ID]
	if op := operation.NameOf(ctx); op != "" && op != from.op {
		from = origin{op: op}
		if r := t.running.Load(); r != nil && r.op == op {
			from.sale = r.sale
		}
	}
	if t.attempts[tx.ID] = from; len(t.attempts) > rememberedAttempts {
		delete(t.attempts, slices.Min(slices.Collect(maps.Keys(t.attempts))))
	}
	return from
}

// rememberedAttempts is how many attempts are known by their operations: more than are ever worked on at once.
const rememberedAttempts = 64

// began is when the operation did: the one that holds the terminal, or else the attempt.
func (t *Teller) began(from origin, tx payment.Transaction) time.Time {
	if r := t.running.Load(); r != nil && r.op == from.op {
		return r.began
	}
	if len(tx.Reversals) > 0 {
		return time.Time{}
	}
	return tx.CreatedAt
}

// stepWords are the words for a step; none for one that says nothing new.
func stepWords(s payment.Move) (logbook.Level, string) {
	if s.After.Late != s.Before.Late {
		return lateWords(s.After)
	}
	if s.After.State == s.Before.State {
		return logbook.Info, "Confirmação entregue ao adquirente"
	}
	if len(s.After.Reversals) > 0 {
		return reversalWords(s)
	}
	amount := reais(s.After.Request.Amount)
	switch s.After.State {
	case payment.StateSent:
		return logbook.Info, "Pagamento enviado ao adquirente: " + amount
	case payment.StateApproved:
		return logbook.Info, "Pagamento aprovado pelo adquirente: " + amount + numbered(s.After.Outcome.NSU)
	case payment.StateConfirmed:
		return logbook.Info, "Pagamento confirmado: " + amount + numbered(s.After.Outcome.NSU)
	case payment.StateRefused:
		return logbook.Info, "Pagamento recusado pelo adquirente"
	case payment.StateCancelled:
		if s.Word == payment.Abandoned {
			return logbook.Info, "Pagamento cancelado " + cancelledBy(s)
		}
		return logbook.Warning, "Pagamento cancelado pelo serviço, nada foi enviado"
	case payment.StateUnknown:
		return logbook.Warning, "Pagamento sem resposta do adquirente"
	case payment.StateUndoing:
		return logbook.Warning, "Pagamento que ninguém soube: sendo desfeito com o adquirente"
	case payment.StateUndone:
		return logbook.Warning, "Pagamento desfeito: nada foi cobrado"
	}
	return logbook.Info, ""
}

func reversalWords(s payment.Move) (logbook.Level, string) {
	amount := reais(s.After.Moving())
	switch s.After.State {
	case payment.StateReversing:
		return logbook.Info, "Estorno iniciado: " + amount
	case payment.StateSent:
		return logbook.Info, "Estorno enviado ao adquirente: " + amount
	case payment.StateReversed:
		return logbook.Info, "Estorno aprovado pelo adquirente: " + amount + numbered(s.After.LastReversal().NSU)
	case payment.StateReturned:
		return logbook.Info, "Estorno parcial aprovado pelo adquirente: " + amount + numbered(s.After.LastReversal().NSU) + "; restam " + reais(s.After.Left())
	case payment.StateUnknown:
		return logbook.Warning, "Estorno sem resposta do adquirente"
	case payment.StateConfirmed:
		switch s.Word {
		case payment.Declined:
			return logbook.Info, "Estorno negado pelo adquirente; o pagamento continua valendo"
		case payment.Abandoned:
			return logbook.Info, "Estorno cancelado " + cancelledBy(s) + "; o pagamento continua valendo"
		}
		return logbook.Warning, "Estorno cancelado pelo serviço, nada foi enviado; o pagamento continua valendo"
	}
	return logbook.Info, ""
}

// lateWords tell of money that came when its payment was over, and of its return.
func lateWords(tx payment.Transaction) (logbook.Level, string) {
	amount := reais(tx.Late.Amount)
	switch {
	case tx.Late.Kept() && tx.Late.InMenu:
		return logbook.Warning, "Dinheiro recebido depois do fim do pagamento: " + amount + "; só o menu do TEF (ADM) o devolve: cancele a venda nele"
	case tx.Late.Kept() && tx.Late.ByHand:
		return logbook.Warning, "Dinheiro recebido depois do fim do pagamento: " + amount + "; só a maquininha o devolve: estorne-o nela"
	case tx.Late.Kept():
		return logbook.Warning, "Dinheiro recebido depois do fim do pagamento: " + amount + "; será devolvido ao pagador"
	}
	return logbook.Warning, "Dinheiro recebido depois do fim do pagamento foi devolvido ao pagador: " + amount
}

// LateKept tells of money that came late and that the acquirer does not give back now.
func (t *Teller) LateKept(tx payment.Transaction, err error) {
	f := t.originOf(context.Background(), tx).facts(tx.Request.Reference)
	f.transaction(tx)
	if errors.Is(err, payment.ErrAtDevice) {
		t.warn("Dinheiro recebido depois do fim do pagamento espera que alguém o estorne na maquininha; isso é conferido por um dia", f)
		return
	}
	why := portuguese.Error(err)
	f.add("motivo", why)
	t.warn("Dinheiro recebido depois do fim do pagamento ainda não devolvido: "+oneLine(why)+"; será tentado de novo por um dia", f)
}

// cancelledBy is who did not want an operation any more.
func cancelledBy(s payment.Move) string {
	switch s.Note {
	case payment.NoteCalledOff:
		return "pelo PDV"
	case payment.NoteTimedOut:
		return "por tempo esgotado"
	}
	return "por quem estava no terminal"
}

func numbered(nsu string) string {
	if nsu == "" {
		return ""
	}
	return ", NSU " + oneLine(nsu)
}

// Recovered tells of an attempt without an answer that has come to its end.
func (t *Teller) Recovered(tx payment.Transaction) {
	f := t.originOf(context.Background(), tx).facts(tx.Request.Reference)
	f.transaction(tx)
	t.warn("Transação sem resposta resolvida com o adquirente: "+statusNames[tx.Status()], f)
}

// Orphan tells of a pending transaction whose acquirer nobody can ask.
func (t *Teller) Orphan(tx payment.Transaction) {
	f := origin{}.facts(tx.Request.Reference)
	f.transaction(tx)
	t.warn("Transação pendente de um adquirente que não está configurado", f)
}

// Acquirer tells when an acquirer can't be asked any more, and when it can be again.
func (t *Teller) Acquirer(way string, err error) {
	t.mu.Lock()
	since, troubled := t.troubled[way]
	switch {
	case err != nil && !troubled:
		t.troubled[way] = time.Now()
	case err == nil:
		delete(t.troubled, way)
	}
	t.mu.Unlock()
	f := named("")
	f.add("adquirente", acquirerName(way))
	switch {
	case err != nil && !troubled:
		why := portuguese.Error(err)
		f.add("motivo", why)
		t.warn("Adquirente com problema: "+oneLine(why), f)
	case err == nil && troubled:
		f.took(since)
		t.info("Adquirente voltou a responder", f)
	}
}

// Troubled are the acquirers that can't be asked now, by name.
func (t *Teller) Troubled() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var names []string
	for way := range t.troubled {
		names = append(names, acquirerName(way))
	}
	slices.Sort(names)
	return names
}

// Unprinted tells of a copy of a receipt that is not on paper: the shop may want to print it by other means.
func (t *Teller) Unprinted(s payment.Slip, err error) {
	f := t.current().facts(s.Reference)
	f.add("operação", kindNames[s.Kind])
	f.add("via", CopyNames[s.Copy])
	f.add("motivo", portuguese.Error(err))
	t.warn("comprovante não impresso: "+t.whyNotPrinted(err), f)
}

// current is the operation that holds the terminal.
func (t *Teller) current() origin {
	if r := t.running.Load(); r != nil {
		return r.origin
	}
	return origin{}
}

// facts begins an entry about a reference.
func (o origin) facts(reference string) *facts {
	f := named(o.op)
	f.add("referência", reference)
	f.number("venda", o.sale)
	return f
}

func (f *facts) asked(amount money.Decimal, m payment.Method, installments int) {
	f.amount("valor", amount)
	f.add("forma", methodNames[m])
	if installments > 1 {
		f.number("parcelas", int64(installments))
	}
}

func (f *facts) transaction(tx payment.Transaction) {
	o := tx.Outcome
	f.add("transação", tx.Operation())
	f.add("situação", statusNames[tx.Status()])
	f.asked(tx.Request.Amount, tx.Method(), tx.Installments())
	f.add("NSU", o.NSU)
	f.add("autorização", o.Authorization)
	f.add("txid", o.TxID)
	f.add("endToEndId", o.EndToEndID)
	if last := tx.LastReversal(); len(tx.Reversals) > 0 {
		f.amount("valor do estorno", last.Amount)
		f.add("reversalId", last.ID)
		f.add("NSU do estorno", last.NSU)
	}
	if tx.Late.Came() {
		f.amount("recebido depois do fim", tx.Late.Amount)
		f.add("endToEndId recebido depois", tx.Late.EndToEndID)
	}
	f.add("adquirente", acquirerName(tx.Acquirer))
}

var (
	methodNames = map[payment.Method]string{
		payment.Credit: "crédito", payment.Debit: "débito", payment.Pix: "PIX", payment.AnyMethod: "forma a escolher no terminal",
	}
	statusNames = map[payment.Status]string{
		payment.Approved: "aprovada", payment.Refused: "recusada", payment.Cancelled: "cancelada", payment.Reversed: "estornada", payment.Pending: "pendente",
	}
	kindNames = map[payment.Kind]string{payment.Payment: "pagamento", payment.Refund: "estorno", payment.Menu: "menu do adquirente"}
)

// CopyNames are the two copies of a receipt.
var CopyNames = map[payment.Copy]string{payment.CustomerCopy: "cliente", payment.MerchantCopy: "estabelecimento"}

// acquirerName is a way's name for people.
func acquirerName(way string) string {
	return cmp.Or(map[string]string{"emulator": "emulador"}[way], way)
}
