// Package commandline is what all commands stand on: the parser, with its help and its refusals in Portuguese, how a command ends, and the
// version that it is of. What is wrong with a flag's value is a configfile.Refused in the parser's error.
package commandline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// Version is what the program was stamped with.
type Version struct{ Number, Build string }

func (v Version) String() string { return fmt.Sprintf("maquininha %s (build %s)", v.Number, v.Build) }

// ErrSaid means that the words are out already.
var ErrSaid = errors.New("")

// ExitCode is how the program ends when the words are out already.
type ExitCode int

func (ExitCode) Error() string   { return "" }
func (ExitCode) Is(e error) bool { return e == ErrSaid }

// New is a parser for a command line.
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
