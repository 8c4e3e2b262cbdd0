package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/syserror"
)

const configName = "maquininha.toml"

// configuration answers for flags that were not given from the configuration file. It is looked for only once a
// command has a flag that could be in it.
type configuration struct {
	settings []configfile.Setting
	command  string
	looked   bool
	file     *configfile.File // nil: there is none
	err      error            // there is one, which can't be read
	spoiled  []spoiled        // what doctor passed over in the environment
}

// Validate has nothing to do: the file's problems are said all at once, by judge.
func (c *configuration) Validate(*kong.Application) error { return nil }

// Resolve is the file's value for a flag. The library asks for flags that the environment has set, too: they stay.
func (c *configuration) Resolve(ctx *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !flag.Tag.Has("toml") || isInit(ctx) {
		return nil, nil
	}
	c.look(ctx)
	if c.file == nil || fromEnvironment(flag) {
		return nil, nil
	}
	if flag.Tag.Has("secret") {
		for _, other := range ctx.Flags() {
			if other.Name == flag.Name+"-file" && (fromEnvironment(other) || onCommandLine(ctx, other)) {
				return nil, nil // the same secret, said nearer
			}
		}
	}
	if value, set := c.file.Values[settingOf(flag).Name()]; set {
		return value.Text, nil
	}
	return nil, nil
}

func isInit(ctx *kong.Context) bool { return ctx.Selected() != nil && ctx.Selected().Name == "init" }

// forgetEmptyVariables has those that are set but empty, as deployment files like to have them, count as not set; the
// library would take them for a value, and for a wrong one where it can't be empty.
func forgetEmptyVariables() {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); value == "" && strings.HasPrefix(name, "MAQUININHA_") {
			os.Unsetenv(name) //nolint:errcheck // it fails only for names that can't be
		}
	}
}

// fromEnvironment tells whether a variable decides.
func fromEnvironment(flag *kong.Flag) bool {
	return slices.ContainsFunc(flag.Envs, func(name string) bool { return os.Getenv(name) != "" })
}

// onCommandLine tells whether a flag is on the command line.
func onCommandLine(ctx *kong.Context, flag *kong.Flag) bool {
	return slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag == flag && !p.Resolved })
}

// look finds the file and reads it.
func (c *configuration) look(ctx *kong.Context) {
	if c.looked {
		return
	}
	c.looked = true
	if node := ctx.Selected(); node != nil {
		c.command = node.Name
	}
	c.settings = settings(ctx.Model)
	var named, data string
	for _, flag := range ctx.Flags() {
		switch text, _ := ctx.FlagValue(flag).(string); flag.Name {
		case "config":
			named = text
		case "data":
			data = text
		}
	}
	for _, path := range configPlaces(named, data) {
		var file *configfile.File
		err := c.plain(path, named)
		if err == nil {
			file, err = configfile.Open(path, c.settings)
		}
		if errors.Is(err, fs.ErrNotExist) && named == "" {
			continue
		}
		if err != nil {
			c.err = fmt.Errorf("o arquivo de configuração %s não pode ser lido: %w", path, unreadable(err))
			if errors.Is(err, fs.ErrPermission) && named == "" {
				c.err = fmt.Errorf("%w (é do serviço: rode como administrador, ou diga outro com --config)", c.err)
			}
			return
		}
		c.file = file
		c.try()
		return
	}
}

// errNoPlainFile is of folders, pipes and devices.
var errNoPlainFile = errors.New("não é um arquivo comum")

// plain refuses what is no plain file: whoever opens a pipe waits for somebody to write. One that was named may be meant, but not of
// doctor, which must come to an end.
func (c *configuration) plain(path, named string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular(), path == os.DevNull, named != "" && !info.IsDir() && c.command != "doctor":
		return nil
	}
	return errNoPlainFile
}

// configPlaces are where the file may be, the first that exists counts.
func configPlaces(named, data string) []string {
	if named != "" {
		return []string{named}
	}
	var places []string
	if data == "" {
		data, _ = app.DefaultData() // whoever needs it says that there is none
	}
	if data != "" {
		inData := filepath.Join(data, configName)
		if _, err := os.Stat(inData); !errors.Is(err, syscall.ENOTDIR) { // whoever needs the folder says that it is none
			places = append(places, inData)
		}
	}
	system := "/etc"
	if runtime.GOOS == "windows" {
		system = os.Getenv("ProgramData")
	}
	if system != "" {
		places = append(places, filepath.Join(system, "maquininha", configName))
	}
	return places
}

// unreadable says it of a file that was looked for, in fewer words.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("não existe")
	}
	return syserror.Reason(err)
}

// try runs each value of the file alone past the checks of the command line, so that all that are refused are known.
func (c *configuration) try() {
	mode := cmp.Or(c.file.Values["mode"].Text, "emulator")
	for _, s := range c.settings {
		value, set := c.file.Values[s.Name()]
		if !set || s.Secret {
			continue
		}
		if why := refusalOf(s, value.Text, mode); why != "" {
			c.file.Refuse(s, value.Line, configfile.InKeys(why, c.settings))
		}
	}
	for _, s := range c.settings {
		value, set := c.file.Values[s.Name()]
		if _, both := c.file.Values[s.Name()+"_file"]; set && both {
			c.file.Refuse(s, value.Line, "use esta chave ou "+s.Key+"_file, não as duas")
		}
	}
}

// refusalOf is what the command line would have against a value.
func refusalOf(s configfile.Setting, value, mode string) string {
	alone := kong.Must(&serve{}, kong.Name("maquininha"), kong.Exit(func(int) {}))
	_, err := alone.Parse([]string{"--mode=" + mode, "--" + s.Flag + "=" + value})
	if err == nil {
		return ""
	}
	_, rest, about := strings.Cut(err.Error(), "--"+s.Flag)
	if !about || continues(rest) {
		return "" // of what else is missing, or of the environment
	}
	text, _, _ := strings.Cut(inPortuguese(err), " (veja maquininha")
	return strings.TrimLeft(strings.TrimPrefix(text, "--"+s.Flag), ": ")
}

// judge is what keeps the command from running. A command that only needs the folder is not kept from it by what is
// wrong elsewhere in the file; check, doctor and logs tell of it themselves.
func (c *configuration) judge(ctx *kong.Context, err error) error {
	tells := c.command == "check" || c.command == "doctor" || c.command == "logs"
	if c.err != nil && !tells {
		return c.err
	}
	if c.file != nil && len(c.file.Problems) > 0 && !tells {
		aboutData := slices.ContainsFunc(c.file.Problems, func(p configfile.Problem) bool { return p.Where == "data" })
		if c.command == "serve" || c.file.Broken || aboutData {
			daemon.Complain(fmt.Sprintf("maquininha: há o que corrigir em %s:\n%s", c.file.Path, strings.Join(c.file.Complaints(), "\n")))
			return errSaid
		}
	}
	if err != nil {
		return err
	}
	for _, p := range ctx.Path {
		if p.Flag != nil && !p.Resolved && p.Flag.Tag.Has("secret") {
			// Process arguments are everybody's to read.
			return fmt.Errorf("--%s não é aceita na linha de comando, que outros podem ler; use %s, no ambiente, ou --%s-file", p.Flag.Name, p.Flag.Envs[0], p.Flag.Name)
		}
	}
	return nil
}

// path is where the file is; empty: there is none.
func (c *configuration) path() string {
	if c.file == nil {
		return ""
	}
	if absolute, err := filepath.Abs(c.file.Path); err == nil {
		return absolute
	}
	return c.file.Path
}

// inKeys says beside each flag of a text where it is in the file, for those who use one.
func (c *configuration) inKeys(text string) string {
	if c.file == nil {
		return text
	}
	for _, s := range c.settings {
		for _, name := range []string{"--" + s.Flag, s.Variable} {
			before, after, found := strings.Cut(text, name)
			if found && name != "" && !continues(after) && !strings.HasSuffix(before, "maquininha repair ") { // a command to be copied
				text = before + name + " ou " + s.Where() + after
			}
		}
	}
	return text
}

// continues tells whether a name goes on: it was another, then, that begins the same.
func continues(rest string) bool {
	return rest != "" && strings.Contains("-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", rest[:1])
}

// settings are what the file may hold: the flags of serve that say under which key.
func settings(model *kong.Application) (all []configfile.Setting) {
	for _, command := range model.Children {
		if command.Name != "serve" {
			continue
		}
		for _, flag := range command.Flags {
			if flag.Tag.Has("toml") {
				all = append(all, settingOf(flag))
			}
		}
	}
	return all
}

// settingOf is a flag as the file has it. Its tag is its key, with a path marked as one.
func settingOf(flag *kong.Flag) configfile.Setting {
	name, kind, _ := strings.Cut(flag.Tag.Get("toml"), ",")
	table, key, found := strings.Cut(name, ".")
	if !found {
		table, key = "", name
	}
	s := configfile.Setting{
		Table: table, Key: key, Flag: flag.Name, Help: flag.Help, Default: flag.Default, Example: flag.Tag.Get("example"),
		Path: kind == "path", Secret: flag.Tag.Has("secret"),
	}
	if len(flag.Envs) > 0 {
		s.Variable = flag.Envs[0]
	}
	if flag.Enum != "" {
		s.Choices = strings.Split(flag.Enum, ",")
	}
	switch target := flag.Target.Interface().(type) {
	case time.Duration:
		s.Kind = configfile.Duration
	case bool:
		s.Kind = configfile.Switch
	case int, *int:
		s.Kind = configfile.Number
	case string, secretFile, nameServer:
	default:
		panic(fmt.Sprintf("no TOML for the %T of --%s", target, flag.Name))
	}
	return s
}
