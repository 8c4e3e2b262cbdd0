// Package paper is the roll and the printer of a command that prints by itself, without the service.
package paper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"syscall"

	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// Flags are the roll and the printer of a command that prints by itself, without the service.
type Flags struct {
	Width            *int   `placeholder:"PONTOS" help:"Largura do papel: 576 (80 mm), 384 (58 mm); sem ela, a do modelo, em geral 576."`
	DPI              *int   `name:"dpi" placeholder:"N" help:"Pontos por polegada; sem eles, os do modelo, em geral 203."`
	Printer          string `placeholder:"QUAL" help:"A impressora, sem ela a do serviço (MAQUININHA_PRINTER ou [printer] address): tcp://ENDEREÇO[:9100], file:CAMINHO[?baud=9600], cups:NOME ou windows:NOME (as instaladas; maquininha printers as lista)."`
	Service          string `name:"service-printer" hidden:"" env:"MAQUININHA_PRINTER" toml:"printer.address"`
	options.Printing `embed:""`
}

// Check refuses what no paper has, and no printer can do.
func (p Flags) Check() error {
	roll := p.Roll()
	return cmp.Or(options.CheckWidth("width", roll.Width), p.Printing.Check("dpi", roll.DPI))
}

// Address is the printer's. The service's must not by itself make this command print.
func (p Flags) Address() string { return cmp.Or(p.Printer, p.Service) }

// CheckPrinter refuses what can't be printed on.
func (p Flags) CheckPrinter() error {
	const examples = "tcp://192.168.0.50, file:/dev/usb/lp0 (serial: file:/dev/ttyUSB0?baud=9600), cups:NOME ou, no Windows, windows:NOME"
	switch _, err := printer.ParseAddress(p.Address()); {
	case p.Address() == "":
		return errors.New("informe em --printer a impressora: " + examples)
	case err != nil:
		return fmt.Errorf("--printer %q não é uma impressora deste comando; use %s", p.Address(), examples)
	}
	return nil
}

// Roll is the paper.
func (p Flags) Roll() receipt.Paper {
	roll := receipt.Paper80
	if model, ok := escpos.ModelNamed(p.Model); ok && !model.Labels {
		roll = model.Paper
	}
	if p.Width != nil {
		roll.Width = *p.Width
	}
	if p.DPI != nil {
		roll.DPI = *p.DPI
	}
	return roll
}

// anyPaper tells that nobody said which, nor what the printer is.
func (p Flags) anyPaper() bool {
	return p.Model == "" && p.Width == nil && p.DPI == nil
}

// Follow takes over what the printer is, where prints would follow it: for a page that shows the paper's width.
func (p *Flags) Follow(ctx context.Context) error {
	if address, err := printer.ParseAddress(p.Address()); err != nil || address.Host != "" || !p.anyPaper() { // on the network prints ask nothing
		return err
	}
	c, err := p.Look(ctx)
	if err == nil && c.Follows {
		p.Model = c.Model.Name
	}
	return err
}

// Queued tells of a printer behind a queue of the system, which says less than the printer could.
func (p Flags) Queued() bool {
	address, err := printer.ParseAddress(p.Address())
	return err == nil && address.Queue()
}

// Print puts a job on paper.
func (p Flags) Print(ctx context.Context, job printing.Job) error {
	_, err := p.with(func(device *printer.Thermal) (printer.Condition, error) {
		return printer.Condition{}, device.Print(ctx, job)
	})
	return err
}

// Look asks the printer how it is.
func (p Flags) Look(ctx context.Context) (printer.Condition, error) {
	return p.with(func(device *printer.Thermal) (printer.Condition, error) { return device.Look(ctx) })
}

func (p Flags) with(do func(*printer.Thermal) (printer.Condition, error)) (printer.Condition, error) {
	address, err := printer.ParseAddress(p.Address())
	if err != nil {
		return printer.Condition{}, err
	}
	device, err := printer.Open(address, p.options())
	if err == nil {
		var c printer.Condition
		if c, err = do(device); err == nil {
			return c, nil
		}
	}
	return printer.Condition{}, &Error{address.Where(), err}
}

// Write writes what a printer would be sent.
func (p Flags) Write(out io.Writer, job printing.Job) error {
	return printer.Write(out, job, p.options())
}

func (p Flags) options() printer.Options {
	model, _ := escpos.ModelNamed(p.Model) // checked; none: as the printer says that it is
	return printer.Options{Paper: p.Roll(), AnyPaper: p.anyPaper(), Dialect: model.Dialect, Cut: p.Cut, Feed: p.Feed, Copies: p.Copies, Drawer: p.Drawer, DrawerPin: p.DrawerPin}
}

// Error is a failure at a printer.
type Error struct {
	Where string // it is
	Err   error
}

func (e *Error) Error() string { return fmt.Sprintf("printing on %s: %v", e.Where, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Words name the cause where the system knows one.
func (e *Error) Words() string {
	var unknown *net.DNSError
	var network net.Error
	var queue *printer.QueueError
	text := httpapi.WhyNotPrinted(e.Err)
	switch {
	case errors.Is(e.Err, printer.ErrLabels):
		return e.Where + " é uma impressora de etiquetas, não de cupons; se não for, diga o modelo com --printer-model"
	case errors.Is(e.Err, printer.ErrOtherSystem):
		return "windows:" + e.Where + " só existe no Windows"
	case errors.As(e.Err, &queue) && queue.Why != "":
		// Quoted: anybody who may stop a queue writes this, and it is shown on terminals.
		return fmt.Sprintf("%s: a fila %s informa %q", text, e.Where, portuguese.Text(queue.Why))
	case !errors.Is(e.Err, printing.ErrOffline):
		return text
	case errors.Is(e.Err, printer.ErrNoServer):
		return text + ": o servidor de impressão (CUPS) não está no ar"
	case errors.Is(e.Err, printer.ErrNoQueue):
		return text + ": não há fila de impressão com o nome " + e.Where + " (maquininha printers lista as que há)"
	case errors.Is(e.Err, printer.ErrNoDevice):
		return text + ": " + e.Where + " não é um dispositivo"
	case errors.Is(e.Err, fs.ErrNotExist):
		return text + ": o dispositivo " + e.Where + " não existe"
	case errors.Is(e.Err, fs.ErrPermission):
		return text + ": sem permissão para usar " + e.Where
	case errors.Is(e.Err, syscall.ENXIO):
		return text + ": ninguém atende em " + e.Where
	case errors.As(e.Err, &unknown):
		return text + ": o endereço " + e.Where + " é desconhecido"
	case errors.Is(e.Err, syscall.ECONNREFUSED):
		return text + ": " + e.Where + " recusou a conexão"
	case errors.As(e.Err, &network) && network.Timeout():
		return text + ": " + e.Where + " não responde"
	}
	return text + " (" + e.Where + ")"
}

// Dots are the page as the roll has it.
func (p Flags) Dots(page receipt.Page) (*receipt.Bitmap, error) {
	paper, err := page.Raster(p.Roll())
	if err == nil && paper.Height == 0 {
		paper = receipt.NewBitmap(p.Roll().Width, 1) // there is no picture without height
	}
	return paper, err
}
