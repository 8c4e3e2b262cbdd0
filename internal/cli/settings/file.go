// Package settings ties the flags of a program to its configuration file: a flag that says under which key may stand in the file, and
// is answered from there when neither the command line nor the environment has it.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/syserror"
)

// What a command does with the configuration file, as the tag file says where the command is declared. Without one a command only uses
// what it needs of the file, and is not kept from it by what is wrong elsewhere.
const (
	whole     = "whole"      // runs only if all of it is right
	told      = "told"       // tells by itself what is wrong
	toldPlain = "told-plain" // the same, and does not wait for a pipe either
	unread    = "unread"     // does not read it
)

// Program is whose configuration file it is.
type Program struct {
	Name     string                                  // the file's is the same, with .toml
	Settings func() []configfile.Setting             // what the file may hold
	Data     func() (string, error)                  // where its data are, unless somebody says otherwise
	Try      func(*configfile.File)                  // notes what is refused in a file
	Refusal  func(configfile.Setting, string) string // what the command line would have against a value; empty: nothing
	Complain func(string)                            // says what is wrong where people look for it
	Place    any                                     // a pointer to the flags config and data, as its service has them
}

// FileName is what the configuration file is called.
func (p Program) FileName() string { return p.Name + ".toml" }

// Configuration answers, as kong's resolver, for flags that were not given from the configuration file. It is looked for
// only once a command has a flag that could be in it.
type Configuration struct {
	Of     Program
	File   *configfile.File // nil: there is none
	Err    error            // there is one, which can't be read
	Passed []Passed         // variables that were ignored because they are wrong

	// Then is the rest of a command that lasts, which its Run has left here: it is done when the parser, a megabyte, is gone.
	Then func() error

	use    string // what the command does with the file
	spared bool   // the file may not be read, and the command can do without
	looked bool
}

// Validate has nothing to do: the file's problems are said all at once, by Judge.
func (c *Configuration) Validate(*kong.Application) error { return nil }

// Resolve is the file's value for a flag. The library asks for flags that the environment has set, too: they stay.
func (c *Configuration) Resolve(ctx *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !IsSetting(flag) {
		return nil, nil
	}
	c.look(ctx)
	if c.File == nil || FromEnvironment(flag) {
		return nil, nil
	}
	if flag.Tag.Has("secret") {
		for _, other := range ctx.Flags() {
			if other.Name == flag.Name+"-file" && (FromEnvironment(other) || OnCommandLine(ctx, other)) {
				return nil, nil // the same secret, said nearer
			}
		}
	}
	if value, set := c.File.Values[SettingOf(flag).Name()]; set {
		return value.Text, nil
	}
	return nil, nil
}

// FromEnvironment tells whether a variable decides.
func FromEnvironment(flag *kong.Flag) bool {
	return slices.ContainsFunc(flag.Envs, func(name string) bool { return os.Getenv(name) != "" })
}

// OnCommandLine tells whether a flag is on the command line.
func OnCommandLine(ctx *kong.Context, flag *kong.Flag) bool {
	return slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag == flag && !p.Resolved })
}

// look finds the file and reads it.
func (c *Configuration) look(ctx *kong.Context) {
	if c.looked {
		return
	}
	c.looked = true
	if node := ctx.Selected(); node != nil {
		c.use = node.Tag.Get("file")
	}
	if c.use == unread {
		return
	}
	named, namable := c.says(ctx, "config")
	data, _ := c.says(ctx, "data")
	for _, path := range c.Of.Places(named, data) {
		var file *configfile.File
		err := c.plain(path, named)
		if err == nil {
			file, err = configfile.Open(path, c.Of.Settings())
		}
		if errors.Is(err, fs.ErrNotExist) && named == "" {
			continue
		}
		if err != nil {
			c.Err = fmt.Errorf("o arquivo de configuração %s não pode ser lido: %w", path, syserror.OfFile(err))
			if errors.Is(err, fs.ErrPermission) {
				c.deny(named != "", namable)
			}
			return
		}
		c.File = file
		c.Of.Try(file)
		return
	}
}

// says is what the command line or the environment says for a flag of Place. A command without the flag is told by its variable only.
func (c *Configuration) says(ctx *kong.Context, name string) (text string, has bool) {
	for _, flag := range ctx.Flags() {
		if flag.Name == name {
			text, _ = ctx.FlagValue(flag).(string)
			return text, true
		}
	}
	for _, flag := range commandline.New(c.Of.Place).Model.Flags {
		if flag.Name == name && len(flag.Envs) > 0 {
			text = os.Getenv(flag.Envs[0])
		}
	}
	return text, false
}

// deny is for a file that this user may not read. A command that can be told another works on the service's data, and would take
// other data for them without the file; one that can't only wants a default or two.
func (c *Configuration) deny(named, namable bool) {
	c.spared = c.use == "" && !namable
	switch {
	case named:
	case namable:
		c.Err = fmt.Errorf("%w (é do serviço: rode como administrador, ou diga outro com --config)", c.Err)
	default:
		c.Err = fmt.Errorf("%w (é do serviço: rode como administrador)", c.Err)
	}
}

// lacking is the error of a command to which nobody has said what the file might have.
type lacking struct{ error }

func (l lacking) Unwrap() error { return l.error }

// Lacking marks what a check has against a value that the file could have had, if there is none.
func Lacking(value string, err error) error {
	if value != "" || err == nil {
		return err
	}
	return lacking{err}
}

// ErrNoPlainFile is of folders, pipes and devices.
var ErrNoPlainFile = errors.New("não é um arquivo comum")

// plain refuses what is no plain file: whoever opens a pipe waits for somebody to write. One that was named may be meant,
// except by a command that must come to an end.
func (c *Configuration) plain(path, named string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular(), path == os.DevNull, named != "" && !info.IsDir() && c.use != toldPlain:
		return nil
	}
	return ErrNoPlainFile
}

// Places are where the file may be, the first that exists counts.
func (p Program) Places(named, data string) []string {
	if named != "" {
		return []string{named}
	}
	var places []string
	if data == "" {
		data, _ = p.Data() // whoever needs it says that there is none
	}
	if data != "" {
		inData := filepath.Join(data, p.FileName())
		if _, err := os.Stat(inData); !errors.Is(err, syscall.ENOTDIR) { // whoever needs the folder says that it is none
			places = append(places, inData)
		}
	}
	system := "/etc"
	if runtime.GOOS == "windows" {
		system = os.Getenv("ProgramData")
	}
	if system != "" {
		places = append(places, filepath.Join(system, p.Name, p.FileName()))
	}
	return places
}

// Judge is what keeps the command from running, after the parser's own error.
func (c *Configuration) Judge(ctx *kong.Context, err error) error {
	tells := c.use == told || c.use == toldPlain
	if c.Err != nil && !tells {
		var lacks lacking
		switch {
		case !c.spared:
			return c.Err
		case errors.As(err, &lacks):
			return fmt.Errorf("%w; %w", c.Err, lacks.error)
		}
	}
	if c.File != nil && len(c.File.Problems) > 0 && !tells {
		aboutData := slices.ContainsFunc(c.File.Problems, func(p configfile.Problem) bool { return p.Where == "data" })
		if c.use == whole || c.File.Broken || aboutData {
			c.Of.Complain(fmt.Sprintf("%s: há o que corrigir em %s:\n%s", c.Of.Name, c.File.Path, strings.Join(c.File.Complaints(), "\n")))
			return commandline.ErrSaid
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

// Path is where the file is; empty: there is none.
func (c *Configuration) Path() string {
	if c.File == nil {
		return ""
	}
	if absolute, err := filepath.Abs(c.File.Path); err == nil {
		return absolute
	}
	return c.File.Path
}

// InKeys says beside each flag of a text where it is in the file, for those who use one.
func (c *Configuration) InKeys(text string) string {
	if c.File == nil {
		return text
	}
	for _, s := range c.Of.Settings() {
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

// Run reads the command line and does what it says. complain has the words for what fails, unless they are out already.
func (c *Configuration) Run(parser *kong.Kong, args []string, complain func(string)) (exit int) {
	program := parser.Model.Name
	err := c.runParsed(parser, args)
	if err == nil && c.Then != nil {
		err = c.Then()
	}
	if err == nil {
		return 0
	}
	if !errors.Is(err, commandline.ErrSaid) {
		text, see := commandline.Words(err)
		if !commandline.OfVariable(err) { // the file has no part in it
			text = c.InKeys(text)
		}
		complain(program + ": " + text + see)
	}
	var code commandline.ExitCode
	errors.As(err, &code)
	return max(int(code), 1)
}

func (c *Configuration) runParsed(parser *kong.Kong, args []string) error {
	ctx, err := parser.Parse(args)
	if err = c.Judge(ctx, err); err != nil {
		return err
	}
	return ctx.Run()
}
