package ledger

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"io"
	"os"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/cli/paper"
	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/store"
)

// Closing is maquininha closing. It sums up a period, by default the day that is ending.
type Closing struct {
	options.Place `embed:""`
	Period        `embed:""`
	Format        string `placeholder:"FORMA" help:"Na saída padrão: text (padrão) ou json. Com --print, --printer ou --png, só quando é dada."`
	Print         bool   `help:"Imprime na impressora de --printer ou de MAQUININHA_PRINTER; --printer sozinha também imprime."`
	PNG           string `name:"png" placeholder:"ARQUIVO" help:"Desenha o papel numa imagem."`
	paper.Flags   `embed:""`
}

// Validate refuses what can't be meant; kong calls it.
func (c Closing) Validate() error {
	if err := commandline.OneOf("format", c.Format, "text", "json"); err != nil && c.Format != "" {
		return err
	}
	if c.PNG == "-" && c.Format != "" {
		return errors.New("--png - e --format não valem juntos: há uma só saída padrão")
	}
	if err := c.Flags.Check(); err != nil {
		return err
	}
	if c.prints() {
		if err := c.CheckPrinter(); err != nil {
			return err
		}
	}
	_, err := c.span(time.Now())
	return err
}

func (c Closing) prints() bool { return c.Print || c.Printer != "" }

func (c Closing) span(now time.Time) (closing.Period, error) {
	if c.Period.none() {
		return Period{Today: true}.of(now)
	}
	return c.Period.of(now)
}

// Run makes the closing in every form that was asked for.
func (c Closing) Run(ctx context.Context, version commandline.Version) error {
	now := time.Now()
	span, err := c.span(now)
	if err != nil {
		return err
	}
	return read(ctx, c.Place, func(reader *store.Reader, ledger *store.Ledger) error {
		report, err := closed(ctx, ledger, span)
		if err != nil {
			return err
		}
		shop, err := app.ShopName(reader)
		if err != nil {
			return err
		}
		by := closing.Imprint{Shop: shop, Program: version.String(), At: now}
		by.Terminal, _ = os.Hostname() // a terminal without a name is none the worse
		return c.deliver(ctx, report, by)
	})
}

// closed sums up the ledger, one transaction at a time.
func closed(ctx context.Context, ledger *store.Ledger, span closing.Period) (*closing.Report, error) {
	report := closing.New(span)
	add := func(t payment.Transaction) error {
		report.Add(t)
		return nil
	}
	// Somebody must look at the pending ones from before too.
	if !span.Since.IsZero() {
		if err := ledger.List(ctx, payment.Filter{Status: payment.Pending, Until: span.Since}, add); err != nil {
			return nil, err
		}
	}
	err := ledger.List(ctx, payment.Filter{Since: span.Since, Until: span.Until, Reversals: true}, add)
	return report, err
}

func (c Closing) deliver(ctx context.Context, report *closing.Report, by closing.Imprint) error {
	page := report.Page(by)
	if c.PNG != "" {
		dots, err := c.Dots(page)
		if err != nil {
			return err
		}
		var picture bytes.Buffer
		if err := png.Encode(&picture, dots.Image()); err != nil {
			return err
		}
		if err := write(c.Place, c.PNG, func(out io.Writer) error { _, err := picture.WriteTo(out); return err }); err != nil {
			return err
		}
	}
	if c.prints() {
		if err := c.Flags.Print(ctx, printing.OnePage(printing.Text, page)); err != nil {
			return err
		}
	}
	switch {
	case c.Format == "json":
		return output.Buffered(os.Stdout, func(out io.Writer) error { return closingJSON(out, report, by) })
	case c.Format == "text" || c.PNG == "" && !c.prints():
		_, err := io.WriteString(os.Stdout, page.Plain())
		return err
	}
	return nil
}
