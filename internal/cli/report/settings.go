package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/checkup"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Settings is every setting, its value and where that comes from. show is how a value is shown: secrets are not.
func Settings(w io.Writer, flags *kong.Context, config *settings.Configuration, show func(s configfile.Setting, value string) string) {
	switch {
	case config.Err != nil:
		fmt.Fprintf(w, "Arquivo: %v\n\n", config.Err)
	case config.File == nil:
		fmt.Fprint(w, "Arquivo: nenhum\n\n")
	default:
		fmt.Fprintf(w, "Arquivo: %s\n\n", config.Path())
		for _, complaint := range config.File.Complaints() {
			fmt.Fprintf(w, "✗ %s\n", complaint)
		}
	}
	for _, passed := range config.Passed {
		fmt.Fprintf(w, "✗ %s\n", passed)
	}
	for _, flag := range flags.Flags() {
		if settings.IsSetting(flag) {
			s := settings.SettingOf(flag)
			value, from := effective(flags, config, flag)
			fmt.Fprintf(w, "%-32s %-40s %s\n", s.Name(), cmp.Or(show(s, value), "–"), from)
		}
	}
}

// effective is a setting's value as text, and where it was said.
func effective(flags *kong.Context, config *settings.Configuration, flag *kong.Flag) (value, from string) {
	s := settings.SettingOf(flag)
	switch {
	case settings.OnCommandLine(flags, flag):
		value, from = settings.Text(flag), "opção --"+flag.Name
	case settings.FromEnvironment(flag):
		value, from = os.Getenv(s.Variable), "ambiente ("+s.Variable+")"
	default:
		if config.File != nil {
			if set, found := config.File.Values[s.Name()]; found {
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

// RawConfig is the configuration file as it is; no path: there is none. What is no plain file is not opened: whoever opens a pipe
// waits for somebody to write.
func RawConfig(p settings.Program, named, data string) (path string, text []byte, err error) {
	for _, place := range p.Places(named, data) {
		info, err := os.Stat(place)
		switch {
		case errors.Is(err, fs.ErrNotExist) && named == "":
			continue
		case err != nil:
			return place, nil, err
		case place != os.DevNull && !info.Mode().IsRegular():
			return place, nil, settings.ErrNoPlainFile
		}
		text, err = os.ReadFile(place)
		return place, text, err
	}
	return "", nil, nil
}

// ConfigFile is the configuration file without what is secret in it.
func ConfigFile(w io.Writer, p settings.Program, named, data string) error {
	path, text, err := RawConfig(p, named, data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, syserror.OfFile(err))
	}
	if path == "" {
		fmt.Fprintln(w, "# nenhum arquivo de configuração")
		return nil
	}
	_, err = w.Write(checkup.Config(text, p.Settings(), func(file string) bool { return Exists(Beside(path, file)) }))
	return err
}

// Beside is where a path of the configuration file leads.
func Beside(config, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if dir, err := filepath.Abs(filepath.Dir(config)); err == nil && !filepath.IsAbs(path) {
		return filepath.Join(dir, path)
	}
	return path
}

// Exists tells whether there is something at a path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
