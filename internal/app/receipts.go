package app

import (
	"cmp"
	"context"
	"log/slog"
	"strings"

	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/story"
)

// cardReceipts are what can become of a card receipt, the usual one first.
var cardReceipts = []screenui.Choice{
	{ID: string(payment.ReceiptNone), Label: "Não imprimir"},
	{ID: string(payment.ReceiptCustomer), Label: "Via do cliente"},
	{ID: string(payment.ReceiptBoth), Label: "Via do cliente e do estabelecimento"},
	{ID: string(payment.ReceiptAsk), Label: "Perguntar na tela"},
}

// CheckCardReceipt refuses what the start of the service can't have meant.
func CheckCardReceipt(id string) error {
	if id == "" || offered(cardReceipts, id) {
		return nil
	}
	var ids []string
	for _, c := range cardReceipts {
		ids = append(ids, c.ID)
	}
	return configfile.Refuse("card-receipt", "deve ser um de %s", strings.Join(ids, ", "))
}

// cardReceipt is what becomes of the next receipt.
func (s *settings) cardReceipt() payment.ReceiptMode {
	return payment.ReceiptMode(chosen(cardReceipts, cmp.Or(s.config.CardReceipt, s.get(settingReceipt))))
}

// receipts fills payment.Receipts. It prints without the print desk, which would find the terminal busy with the payment.
type receipts struct {
	printer  printing.Printer
	settings *settings
}

// Mode asks for nothing where nothing can print: the shop would be told of a failure at every payment.
func (r receipts) Mode() payment.ReceiptMode {
	if r.printer.State() == printing.NoPrinter {
		return payment.NoPaper
	}
	return r.settings.cardReceipt()
}

// remark says once, at the start, that receipts are wanted where nothing prints.
func (r receipts) remark(log *slog.Logger) {
	if mode := r.settings.cardReceipt(); mode != payment.ReceiptNone && r.printer.State() == printing.NoPrinter {
		log.Warn("comprovantes não serão impressos: terminal sem impressora", "cardReceipt", mode)
	}
}

func (r receipts) Print(ctx context.Context, s payment.Slip) error {
	job := printing.OnePage(printing.Receipt, printing.SlipPage(r.settings.Name(), s.Text))
	job.Name, job.Reference = "comprovante, via do "+story.CopyNames[s.Copy], s.Reference
	return r.printer.Print(ctx, job)
}
