package options

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
)

// FileName is what the configuration file is called.
const FileName = "maquininha.toml"

// Configuration is the terminal's file.
type Configuration = settings.Configuration

// NewConfiguration is the terminal's file, to be looked for.
func NewConfiguration() *Configuration { return &Configuration{Of: Program()} }

// Places are where the file may be, the first that exists counts.
func Places(named, data string) []string { return Program().Places(named, data) }

// Program is the terminal's, for its configuration file.
func Program() settings.Program {
	return settings.Program{
		Name: "maquininha", Settings: Settings, Data: app.DefaultData, Try: Try, Complain: daemon.Terminal.Complain, Place: &Place{},
		Refusal: func(s configfile.Setting, value string) string { return Refusal(s, value, "emulator") },
	}
}

// alone is the service's options without a command.
type alone struct {
	Service `embed:""`
}

// Validate is Check; kong calls it.
func (a alone) Validate() error { return a.Check() }

// Settings are what the file may hold: the flags of the service that say under which key.
var Settings = sync.OnceValue(func() []configfile.Setting { return settings.Of(&alone{}) })

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
	settings.RefuseTwice(file, Settings())
}

// Refusal is what the command line would have against a value; empty: nothing.
func Refusal(s configfile.Setting, value, mode string) string {
	return settings.Refusal(s.Flag, Parse("--mode="+mode, "--"+s.Flag+"="+value)) // what else is missing does not count
}

// Parse is what the service would have against flags.
func Parse(flags ...string) error {
	_, err := commandline.New(&alone{}, kong.Exit(func(int) {})).Parse(flags)
	return err
}

// Read is what the service of this place is told by the environment and the file, whatever is wrong with parts of it.
func (p Place) Read() (Service, *Configuration, error) {
	var line struct {
		Service `embed:""`
	}
	c := NewConfiguration()
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
