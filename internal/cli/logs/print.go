package logs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/cli/console"
)

// logPrinter writes entries for whoever is at the other end: a person at a terminal, or a program, a line each.
type logPrinter struct {
	out     *os.File
	json    bool
	person  bool // details have lines of their own
	colours bool
	line    []byte
}

func newLogPrinter(out *os.File, asJSON bool, when string) *logPrinter {
	p := &logPrinter{out: out, json: asJSON, person: console.IsTerminal(out)}
	p.colours = !asJSON && (when == "always" || when == "auto" && p.person && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
	if p.colours && p.person {
		p.colours = understandsColours(out) || when == "always"
	}
	return p
}

// all writes what there is already.
func (p *logPrinter) all(entries []client.LogEntry) error {
	w := bufio.NewWriterSize(p.out, 64<<10)
	for _, e := range entries {
		if _, err := w.Write(p.format(e)); err != nil {
			return err
		}
	}
	return w.Flush()
}

// one writes an entry as it comes.
func (p *logPrinter) one(e client.LogEntry) error {
	_, err := p.out.Write(p.format(e))
	return err
}

func (p *logPrinter) format(e client.LogEntry) []byte {
	if p.json {
		p.line = appendLogJSON(p.line[:0], e)
	} else {
		p.line = p.appendText(p.line[:0], e)
	}
	return p.line
}

const (
	plain = "\x1b[0m"
	faint = "\x1b[2m"
)

var levelColours = map[string]string{
	"fatal": "\x1b[1;97;41m", "error": "\x1b[1;31m", "warning": "\x1b[33m", "info": "\x1b[32m", "trace": "\x1b[36m", "path": "\x1b[36m", "debug": faint,
}

// appendText is an entry as in the archive of logs; a person gets each line of the details in a line of its own.
func (p *logPrinter) appendText(dst []byte, e client.LogEntry) []byte {
	paint := func(colour, text string) {
		if p.colours && colour != "" {
			text = colour + text + plain
		}
		dst = append(dst, text...)
	}
	paint(faint, e.CreatedAt.Format("2006-01-02T15:04:05.000Z07:00"))
	level, source := console.Escaped(strings.ToUpper(e.Level)), console.Escaped(e.Source)
	if p.person {
		level, source = fmt.Sprintf("%-7s", level), fmt.Sprintf("%-6s", source)
	}
	dst = append(dst, ' ')
	paint(levelColours[e.Level], level)
	dst = append(dst, ' ')
	paint("", source+" "+console.Escaped(e.Message))
	switch {
	case e.Details == "":
	case p.person:
		for line := range strings.Lines(e.Details) {
			dst = append(dst, "\n    "...)
			paint(faint, console.Escaped(strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")))
		}
	default:
		dst = append(dst, " | "...)
		paint(faint, console.Escaped(e.Details))
	}
	return append(dst, '\n')
}

// appendLogJSON is an entry as the interface has it, in a line.
func appendLogJSON(dst []byte, e client.LogEntry) []byte {
	var details *string
	if e.Details != "" {
		details = &e.Details
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		ID        string    `json:"id"`
		Level     string    `json:"level"`
		Source    string    `json:"source"`
		Message   string    `json:"message"`
		Details   *string   `json:"details"`
		CreatedAt time.Time `json:"createdAt"`
	}{e.ID, e.Level, e.Source, e.Message, details, e.CreatedAt})
	if err != nil {
		e.CreatedAt = time.Time{} // the only field that could be beyond JSON
		return appendLogJSON(dst, e)
	}
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		if !console.Hidden(r) {
			dst = utf8.AppendRune(dst, r)
			continue
		}
		if r > 0xffff { // as JSON has them: in two halves
			r -= 0x10000
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			continue
		}
		dst = fmt.Appendf(dst, `\u%04x`, r)
	}
	return append(dst, '\n')
}
