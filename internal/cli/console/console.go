// Package console is how words are put for the person at a window: counted, without signs that would steer the window, and commands as they
// are typed there.
package console

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Amount is a number of things.
func Amount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Aside says something beside what a command puts out.
func Aside(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "maquininha: "+format+"\n", args...)
}

// IsTerminal tells whether a person is at the other end.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		return false
	}
	nowhere, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, nowhere)
}

// ShellWord quotes what a shell would take apart.
func ShellWord(s string) string {
	if s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:@+\\") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// AsAdministrator is a command as somebody with rights types it.
func AsAdministrator(command string) string {
	if runtime.GOOS == "windows" {
		return command
	}
	return "sudo " + command
}

// Dotted replaces what would move a window's cursor or turn its writing around.
func Dotted(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, text)
}

// Escaped lets nothing through that a terminal would obey: neither its controls, old ones and those in the upper half, nor what turns
// writing around. They are shown as escapes.
func Escaped(text string) string {
	if strings.IndexFunc(text, Hidden) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < utf8.RuneSelf && Hidden(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case Hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		text = text[size:]
	}
	return b.String()
}

// Hidden tells of signs that are not shown as themselves.
func Hidden(r rune) bool { return !unicode.IsGraphic(r) }
