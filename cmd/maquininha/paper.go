package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"

	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// paperFlags are the roll and the printer of a command that prints by itself, without the service.
type paperFlags struct {
	Width        int    `default:"576" placeholder:"PONTOS" help:"Largura do papel: 576 (80 mm), 384 (58 mm)."`
	DPI          int    `name:"dpi" default:"203" placeholder:"N" help:"Pontos por polegada."`
	Printer      string `placeholder:"QUAL" help:"A impressora, sem ela a do serviço (MAQUININHA_PRINTER ou [printer] address): tcp://ENDEREÇO[:9100] ou file:CAMINHO[?baud=9600]."`
	Service      string `name:"service-printer" hidden:"" env:"MAQUININHA_PRINTER" toml:"printer.address"`
	printerFlags `embed:""`
}

func (p paperFlags) check() error {
	return cmp.Or(checkWidth("--width", p.Width), p.printerFlags.check("--dpi", p.DPI))
}

// address is the printer's. The service's must not by itself make this command print.
func (p paperFlags) address() string { return cmp.Or(p.Printer, p.Service) }

func (p paperFlags) checkPrinter() error {
	const examples = "tcp://192.168.0.50 ou file:/dev/usb/lp0 (serial: file:/dev/ttyUSB0?baud=9600)"
	switch _, err := printer.ParseAddress(p.address()); {
	case p.address() == "":
		return errors.New("informe em --printer a impressora: " + examples)
	case err != nil:
		return fmt.Errorf("--printer %q não é uma impressora deste comando; use %s", p.address(), examples)
	}
	return nil
}

func (p paperFlags) roll() receipt.Paper { return receipt.Paper{Width: p.Width, DPI: p.DPI} }

func (p paperFlags) paper(ctx context.Context, job printing.Job) error {
	address, err := printer.ParseAddress(p.address())
	if err != nil {
		return err
	}
	device, err := printer.Open(address, printer.Options{Paper: p.roll(), Cut: p.Cut, Feed: p.Feed, Copies: p.Copies, Drawer: p.Drawer})
	if err != nil {
		return err
	}
	if err := device.Print(ctx, job); err != nil {
		return &paperError{cmp.Or(address.Path, address.Host), err}
	}
	return nil
}

// paperError is a failure at a printer.
type paperError struct {
	where string // it is
	err   error
}

func (e *paperError) Error() string { return fmt.Sprintf("printing on %s: %v", e.where, e.err) }

func (e *paperError) Unwrap() error { return e.err }

// words name the cause where the system knows one.
func (e *paperError) words() string {
	var unknown *net.DNSError
	var network net.Error
	text := httpapi.WhyNotPrinted(e.err)
	switch {
	case !errors.Is(e.err, printing.ErrOffline):
		return text
	case errors.Is(e.err, printer.ErrNoDevice):
		return text + ": " + e.where + " não é um dispositivo"
	case errors.Is(e.err, fs.ErrNotExist):
		return text + ": o dispositivo " + e.where + " não existe"
	case errors.Is(e.err, fs.ErrPermission):
		return text + ": sem permissão para usar " + e.where
	case errors.Is(e.err, syscall.ENXIO):
		return text + ": ninguém atende em " + e.where
	case errors.As(e.err, &unknown):
		return text + ": o endereço " + e.where + " é desconhecido"
	case errors.Is(e.err, syscall.ECONNREFUSED):
		return text + ": " + e.where + " recusou a conexão"
	case errors.As(e.err, &network) && network.Timeout():
		return text + ": " + e.where + " não responde"
	}
	return text + " (" + e.where + ")"
}

// dots are the page as the roll has it.
func (p paperFlags) dots(page receipt.Page) (*receipt.Bitmap, error) {
	paper, err := page.Raster(p.roll())
	if err == nil && paper.Height == 0 {
		paper = receipt.NewBitmap(p.Width, 1) // there is no picture without height
	}
	return paper, err
}
