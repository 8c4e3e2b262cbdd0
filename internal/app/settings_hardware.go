package app

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/screenui"
)

// virtualPrinter begins the name of a printer of pictures; its paper's width in dots follows.
const virtualPrinter = "virtual-"

// defaultPaper is paper of 80 mm.
const defaultPaper = 576

// emulatedAcquirer is the emulator's own bank.
const emulatedAcquirer = "emulator"

var locales = []screenui.Choice{{ID: "pt-BR", Label: "Português (Brasil)"}, {ID: "en", Label: "English"}, {ID: "es", Label: "Español"}}

// Locales are the languages that the screen speaks.
func Locales() []string {
	var ids []string
	for _, l := range locales {
		ids = append(ids, l.ID)
	}
	return ids
}

// fixedPaper tells whether the command line decided the printer. A real terminal has no virtual one.
func (s *settings) fixedPaper() bool { return s.config.Mode == Emulator && s.config.PaperWidth > 0 }

// printers are the ways to paper this terminal can be set to, the usual one first.
func (s *settings) printers() []screenui.Choice {
	noPrinter := screenui.Choice{ID: none, Label: "Nenhuma"}
	switch {
	case s.fixedPaper():
		return []screenui.Choice{{ID: virtual(s.config.PaperWidth), Label: fmt.Sprintf("Virtual, papel de %d pontos", s.config.PaperWidth)}}
	case s.config.Mode == Emulator:
		return []screenui.Choice{
			{ID: virtual(defaultPaper), Label: "Virtual, papel de 80 mm"}, {ID: virtual(384), Label: "Virtual, papel de 58 mm"}, noPrinter,
		}
	}
	return []screenui.Choice{noPrinter}
}

// acquirers are the ways to be paid this terminal can be set to, the usual one first.
func (s *settings) acquirers() []screenui.Choice {
	noAcquirer := screenui.Choice{ID: none, Label: "Nenhum"}
	if s.config.Mode == Emulator {
		return []screenui.Choice{{ID: emulatedAcquirer, Label: "Emulador"}, noAcquirer}
	}
	return []screenui.Choice{noAcquirer}
}

// printer is the one in use. What was kept for another mode is left alone and not used.
func (s *settings) printer() string { return chosen(s.printers(), s.get(settingPrinter)) }

func (s *settings) acquirer() string { return chosen(s.acquirers(), s.get(settingAcquirer)) }

func chosen(choices []screenui.Choice, kept string) string {
	if offered(choices, kept) {
		return kept
	}
	return choices[0].ID
}

func virtual(dots int) string { return virtualPrinter + strconv.Itoa(dots) }

// paper is the width of the virtual printer's paper, in dots; it has some even while nothing prints on it.
func (s *settings) paper() int {
	dots, _ := strconv.Atoi(strings.TrimPrefix(s.printer(), virtualPrinter))
	return cmp.Or(dots, defaultPaper)
}
