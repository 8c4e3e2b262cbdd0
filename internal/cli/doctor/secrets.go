package doctor

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/checkup"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/report"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
)

// written are a setting's values as somebody wrote them, wherever that was, and where a path among them leads.
func (v *visit) written(flag *kong.Flag, config string, raw *configfile.File) (values [][2]string) {
	s := settings.SettingOf(flag)
	if settings.OnCommandLine(v.flags, flag) {
		text := settings.Text(flag)
		values = append(values, [2]string{text, text})
	}
	if text := os.Getenv(s.Variable); text != "" {
		values = append(values, [2]string{text, kong.ExpandPath(text)})
	}
	for _, p := range v.config.Passed {
		if p.Setting.Name() == s.Name() {
			values = append(values, [2]string{p.Value, kong.ExpandPath(p.Value)})
		}
	}
	if set, found := raw.Values[s.Name()]; found {
		values = append(values, [2]string{set.Text, report.Beside(config, set.Text)})
	}
	return values
}

// misplaced are secrets that stand where none should: in an address, or in the place of the name of a secret's file.
func (v *visit) misplaced() (secrets []string) {
	path, data, _ := report.RawConfig(options.Program(), v.Config, v.Data) // check says what is wrong with it
	raw := configfile.Parse(data, options.Settings())
	files := map[string]bool{}
	for _, s := range options.Settings() {
		if s.Secret {
			files[checkup.FileOf(s)] = true
		}
	}
	v.noFiles = map[string]string{}
	for _, flag := range v.flags.Flags() {
		if !settings.IsSetting(flag) {
			continue
		}
		s := settings.SettingOf(flag)
		for _, value := range v.written(flag, path, raw) {
			text, leads := value[0], value[1]
			switch {
			case files[s.Name()] && text != "" && !report.Exists(leads):
				hidden := "não é um arquivo existente: " + console.Amount(utf8.RuneCountInString(text), "caractere", "caracteres")
				if v.noFiles[s.Name()] == "" {
					v.health.Wrong("Segredos", "%s %s, que não mostramos; grave o segredo em um arquivo e diga aqui o nome dele", s.Where(), hidden)
				}
				v.noFiles[s.Name()] = hidden
				secrets = append(secrets, text, filepath.Clean(text), leads)
			case strings.Contains(text, "://") || strings.Contains(s.Key, "url"):
				secrets = append(secrets, inAddress(text)...)
			}
		}
	}
	return secrets
}

// inAddress are what an address has after its path, whole and value by value.
func inAddress(text string) (secrets []string) {
	_, rest, found := strings.Cut(text, "?")
	if !found {
		_, rest, _ = strings.Cut(text, "#")
	}
	secrets = append(secrets, rest)
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return strings.ContainsRune("&;#", r) }) {
		_, value, _ := strings.Cut(part, "=")
		secrets = append(secrets, value)
		if plain, err := url.QueryUnescape(value); err == nil {
			secrets = append(secrets, plain)
		}
	}
	return secrets
}
