package doctor

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/cli/inspection"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/report"
	"github.com/maquininha/maquininha/internal/configfile"
)

// row writes a name and its value.
func row(w io.Writer, name, format string, args ...any) { report.Row(w, name, format, args...) }

// inspection is what check says. Its doubts and faults are the summary's too.
func (v *visit) inspection(w io.Writer) error {
	var said strings.Builder
	r := &inspection.Findings{Out: io.MultiWriter(w, &said)}
	i := &inspection.Inspection{Flags: v.Flags, Findings: r, Context: v.ctx, ReadOnly: true, MayBeInUse: v.unsure()}
	defer func() {
		v.health.Errors, v.health.Doubts = v.health.Errors+r.Errors, v.health.Doubts+r.Doubts
		for line := range strings.Lines(said.String()) {
			if !strings.HasPrefix(line, "–") {
				v.said.WriteString(line)
			}
		}
	}()
	i.Run(v.config, "ignorada aqui; o serviço não iniciaria")
	return nil
}

// configurationTable is every setting, its value and where that comes from.
func (v *visit) configurationTable(w io.Writer) error {
	report.Settings(w, v.flags, v.config, func(s configfile.Setting, value string) string {
		if s.Secret || s.Name() == "tef.certification" {
			value = map[bool]string{true: "não definido", false: "definido"}[value == ""]
		}
		if hidden, found := v.noFiles[s.Name()]; found && value != "" {
			value = hidden
		}
		return value
	})
	if !v.begun {
		return nil
	}
	if v.keptErr != nil {
		fmt.Fprint(w, "\nEscolhido na tela, ou guardado pelo serviço:\n")
		return v.errUnreadable()
	}
	fmt.Fprint(w, "\nEscolhido na tela, ou guardado pelo serviço (vale onde acima não há valor):\n")
	for _, name := range slices.Sorted(maps.Keys(v.kept)) {
		fmt.Fprintf(w, "%-32s %s\n", name, cmp.Or(v.kept[name], "–"))
	}
	return nil
}

// configurationFile is the file itself, without what is secret in it.
func (v *visit) configurationFile(w io.Writer) error {
	return report.ConfigFile(w, options.Program(), v.Config, v.Data)
}
