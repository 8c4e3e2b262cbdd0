package app

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/screenui"
)

// virtualPrinter begins the name of a printer of pictures; its paper's width in dots follows.
const virtualPrinter = "virtual-"

// defaultPaper is paper of 80 mm.
const defaultPaper = 576

var locales = []screenui.Choice{{ID: "pt-BR", Label: "Português (Brasil)"}, {ID: "en", Label: "English"}, {ID: "es", Label: "Español"}}

// Locales are the languages that the screen speaks.
func Locales() []string {
	var ids []string
	for _, l := range locales {
		ids = append(ids, l.ID)
	}
	return ids
}

// fixedPrinter tells whether the command line decided the printer: by its name or, where there is a virtual one,
// by its paper.
func (s *settings) fixedPrinter() bool {
	return s.config.Printer.Address != "" || s.config.Mode == Emulator && s.config.PaperWidth > 0
}

// printers are the ways to paper this terminal can be set to, the usual one first.
func (s *settings) printers() []screenui.Choice {
	switch address := s.config.Printer.Address; {
	case address == none || isAddress(address):
		return []screenui.Choice{printerChoice(address)}
	case s.fixedPrinter():
		return []screenui.Choice{printerChoice(virtual(cmp.Or(s.config.PaperWidth, defaultPaper)))}
	}
	var choices []screenui.Choice
	if s.config.Mode == Emulator {
		choices = append(choices, printerChoice(virtual(defaultPaper)), printerChoice(virtual(384)))
	}
	choices = append(choices, printerChoice(none))
	if kept := s.get(settingPrinter); isAddress(kept) { // it was taken when it was set
		choices = append(choices, printerChoice(kept))
	}
	return choices
}

// printerChoice is a printer by its name, in words.
func printerChoice(id string) screenui.Choice {
	c := screenui.Choice{ID: id, Label: "Nenhuma"}
	address, err := printer.ParseAddress(id)
	switch {
	case id == virtual(defaultPaper):
		c.Label = "Virtual, papel de 80 mm"
	case id == virtual(384):
		c.Label = "Virtual, papel de 58 mm"
	case strings.HasPrefix(id, virtualPrinter):
		c.Label = fmt.Sprintf("Virtual, papel de %s pontos", strings.TrimPrefix(id, virtualPrinter))
	case err == nil && address.Path != "":
		c.Label = "Dispositivo " + address.Path
	case err == nil && address.Queue():
		c.Label = "Instalada: " + address.Where()
	case err == nil:
		c.Label = "Rede " + address.Host
	}
	return c
}

// whyNotPrinter takes what is offered, and any printer on the network or installed in the system. Of device files it takes those of printers that
// are plugged in: a path typed at a screen could be any file of the machine.
func (s *settings) whyNotPrinter(id string) string {
	address, err := printer.ParseAddress(id)
	plugged := func(f printer.Found) bool { return f.Address == id }
	if offered(s.printers(), id) || err == nil && (address.Path == "" || slices.ContainsFunc(printer.Plugged(), plugged)) {
		if address.Windows != "" && runtime.GOOS != "windows" {
			return "Impressoras windows: só existem no Windows"
		}
		return ""
	}
	return "Escolha uma das opções, ou informe uma impressora de rede como tcp://192.168.0.50"
}

func isAddress(id string) bool {
	_, err := printer.ParseAddress(id)
	return err == nil
}

// acquirers are the ways to be paid this terminal can be set to, the usual one first.
func (s *settings) acquirers() []screenui.Choice {
	if s.fixedAcquirer() {
		a := s.routed()
		return []screenui.Choice{{ID: a.Card + "+" + a.Pix, Label: a.Words()}}
	}
	return s.ownAcquirers()
}

// ownAcquirers are those that need no configuration.
func (s *settings) ownAcquirers() []screenui.Choice {
	noAcquirer := screenui.Choice{ID: none, Label: "Nenhum"}
	if s.config.Mode == Emulator {
		return []screenui.Choice{{ID: emulatedAcquirer, Label: "Emulador"}, noAcquirer}
	}
	return []screenui.Choice{noAcquirer}
}

// printer is the one in use. What was kept for another mode is left alone and not used.
func (s *settings) printer() string { return chosen(s.printers(), s.get(settingPrinter)) }

func (s *settings) acquirer() string { return chosen(s.acquirers(), s.get(settingAcquirer)) }

// acquirerKept is the operator's choice, for what the start of the service did not decide.
func (s *settings) acquirerKept() string { return chosen(s.ownAcquirers(), s.get(settingAcquirer)) }

// fixedAcquirer tells whether the command line decided who is paid.
func (s *settings) fixedAcquirer() bool {
	return s.config.Acquirers.Card != "" || s.config.Acquirers.Pix != ""
}

func chosen(choices []screenui.Choice, kept string) string {
	if offered(choices, kept) {
		return kept
	}
	return choices[0].ID
}

func virtual(dots int) string { return virtualPrinter + strconv.Itoa(dots) }

// anyPaper tells that nobody said which paper a real printer has, nor what it is.
func (s *settings) anyPaper() bool {
	return s.modelName() == "" && s.config.PaperWidth == 0 && s.config.Printer.DPI == 0
}

// paper is the roll in the printer. The virtual one has paper even while nothing prints on it.
func (s *settings) paper() receipt.Paper {
	dots, _ := strconv.Atoi(strings.TrimPrefix(s.printer(), virtualPrinter))
	roll := s.model().Paper
	if dots > 0 {
		roll = receipt.Paper{}
	}
	return receipt.Paper{Width: cmp.Or(dots, s.config.PaperWidth, roll.Width, defaultPaper), DPI: cmp.Or(s.config.Printer.DPI, roll.DPI)}
}
