// Package commandline is what all commands stand on: the parser, with its help and its refusals in Portuguese, how a command ends, and the
// version that it is of. What is wrong with a flag's value is a configfile.Refused in the parser's error.
package commandline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// Version is what the program was stamped with.
type Version struct{ Program, Number, Build string }

func (v Version) String() string {
	return fmt.Sprintf("%s %s (build %s)", v.Program, v.Number, v.Build)
}

// ShowVersion is the command that says which program this is.
type ShowVersion struct{}

// Run writes it.
func (ShowVersion) Run(v Version) error {
	fmt.Println(v)
	return nil
}

// ErrSaid means that the words are out already.
var ErrSaid = errors.New("")

// ExitCode is how the program ends when the words are out already.
type ExitCode int

func (ExitCode) Error() string   { return "" }
func (ExitCode) Is(e error) bool { return e == ErrSaid }

// New is a parser for a command line; the program is maquininha, unless an option says another.
func New(line any, more ...kong.Option) *kong.Kong {
	all := append(mappers(), kong.Name("maquininha"), kong.Help(help), kong.ConfigureHelp(kong.HelpOptions{}), kong.Resolvers(missing{}),
		kong.WithBeforeReset(checkVariables), kong.WithBeforeApply(checkChoices), kong.BindToProvider(untilInterrupted))
	return kong.Must(line, append(all, more...)...)
}

// untilInterrupted is for a Run that ends by itself when the person has had enough.
func untilInterrupted() context.Context {
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // the program ends with it
	return ctx
}

// ForgetEmptyVariables has those that are set but empty, as deployment files like to have them, count as not set; the
// library would take them for a value, and for a wrong one where it can't be empty.
func ForgetEmptyVariables() {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); value == "" && strings.HasPrefix(name, "MAQUININHA_") {
			os.Unsetenv(name) //nolint:errcheck // it fails only for names that can't be
		}
	}
}

// misplaced is about a word that belongs nowhere: the first that kong has left unread.
func misplaced(c *kong.Context) string {
	word := c.Args[len(c.Args)-len(c.Path[len(c.Path)-1].Remainder())]
	node := cmp.Or(c.Selected(), c.Model.DefaultCmd, c.Model.Node)
	text, known := "argumento inesperado "+word, []string{}
	if strings.HasPrefix(word, "-") {
		word, _, _ = strings.Cut(word, "=")
		text = "opção desconhecida " + word
		for _, group := range node.AllFlags(true) {
			for _, flag := range group {
				known = append(known, "--"+flag.Name)
			}
		}
	} else {
		for ; node != nil; node = node.Parent {
			for _, child := range node.Children {
				known = append(known, child.Name)
			}
		}
	}
	if near := configfile.Nearest(word, known); near != "" {
		text += `, quis dizer "` + near + `"?`
	}
	return text
}

// Words say what is wrong, and of a command line where to read more.
func Words(err error) (text, see string) {
	var parse *kong.ParseError
	if !errors.As(err, &parse) {
		return portuguese.Text(strings.ReplaceAll(err.Error(), "\n", "; ")), ""
	}
	name := parse.Context.Model.Name
	text, see = err.Error(), " (veja "+name+" --help)"
	if node := parse.Context.Selected(); node != nil && node.Parent.Type == kong.CommandNode {
		see = fmt.Sprintf(" (veja %s %s %s --help)", name, node.Parent.Name, node.Name)
	}
	var refused *configfile.Refused
	switch errors.As(err, &refused); {
	case refused == nil && parse.Context.Error != nil:
		text = misplaced(parse.Context)
	case OfVariable(err):
		see = " (é o que diz a variável " + refused.Variable + ")"
	}
	return text, see
}

// OfVariable tells whether it is the environment that is wrong.
func OfVariable(err error) bool {
	var refused *configfile.Refused
	return errors.As(err, &refused) && refused.Variable != ""
}

// missing says what a command needs and was not given. As a resolver it is asked right before kong would say it in English.
type missing struct{}

func (missing) Resolve(*kong.Context, *kong.Path, *kong.Flag) (any, error) { return nil, nil }

func (missing) Validate(line *kong.Application) error {
	node := chosen(line.Node)
	for _, argument := range node.Positional {
		if argument.Required && !argument.Set && argument.Tag.Has("missing") {
			return errors.New(argument.Tag.Get("missing"))
		}
	}
	if node.DefaultCmd != nil || len(node.Children) == 0 {
		return nil
	}
	var commands []string
	for _, child := range node.Children {
		commands = append(commands, fmt.Sprintf("%q", child.Name))
	}
	if len(commands) > 5 {
		commands = append(commands[:5], "...")
	}
	return errors.New("informe um de " + strings.Join(commands, ", "))
}

// chosen is the command that was named, or the group it is missing from.
func chosen(node *kong.Node) *kong.Node {
	for _, child := range node.Children {
		if child.Active {
			return chosen(child)
		}
	}
	return node
}
