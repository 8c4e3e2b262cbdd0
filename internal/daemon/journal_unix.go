//go:build !windows

package daemon

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/maquininha/maquininha/internal/logbook"
)

// longestLine keeps an entry one entry: journald would cut longer lines in two.
const longestLine = 16 << 10

// Managed tells whether a service manager reads what this process says.
func Managed() bool { return inJournal(os.Stderr, os.Getenv("JOURNAL_STREAM")) }

// inJournal tells whether a file is the stream that journald has named to us; standard error may have been sent
// elsewhere since.
func inJournal(f *os.File, stream string) bool {
	var s syscall.Stat_t
	if stream == "" || syscall.Fstat(int(f.Fd()), &s) != nil {
		return false
	}
	return stream == fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}

// SystemLog is the journal, where there is one; else nil.
func (Program) SystemLog() *Log {
	if !Managed() {
		return nil
	}
	// Through a number of its own: a write to standard error that nobody reads any more would end the process.
	number, err := syscall.Dup(int(os.Stderr.Fd()))
	if err != nil {
		return nil
	}
	syscall.CloseOnExec(number)
	return newLog(toJournal(os.NewFile(uintptr(number), "journal")))
}

// Complain says why the program ends.
func (Program) Complain(text string) {
	if Managed() {
		text = "<3>" + strings.ReplaceAll(text, "\n", "\n<3>")
	}
	fmt.Fprintln(os.Stderr, text)
}

// toJournal writes entries as journald takes them from standard error: a line each, with its priority in front.
func toJournal(w io.Writer) func(logbook.Entry) error {
	return func(e logbook.Entry) error {
		line := fmt.Appendf(nil, "<%d>", priority(e.Level))
		line = logbook.AppendText(line, e)
		if len(line) > longestLine {
			line = append(bytes.ToValidUTF8(line[:longestLine], nil), "…"...)
		}
		_, err := w.Write(append(line, '\n'))
		return err
	}
}

// priority is the level in the numbers of syslog.
func priority(level logbook.Level) int {
	switch level {
	case logbook.Fatal:
		return 2
	case logbook.Error:
		return 3
	case logbook.Warning:
		return 4
	case logbook.Info:
		return 6
	}
	return 7
}
