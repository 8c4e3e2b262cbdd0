package console

import (
	"fmt"
	"io"
	"strings"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// Findings are what is said, a line each: ✓ is in order, ! wants a look, ✗ is wrong, – was not checked.
type Findings struct {
	Out    io.Writer
	InKeys func(string) string // says where flags are in the file; nil: it need not
	Errors int
	Doubts int
}

func (f *Findings) say(mark, what, format string, args ...any) {
	text := portuguese.Text(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; "))
	if f.InKeys != nil {
		text = f.InKeys(text)
	}
	fmt.Fprintf(f.Out, "%s %-13s %s\n", mark, what, text)
}

// Good is in order.
func (f *Findings) Good(what, format string, args ...any) { f.say("✓", what, format, args...) }

// Skipped was not checked.
func (f *Findings) Skipped(what, format string, args ...any) { f.say("–", what, format, args...) }

// Doubtful wants a look.
func (f *Findings) Doubtful(what, format string, args ...any) {
	f.Doubts++
	f.say("!", what, format, args...)
}

// Wrong keeps the service from working.
func (f *Findings) Wrong(what, format string, args ...any) {
	f.Errors++
	f.say("✗", what, format, args...)
}

// End sums up; its error is for the exit code.
func (f *Findings) End() error {
	switch {
	case f.Errors > 0:
		fmt.Fprintf(f.Out, "\n%s.\n", Amount(f.Errors, "erro", "erros"))
		return commandline.ErrSaid
	case f.Doubts > 0:
		fmt.Fprintf(f.Out, "\nNenhum erro; %s.\n", Amount(f.Doubts, "ponto merece atenção", "pontos merecem atenção"))
	default:
		fmt.Fprintln(f.Out, "\nTudo em ordem.")
	}
	return nil
}
