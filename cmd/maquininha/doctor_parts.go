package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/checkup"
	"github.com/maquininha/maquininha/internal/configfile"
)

// row writes a name and its value.
func row(w io.Writer, name, format string, args ...any) {
	fmt.Fprintf(w, "%-20s %s\n", name, fmt.Sprintf(format, args...))
}

func (v *visit) system(w io.Writer) error {
	row(w, "Versão", "%s (build %s)", version, build)
	row(w, "Go", "%s", runtime.Version())
	row(w, "Sistema", "%s/%s, %s", runtime.GOOS, runtime.GOARCH, systemName())
	row(w, "Processadores", "%d", runtime.NumCPU())
	program, err := os.Executable()
	row(w, "Programa", "%s", orWhy(program, err))
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "vcs.") {
				row(w, s.Key, "%s", s.Value)
			}
		}
	}
	host, err := os.Hostname()
	row(w, "Máquina", "%s", orWhy(host, err))
	who, err := user.Current()
	if err == nil {
		row(w, "Usuário", "%s (%s)", who.Username, who.Uid)
	} else {
		row(w, "Usuário", "desconhecido: %v", err)
	}
	zone, _ := v.at.Zone()
	row(w, "Relógio", "%s", v.at.Format("02/01/2006 15:04:05.000 -07:00"))
	row(w, "Fuso", "%s (%s)%s", time.Local, zone, known(", TZ=", os.Getenv("TZ")))
	row(w, "UTC", "%s", v.at.UTC().Format(time.RFC3339))
	return nil
}

func orWhy(text string, err error) string {
	if err != nil {
		return "desconhecido: " + err.Error()
	}
	return text
}

func known(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// serviceState asks the service about itself.
func (v *visit) serviceState(w io.Writer) error {
	row(w, "Pasta de dados", "%s", cmp.Or(v.data, "nenhuma"))
	switch {
	case v.blind:
		row(w, "Em uso", "desconhecido: este usuário não pode ver a pasta")
		v.health.doubtful("Dados", "este usuário não pode ver %s; rode doctor como o usuário do serviço", v.data)
	case v.inUse:
		row(w, "Em uso", "sim: há um serviço no ar com esta pasta")
	default:
		row(w, "Em uso", "não: nenhum serviço usa esta pasta")
	}
	row(w, "Endereço", "%s, usuário %s", cmp.Or(v.service.url, "desconhecido"), v.service.user)
	if v.asked == nil {
		v.health.skipped("Serviço", "%s; não foi perguntado: %v", v.inWords(), v.unasked)
		return v.unasked
	}
	asked := time.Now()
	health, err := v.asked.Status(v.ctx)
	took := time.Since(asked)
	if err != nil {
		worded := v.service.words(err)
		if v.unasked = worded; v.inUse {
			v.health.wrong("Serviço", "no ar, mas não responde como devia: %v", worded)
		} else if errors.Is(err, client.ErrUnreachable) {
			v.health.doubtful("Serviço", "parado")
		} else {
			v.health.wrong("Serviço", "parado nesta pasta, e quem responde não serve: %v", worded)
		}
		return worded
	}
	row(w, "Respondeu em", "%.1f ms", float64(took.Microseconds())/1000)
	row(w, "Situação", "%s", health.Status)
	row(w, "No ar desde", "%s (há %s)", health.StartedAt.Format("02/01/2006 15:04:05 -07:00"), time.Duration(health.UptimeSeconds)*time.Second)
	info, err := v.asked.Info(v.ctx)
	if err != nil {
		v.health.wrong("Serviço", "responde a /status, mas não a /info: %v", v.service.words(err))
		return v.service.words(err)
	}
	row(w, "Versão", "%s (build %s)", info.Version, info.Build)
	row(w, "Modo", "%s", info.Mode)
	row(w, "Plataforma", "%s, idioma %s, fuso %s", info.Platform, info.Locale, info.TimeZone)
	row(w, "Tela", "%s", map[bool]string{true: "em primeiro plano", false: "em segundo plano, ou fechada"}[info.Active])
	row(w, "Ocupado", "%s", map[bool]string{true: "sim, com uma operação", false: "não"}[info.Busy])
	words := fmt.Sprintf("no ar há %s, versão %s, modo %s", time.Duration(health.UptimeSeconds)*time.Second, info.Version, info.Mode)
	switch {
	case info.Version != version || info.Build != build:
		v.health.doubtful("Serviço", "%s; este programa é %s (build %s): o serviço não foi reiniciado depois da troca?", words, version, build)
	case !v.inUse && !v.blind:
		v.health.doubtful("Serviço", "%s, mas com outra pasta de dados que não %s", words, v.data)
	default:
		v.health.good("Serviço", "%s", words)
	}
	if !info.Active {
		v.health.doubtful("Tela", "em segundo plano, ou fechada: pagamentos esperam 15 s e falham")
	}
	return nil
}

func (v *visit) inWords() string {
	switch {
	case v.inUse:
		return "no ar"
	case v.blind:
		return "não se sabe se está no ar"
	}
	return "parado"
}

// inspection is what check says. Its doubts and faults are the summary's too.
func (v *visit) inspection(w io.Writer) error {
	var said strings.Builder
	r := &findings{out: io.MultiWriter(w, &said), inKeys: func(text string) string { return text }}
	for _, spoiled := range v.config.spoiled {
		r.wrong("Ambiente", "%s (ignorada aqui; o serviço não iniciaria)", spoiled)
	}
	r.inKeys = v.config.inKeys
	i := &inspection{check: v.check, findings: r, ctx: v.ctx, watching: true, blind: v.blind}
	defer func() {
		v.health.errors, v.health.doubts = v.health.errors+r.errors, v.health.doubts+r.doubts
		for line := range strings.Lines(said.String()) {
			if !strings.HasPrefix(line, "–") {
				v.said.WriteString(line)
			}
		}
	}()
	i.run(v.config)
	return nil
}

// configurationTable is every setting, its value and where that comes from.
func (v *visit) configurationTable(w io.Writer) error {
	switch {
	case v.config.err != nil:
		fmt.Fprintf(w, "Arquivo: %v\n\n", v.config.err)
	case v.config.file == nil:
		fmt.Fprint(w, "Arquivo: nenhum\n\n")
	default:
		fmt.Fprintf(w, "Arquivo: %s\n\n", v.config.path())
		for _, complaint := range v.config.file.Complaints() {
			fmt.Fprintf(w, "✗ %s\n", complaint)
		}
	}
	for _, spoiled := range v.config.spoiled {
		fmt.Fprintf(w, "✗ %s\n", spoiled)
	}
	for _, flag := range v.flags.Flags() {
		if flag.Tag.Has("toml") {
			s := settingOf(flag)
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
		return v.closed()
	}
	fmt.Fprint(w, "\nEscolhido na tela, ou guardado pelo serviço (vale onde acima não há valor):\n")
	names := make([]string, 0, len(v.kept))
	for name := range v.kept {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(w, "%-32s %s\n", name, cmp.Or(v.kept[name], "–"))
	}
	return nil
}

// effective is a setting's value as text, and where it was said.
func (v *visit) effective(flag *kong.Flag) (value, from string) {
	s := settingOf(flag)
	switch {
	case onCommandLine(v.flags, flag):
		value, from = fmt.Sprint(v.flags.FlagValue(flag)), "opção --"+flag.Name
	case fromEnvironment(flag):
		value, from = os.Getenv(s.Variable), "ambiente ("+s.Variable+")"
	default:
		if v.config.file != nil {
			if set, found := v.config.file.Values[s.Name()]; found {
				return set.Text, fmt.Sprintf("arquivo, linha %d", set.Line)
			}
		}
		if s.Kind == configfile.Switch {
			return cmp.Or(s.Default, "false"), "padrão"
		}
		return s.Default, "padrão"
	}
	if file, ok := flag.Target.Interface().(secretFile); ok {
		value = file.path
	}
	return value, from
}

// configurationFile is the file itself, without what is secret in it.
func (v *visit) configurationFile(w io.Writer) error {
	path, data, err := v.rawConfig()
	if err != nil {
		return fmt.Errorf("%s: %w", path, unreadable(err))
	}
	if path == "" {
		fmt.Fprintln(w, "# nenhum arquivo de configuração")
		return nil
	}
	_, err = w.Write(checkup.Config(data, settings(v.flags.Model), func(file string) bool { return exists(beside(path, file)) }))
	return err
}
