package app

import (
	"slices"

	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/screenui"
)

// CheckModel refuses what is no receipt printer's model; empty is any.
func CheckModel(name string) error {
	if name == "" {
		return nil
	}
	model, known := escpos.ModelNamed(name)
	switch {
	case !known:
		return configfile.Refuse("printer-model", "%q não é um modelo conhecido; veja a lista com: maquininha printers models", name)
	case model.Labels:
		return configfile.Refuse("printer-model", "%s imprime etiquetas, não cupons", model.Title)
	}
	return nil
}

// printerModels are what a printer can be taken for.
func printerModels() []screenui.Choice {
	choices := []screenui.Choice{{ID: "", Label: "Automático"}}
	for _, m := range escpos.Models {
		if !m.Labels {
			choices = append(choices, screenui.Choice{ID: m.Name, Label: m.Title})
		}
	}
	return choices
}

// modelName is the name of what the printer is taken for; empty: it was not said.
func (s *settings) modelName() string {
	if told, ok := escpos.ModelNamed(s.config.Printer.Model); ok && s.config.Printer.Model != "" {
		return told.Name
	}
	return s.get(settingModel)
}

// model is what the printer is taken for. The zero one is spoken to as it says that it is.
func (s *settings) model() escpos.Model {
	name := s.modelName()
	if i := slices.IndexFunc(escpos.Models, func(m escpos.Model) bool { return m.Name == name }); i >= 0 {
		return escpos.Models[i]
	}
	return escpos.Model{}
}
