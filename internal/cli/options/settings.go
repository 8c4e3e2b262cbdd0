package options

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/configfile"
)

// alone is the service's options without a command.
type alone struct {
	Service `embed:""`
}

// Validate is Check; kong calls it.
func (a alone) Validate() error { return a.Check() }

// Settings are what the file may hold: the flags of the service that say under which key.
var Settings = sync.OnceValue(func() (all []configfile.Setting) {
	for _, flag := range commandline.New(&alone{}).Model.Flags {
		if IsSetting(flag) {
			all = append(all, SettingOf(flag))
		}
	}
	return all
})

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
	case string, SecretFile, NameServer:
	default:
		panic(fmt.Sprintf("no TOML for the %T of --%s", target, flag.Name))
	}
	return s
}

// Text is a flag's value as it is written.
func Text(flag *kong.Flag) string { return fmt.Sprint(reflect.Indirect(flag.Target).Interface()) }

// Try runs each value of the file alone past the checks of the command line, so that all that are refused are known.
func Try(file *configfile.File) {
	mode := cmp.Or(file.Values["mode"].Text, "emulator")
	for _, s := range Settings() {
		value, set := file.Values[s.Name()]
		if !set || s.Secret {
			continue
		}
		if why := Refusal(s, value.Text, mode); why != "" {
			file.Refuse(s, value.Line, configfile.InKeys(why, Settings()))
		}
	}
	for _, s := range Settings() {
		value, set := file.Values[s.Name()]
		if _, both := file.Values[s.Name()+"_file"]; set && both {
			file.Refuse(s, value.Line, "use esta chave ou "+s.Key+"_file, não as duas")
		}
	}
}

// Refusal is what the command line would have against a value; empty: nothing.
func Refusal(s configfile.Setting, value, mode string) string {
	var refused *configfile.Refused
	if !errors.As(Parse("--mode="+mode, "--"+s.Flag+"="+value), &refused) || refused.Flag != s.Flag || refused.Variable != "" {
		return "" // of what else is missing, or of the environment
	}
	return refused.Why
}

// Parse is what the service would have against flags.
func Parse(flags ...string) error {
	_, err := commandline.New(&alone{}, kong.Exit(func(int) {})).Parse(flags)
	return err
}

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
	for _, s := range Settings() {
		if value := os.Getenv(s.Variable); value != "" && !s.Secret {
			given[s.Variable] = value
			os.Unsetenv(s.Variable) //nolint:errcheck // it fails only for names that can't be
		}
	}
	for _, s := range Settings() {
		value, was := given[s.Variable]
		if !was {
			continue
		}
		if why := Refusal(s, value, "emulator"); why != "" {
			c.Passed = append(c.Passed, Passed{s, value, why})
			continue
		}
		os.Setenv(s.Variable, value) //nolint:errcheck // it was there before
	}
}

// Read is what the service of this place is told by the environment and the file, whatever is wrong with parts of it.
func (p Place) Read() (Service, *Configuration, error) {
	var line struct {
		Service `embed:""`
	}
	c := &Configuration{}
	c.PassOver()
	var args []string
	if p.Config != "" {
		args = append(args, "--config="+p.Config)
	}
	if p.Data != "" {
		args = append(args, "--data="+p.Data)
	}
	_, err := commandline.New(&line, kong.Resolvers(c)).Parse(args)
	if err == nil && len(c.Passed) > 0 {
		err = fmt.Errorf("%v", c.Passed[0])
	}
	return line.Service, c, cmp.Or(c.Err, err)
}
