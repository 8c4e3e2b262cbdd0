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
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// Flags are the roll and the printer of a command that prints by itself, without the service.
type Flags struct {
	Width            int    `default:"576" placeholder:"PONTOS" help:"Largura do papel: 576 (80 mm), 384 (58 mm)."`
	DPI              int    `name:"dpi" default:"203" placeholder:"N" help:"Pontos por polegada."`
	Printer          string `placeholder:"QUAL" help:"A impressora, sem ela a do serviço (MAQUININHA_PRINTER ou [printer] address): tcp://ENDEREÇO[:9100] ou file:CAMINHO[?baud=9600]."`
	Service          string `name:"service-printer" hidden:"" env:"MAQUININHA_PRINTER" toml:"printer.address"`
	options.Printing `embed:""`
}

// Check refuses what no paper has, and no printer can do.
func (p Flags) Check() error {
	return cmp.Or(options.CheckWidth("width", p.Width), p.Printing.Check("dpi", p.DPI))
}

// Address is the printer's. The service's must not by itself make this command print.
func (p Flags) Address() string { return cmp.Or(p.Printer, p.Service) }

// CheckPrinter refuses what can't be printed on.
func (p Flags) CheckPrinter() error {
	const examples = "tcp://192.168.0.50 ou file:/dev/usb/lp0 (serial: file:/dev/ttyUSB0?baud=9600)"
	switch _, err := printer.ParseAddress(p.Address()); {
	case p.Address() == "":
		return errors.New("informe em --printer a impressora: " + examples)
	case err != nil:
		return fmt.Errorf("--printer %q não é uma impressora deste comando; use %s", p.Address(), examples)
	}
	return nil
}

// Roll is the paper.
func (p Flags) Roll() receipt.Paper { return receipt.Paper{Width: p.Width, DPI: p.DPI} }

// Print puts a job on paper.
func (p Flags) Print(ctx context.Context, job printing.Job) error {
	address, err := printer.ParseAddress(p.Address())
	if err != nil {
		return err
	}
	device, err := printer.Open(address, p.options())
	if err != nil {
		return err
	}
	if err := device.Print(ctx, job); err != nil {
		return &Error{cmp.Or(address.Path, address.Host), err}
	}
	return nil
}

// Write writes what a printer would be sent.
func (p Flags) Write(out io.Writer, job printing.Job) error {
	return printer.Write(out, job, p.options())
}

func (p Flags) options() printer.Options {
	return printer.Options{Paper: p.Roll(), Cut: p.Cut, Feed: p.Feed, Copies: p.Copies, Drawer: p.Drawer}
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
	text := httpapi.WhyNotPrinted(e.Err)
	switch {
	case !errors.Is(e.Err, printing.ErrOffline):
		return text
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
		paper = receipt.NewBitmap(p.Width, 1) // there is no picture without height
	}
	return paper, err
}
