package doctor

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/checkup"
	"github.com/maquininha/maquininha/internal/cli/inspection"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/report"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/syserror"
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
	switch {
	case v.config.Err != nil:
		fmt.Fprintf(w, "Arquivo: %v\n\n", v.config.Err)
	case v.config.File == nil:
		fmt.Fprint(w, "Arquivo: nenhum\n\n")
	default:
		fmt.Fprintf(w, "Arquivo: %s\n\n", v.config.Path())
		for _, complaint := range v.config.File.Complaints() {
			fmt.Fprintf(w, "✗ %s\n", complaint)
		}
	}
	for _, passed := range v.config.Passed {
		fmt.Fprintf(w, "✗ %s\n", passed)
	}
	for _, flag := range v.flags.Flags() {
		if settings.IsSetting(flag) {
			s := settings.SettingOf(flag)
			value, from := v.effective(flag)
			if s.Secret || s.Name() == "tef.certification" {
				value = map[bool]string{true: "não definido", false: "definido"}[value == ""]
			}
			if hidden, found := v.noFiles[s.Name()]; found && value != "" {
				value = hidden
			}
			fmt.Fprintf(w, "%-32s %-40s %s\n", s.Name(), cmp.Or(value, "–"), from)
		}
	}
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

// effective is a setting's value as text, and where it was said.
func (v *visit) effective(flag *kong.Flag) (value, from string) {
	s := settings.SettingOf(flag)
	switch {
	case settings.OnCommandLine(v.flags, flag):
		value, from = settings.Text(flag), "opção --"+flag.Name
	case settings.FromEnvironment(flag):
		value, from = os.Getenv(s.Variable), "ambiente ("+s.Variable+")"
	default:
		if v.config.File != nil {
			if set, found := v.config.File.Values[s.Name()]; found {
				return set.Text, fmt.Sprintf("arquivo, linha %d", set.Line)
			}
		}
		if s.Kind == configfile.Switch {
			return cmp.Or(s.Default, "false"), "padrão"
		}
		return s.Default, "padrão"
	}
	if file, ok := flag.Target.Interface().(settings.SecretFile); ok {
		value = file.Path
	}
	return value, from
}

// configurationFile is the file itself, without what is secret in it.
func (v *visit) configurationFile(w io.Writer) error {
	path, data, err := v.rawConfig()
	if err != nil {
		return fmt.Errorf("%s: %w", path, syserror.OfFile(err))
	}
	if path == "" {
		fmt.Fprintln(w, "# nenhum arquivo de configuração")
		return nil
	}
	_, err = w.Write(checkup.Config(data, options.Settings(), func(file string) bool { return exists(beside(path, file)) }))
	return err
}
