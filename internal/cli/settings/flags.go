package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/wholefile"
)

// Of are what the file may hold: the flags of a command that say under which key.
func Of(command any) (all []configfile.Setting) {
	for _, flag := range commandline.New(command).Model.Flags {
		if IsSetting(flag) {
			all = append(all, SettingOf(flag))
		}
	}
	return all
}

// IsSetting tells whether a flag can be in the file.
func IsSetting(flag *kong.Flag) bool { return flag.Tag.Has("toml") }

// SettingOf is a flag as the file has it. Its tag is its key, with a path marked as one.
func SettingOf(flag *kong.Flag) configfile.Setting {
	name, kind, _ := strings.Cut(flag.Tag.Get("toml"), ",")
	table, key, found := strings.Cut(name, ".")
	if !found {
		table, key = "", name
	}
	s := configfile.Setting{
		Table: table, Key: key, Flag: flag.Name, Help: flag.Help, Default: flag.Default, Example: flag.Tag.Get("example"),
		Path: kind == "path", Secret: flag.Tag.Has("secret"), Choices: commandline.Choices(flag),
	}
	if len(flag.Envs) > 0 {
		s.Variable = flag.Envs[0]
	}
	switch target := flag.Target.Interface().(type) {
	case time.Duration:
		s.Kind = configfile.Duration
	case bool, *bool:
		s.Kind = configfile.Switch
	case int, *int:
		s.Kind = configfile.Number
	case SecretFile:
	default:
		if flag.Target.Kind() != reflect.String {
			panic(fmt.Sprintf("no TOML for the %T of --%s", target, flag.Name))
		}
	}
	return s
}

// Text is a flag's value as it is written.
func Text(flag *kong.Flag) string { return fmt.Sprint(reflect.Indirect(flag.Target).Interface()) }

// Passed is a variable that could not be read as its setting, and was passed over.
type Passed struct {
	Setting    configfile.Setting
	Value, Why string
}

func (p Passed) String() string { return p.Setting.Variable + ": " + p.Why }

// PassOver takes out of the environment what could not be read as a setting, so that the rest can be: a typing error in a unit file
// may be what support is asked about.
func (c *Configuration) PassOver() {
	given := map[string]string{}
	for _, s := range c.Of.Settings() {
		if value := os.Getenv(s.Variable); value != "" && !s.Secret {
			given[s.Variable] = value
			os.Unsetenv(s.Variable) //nolint:errcheck // it fails only for names that can't be
		}
	}
	for _, s := range c.Of.Settings() {
		value, was := given[s.Variable]
		if !was {
			continue
		}
		if why := c.Of.Refusal(s, value); why != "" {
			c.Passed = append(c.Passed, Passed{s, value, why})
			continue
		}
		os.Setenv(s.Variable, value) //nolint:errcheck // it was there before
	}
}

// Given is what the flags of a command line set in the file, by name. Paths are made whole: in the file they would begin elsewhere.
func Given(ctx *kong.Context) map[string]string {
	all := map[string]string{}
	for _, p := range ctx.Path {
		if p.Flag == nil || p.Resolved || !IsSetting(p.Flag) {
			continue
		}
		s := SettingOf(p.Flag)
		text := Text(p.Flag)
		if s.Path {
			text = kong.ExpandPath(text)
		}
		all[s.Name()] = text
	}
	return all
}

// Refusal is what an error has against the value of a flag; empty: it is about something else, or the environment.
func Refusal(flag string, err error) string {
	var refused *configfile.Refused
	if !errors.As(err, &refused) || refused.Flag != flag || refused.Variable != "" {
		return ""
	}
	return refused.Why
}

// RefuseTwice notes the settings of a file that are said twice: a secret, and the file it is in.
func RefuseTwice(file *configfile.File, all []configfile.Setting) {
	for _, s := range all {
		value, set := file.Values[s.Name()]
		if _, both := file.Values[s.Name()+"_file"]; set && both {
			file.Refuse(s, value.Line, "use esta chave ou "+s.Key+"_file, não as duas")
		}
	}
}

// WriteFile writes the file whole, for this user only.
func WriteFile(path string, text []byte, over bool) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if !over {
		return wholefile.Create(path, text)
	}
	return wholefile.Put(path, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}
