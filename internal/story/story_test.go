package story_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/story"
)

// What an entry looks like, whoever writes it: a message of one line, and details of lines key=value that begin with the
// operation's name. What each event says, the tests of the interface know.
func TestTheShapeOfAnEntry(t *testing.T) {
	files, err := store.OpenLogs(filepath.Join(t.TempDir(), "logs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	var last logbook.Entry
	logs, err := logbook.Open(files, logbook.Options{Echo: func(e logbook.Entry) { last = e }})
	if err != nil {
		t.Fatal(err)
	}
	defer logs.Close()
	teller := story.New(logs, func(error) string { return "sem papel" })

	nothing, of := money.Zero, money.MustParse
	bread := sale.Item{ID: "a", Code: "789", Description: "Pão", Quantity: of("0.35"), UnitPrice: of("60"), Discount: &nothing, Total: of("21")}
	forged := bread
	forged.ID, forged.Description = "a\nop=outra\r\nvenda=9", "Pão\ncom sementes"
	const card = "4111111111111111"
	named := operation.Name(t.Context())
	for name, tt := range map[string]struct {
		ctx              context.Context
		tell             func(context.Context)
		message, details string // OP is the operation's name
	}{
		"facts, and none for what is empty or nothing": {
			named, func(ctx context.Context) { teller.Sale(ctx, sale.ItemAdded{Sale: 7, Item: bread}) },
			"Item adicionado: Pão", "op=OP\nvenda=7\nitem=a\ncódigo=789\nquantidade=0.35\npreço=60.00\ntotal=21.00",
		},
		"values that would be lines of their own": {
			named, func(ctx context.Context) { teller.Sale(ctx, sale.ItemAdded{Sale: 7, Item: forged}) },
			"Item adicionado: Pão com sementes", "op=OP\nvenda=7\nitem=a op=outra venda=9\ncódigo=789\nquantidade=0.35\npreço=60.00\ntotal=21.00",
		},
		"amounts: as the shop writes them to people, plain to programs": {
			named, func(ctx context.Context) {
				teller.Sale(ctx, sale.PaymentAdded{Sale: 7, Payment: sale.Payment{ID: "p", Value: of("1234.5")}})
			},
			"Pagamento lançado na venda 7: R$ 1.234,50", "op=OP\nvenda=7\npagamento=p\nvalor=1234.50",
		},
		"a card number": {
			named, func(ctx context.Context) { teller.Remark(ctx, "cartão "+card) },
			"cartão 411111******1111", "op=OP",
		},
		"a card number where a long value is cut: half of it would not be known as one": {
			named, func(ctx context.Context) {
				teller.NotPaid(ctx, payment.Payment, payment.Request{Reference: strings.Repeat("x", 503) + " " + card}, operation.ErrBusy, "ocupado")
			},
			"Pagamento sem sucesso: ocupado", "op=OP\nreferência=" + strings.Repeat("x", 503) + " 411111**…",
		},
		"money that came when its payment was over": {
			t.Context(), func(ctx context.Context) {
				over := payment.Transaction{ID: 7, State: payment.StateCancelled, Request: payment.Request{Reference: "r", Method: payment.Pix, Amount: of("10")}}
				came := over
				came.Late = payment.Late{EndToEndID: "E1", Amount: of("10")}
				teller.Moved(ctx, payment.Move{Before: over, After: came})
			},
			"Dinheiro recebido depois do fim do pagamento: R$ 10,00; será devolvido ao pagador",
			"referência=r\ntransação=7\nsituação=cancelada\nvalor=10.00\nforma=PIX\nrecebido depois do fim=10.00\nendToEndId recebido depois=E1",
		},
		"money that came late and that only the manager's menu gives back": {
			t.Context(), func(ctx context.Context) {
				over := payment.Transaction{ID: 7, State: payment.StateRefused, Request: payment.Request{Reference: "r", Method: payment.Credit, Amount: of("10")}}
				came := over
				came.Late = payment.Late{Amount: of("10"), ByHand: true, InMenu: true}
				teller.Moved(ctx, payment.Move{Before: over, After: came})
			},
			"Dinheiro recebido depois do fim do pagamento: R$ 10,00; só o menu do TEF (ADM) o devolve: cancele a venda nele",
			"referência=r\ntransação=7\nsituação=recusada\nvalor=10.00\nforma=crédito\nrecebido depois do fim=10.00",
		},
		"nobody's operation": {
			t.Context(), func(ctx context.Context) { teller.Remark(ctx, "algo estranho") },
			"algo estranho", "",
		},
	} {
		tt.tell(tt.ctx)
		want := [2]string{tt.message, strings.Replace(tt.details, "OP", operation.NameOf(tt.ctx), 1)}
		if diff := cmp.Diff(want, [2]string{last.Message, last.Details}); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
