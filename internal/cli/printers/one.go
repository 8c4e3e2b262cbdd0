package printers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/cli/paper"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/printing"
)

// Which is the printer that a command is about.
type Which struct {
	Address string `arg:"" optional:"" name:"endereço" help:"A impressora, como tcp://192.168.0.50, file:/dev/usb/lp0, cups:caixa ou windows:Caixa; sem ela, a do serviço."`

	Paper paper.Flags `embed:""`
}

// check refuses what can't be printed on.
func (w *Which) check() error {
	w.Paper.Printer = cmp.Or(w.Address, w.Paper.Printer)
	return cmp.Or(w.Paper.Check(), settings.Lacking(w.Paper.Address(), w.Paper.CheckPrinter()))
}

// State is maquininha printers state.
type State struct {
	Which Which `embed:""`
}

// Validate refuses what can't be asked; kong calls it.
func (s *State) Validate() error { return s.Which.check() }

// Help is the rest of the page.
func (State) Help() string {
	return `Envia à impressora as perguntas da linguagem dela (DLE EOT, ENQ…), que uma impressora de cupons responde sem imprimir. Não use com uma
impressora de outro tipo: as perguntas sairiam no papel.`
}

// Run asks.
func (s *State) Run(ctx context.Context) error {
	c, err := s.Which.Paper.Look(ctx)
	if err != nil {
		return words(err)
	}
	how := "pronta, com papel"
	switch {
	case s.Which.Paper.Queued():
		how = "a fila não acusa nenhum problema"
	case !c.Reports:
		how = "atende, mas não informa o seu estado"
	}
	fmt.Printf("Estado  %s\n", how)
	fmt.Printf("Diz ser %s\n", cmp.Or(c.Said, "nada"))
	if c.Model.Name != "" {
		fmt.Printf("Modelo  %s (%s): %d pontos, %d dpi\n", c.Model.Name, c.Model.Title, c.Model.Paper.Width, c.Model.Paper.DPI)
	}
	return nil
}

// Test is maquininha printers test.
type Test struct {
	Which Which `embed:""`
}

// Validate refuses what can't be printed on; kong calls it.
func (t *Test) Validate() error { return t.Which.check() }

// Help is the rest of the page.
func (Test) Help() string {
	return `A página traz uma régua da largura do papel, acentos, um QR Code e um código de barras. Se saírem caracteres sem sentido, a linguagem é outra:
escolha o modelo com --printer-model (maquininha printers models os lista).`
}

// Run prints.
func (t *Test) Run(ctx context.Context) error {
	model := "como ela diz que é, ou ESC/POS"
	p := t.Which.Paper
	if err := p.Follow(ctx); err != nil {
		return words(err)
	}
	if known, ok := escpos.ModelNamed(p.Model); ok {
		model = known.Title
	}
	if err := p.Print(ctx, printing.TestPage(p.Address(), model, p.Roll(), time.Now())); err != nil {
		return words(err)
	}
	fmt.Println("Página de teste impressa.")
	return nil
}

// words say an error as people read it.
func words(err error) error {
	var wordy interface{ Words() string }
	if errors.As(err, &wordy) {
		return errors.New(wordy.Words())
	}
	return err
}
