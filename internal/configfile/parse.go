package configfile

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// reading is a file on its way to being read.
type reading struct {
	*File
	settings []Setting
	table    string // where the next keys belong
	ignored  bool   // they belong to a table that was refused as a whole
	seen     map[string]int
}

// enough is what a person can mend before looking again.
const enough = 100

// Parse reads a file's content.
func Parse(data []byte, settings []Setting) *File {
	r := &reading{File: &File{Values: map[string]Value{}}, settings: settings, seen: map[string]int{}}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		r.broken(1+bytes.Count(data[:firstInvalid(data)], []byte("\n")), "o arquivo deve ser gravado em UTF-8")
		return r.File
	}
	// After an error the rest is read too, from the next line on: whoever mends a file wants to know all of it.
	for line := 0; ; {
		failed, what := r.expressions(data, line)
		if failed < 0 {
			return r.File
		}
		r.broken(line+1+bytes.Count(data[:failed], []byte("\n")), what)
		end := bytes.IndexByte(data[failed:], '\n')
		if end < 0 || len(r.Problems) >= enough {
			return r.File
		}
		line += 1 + bytes.Count(data[:failed], []byte("\n"))
		data = data[failed+end+1:]
	}
}

func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		c, size := utf8.DecodeRune(data[i:])
		if c == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

func (r *reading) broken(line int, what string) {
	r.Broken = true
	// Half a line may have been taken for a whole one.
	r.Problems = slices.DeleteFunc(r.Problems, func(p Problem) bool { return p.Line == line })
	taken := func(_ string, v Value) bool { return v.Line == line }
	maps.DeleteFunc(r.Values, taken)
	for _, e := range r.Entries {
		maps.DeleteFunc(e.Values, taken)
	}
	r.note(line, "", what)
}

// expressions reads what comes after so many lines, up to what is no TOML: where that is, -1 if nowhere.
func (r *reading) expressions(data []byte, before int) (failed int, what string) {
	var p unstable.Parser
	p.Reset(data)
	lineOf := func(n *unstable.Node) int { return before + 1 + bytes.Count(data[:n.Raw.Offset], []byte("\n")) }
	for p.NextExpression() {
		e := p.Expression()
		line := lineOf(firstKey(e))
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			r.enter(names(e), line, e.Kind == unstable.ArrayTable)
		case unstable.KeyValue:
			r.assign(strings.Split(r.table, "."), e, lineOf)
		}
	}
	err := p.Error()
	if err == nil {
		return -1, ""
	}
	var at *unstable.ParserError
	failed = len(bytes.TrimRight(data, "\n"))
	if errors.As(err, &at) {
		if i := offset(&p, at.Highlight); i >= 0 {
			failed = i
		}
	}
	return failed, r.syntax(data, failed)
}

// offset is where the part is in what is parsed, -1 if it is elsewhere: the library panics then.
func offset(p *unstable.Parser, part []byte) (i int) {
	defer func() {
		if recover() != nil {
			i = -1
		}
	}()
	return int(p.Range(part).Offset)
}

const backslash = `em "…" a barra \ é especial; escreva caminhos do Windows entre aspas simples, como 'C:\pasta'`

// syntax says what is mostly wrong with such a line. It does not quote it: it may hold a secret.
func (r *reading) syntax(data []byte, at int) string {
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	line, _, _ := strings.Cut(string(data[start:]), "\n")
	line = strings.TrimSpace(line)
	key, value, assigned := strings.Cut(line, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch {
	case strings.HasPrefix(line, "["):
		example := append(r.tables(), "tabela")[0]
		return "não é TOML: uma tabela é escrita como [" + example + "], sozinha na linha"
	case !assigned:
		return "não é TOML: uma linha é chave = valor, [tabela] ou # comentário"
	case key == "" || strings.ContainsAny(key, " \t"):
		return "não é TOML: a chave antes de = deve ser uma palavra só"
	case value == "" || value[0] == '#':
		return "não é TOML: falta o valor depois de = (um texto vazio é \"\")"
	case strings.Contains(value, `\`) && value[0] == '"':
		return "não é TOML: " + backslash
	case value[0] == '"' || value[0] == '\'':
		return "não é TOML: faltam aspas, ou sobra algo depois delas"
	}
	return `não é TOML: textos vão entre aspas, como "valor"; números e true ou false, sem elas`
}

func firstKey(e *unstable.Node) *unstable.Node {
	keys := e.Key()
	keys.Next()
	return keys.Node()
}

func names(e *unstable.Node) (parts []string) {
	for keys := e.Key(); keys.Next(); {
		parts = append(parts, string(keys.Node().Data))
	}
	return parts
}

// enter begins a table.
func (r *reading) enter(parts []string, line int, list bool) {
	r.table = strings.Join(parts, ".")
	r.ignored = false
	switch before, twice := r.seen["["+r.table]; {
	case !slices.ContainsFunc(r.settings, func(s Setting) bool { return s.Table == r.table }):
		r.ignored = true
		r.note(line, where(r.table, ""), "tabela desconhecida"+r.nearestTable(r.table))
	case r.repeats() && list:
		r.Entries = append(r.Entries, Entry{r.table, line, map[string]Value{}})
		maps.DeleteFunc(r.seen, func(name string, _ int) bool { return strings.HasPrefix(name, r.table+".") })
	case r.repeats():
		r.ignored = true
		r.note(line, where(r.table, ""), "escreva [["+r.table+"]], uma vez para cada")
	case list:
		r.note(line, "[["+r.table+"]]", "esta tabela não se repete; escreva ["+r.table+"]")
	case twice:
		r.note(line, where(r.table, ""), fmt.Sprintf("tabela repetida; já está na linha %d, junte as duas", before))
	default:
		r.seen["["+r.table] = line
	}
}

// repeats tells whether there may be many of the table.
func (r *reading) repeats() bool {
	return slices.ContainsFunc(r.settings, func(s Setting) bool { return s.Table == r.table && s.Repeats })
}

// assign takes a key and its value, a whole table of them if the value is one.
func (r *reading) assign(table []string, e *unstable.Node, lineOf func(*unstable.Node) int) {
	if r.ignored {
		return
	}
	parts := slices.DeleteFunc(append(slices.Clone(table), names(e)...), func(s string) bool { return s == "" })
	line := lineOf(firstKey(e))
	if e.Value().Kind == unstable.InlineTable {
		for all := e.Value().Children(); all.Next(); {
			r.assign(parts, all.Node(), lineOf)
		}
		return
	}
	owner, key := strings.Join(parts[:len(parts)-1], "."), parts[len(parts)-1]
	i := slices.IndexFunc(r.settings, func(s Setting) bool { return s.Table == owner && s.Key == key })
	if i < 0 {
		r.note(line, where(owner, key), "chave desconhecida"+r.nearestKey(owner, key))
		return
	}
	s := r.settings[i]
	if s.Repeats && r.table != owner {
		r.note(line, s.Where(), "escreva [["+owner+"]], uma vez para cada")
		return
	}
	if before, twice := r.seen[s.Name()]; twice {
		r.note(line, s.Where(), fmt.Sprintf("chave repetida; já está na linha %d", before))
		return
	}
	r.seen[s.Name()] = line
	text, why := s.read(e.Value())
	switch {
	case why != "":
		r.note(line, s.Where(), why)
	case s.Repeats:
		r.Entries[len(r.Entries)-1].Values[s.Key] = Value{text, line}
	case text != "": // empty is as good as not there, as it is in the environment
		r.Values[s.Name()] = Value{text, line}
	}
}

// read is the value as the command line would have it, or why it can't be.
func (s Setting) read(n *unstable.Node) (text, why string) {
	data := string(n.Data)
	switch s.Kind {
	case Switch:
		if n.Kind != unstable.Bool {
			return "", "deve ser true ou false, sem aspas"
		}
		return data, ""
	case Number:
		var value struct{ N int }
		if n.Kind != unstable.Integer || toml.Unmarshal([]byte("N="+data), &value) != nil {
			return "", "deve ser um número inteiro, sem aspas"
		}
		return strconv.Itoa(value.N), ""
	case Duration:
		if n.Kind == unstable.String && data == "" {
			return "", ""
		}
		if _, err := time.ParseDuration(data); n.Kind != unstable.String || err != nil {
			return "", `deve ser um tempo entre aspas, como "500ms", "2s" ou "5m"`
		}
		return data, ""
	}
	if s.Kind == Amount {
		if whole, fraction, _ := strings.Cut(data, "."); n.Kind != unstable.Integer && n.Kind != unstable.Float || strings.Trim(whole+fraction, "0123456789") != "" {
			return "", "deve ser um valor como 54.24, sem aspas"
		}
		return data, ""
	}
	switch {
	case n.Kind != unstable.String:
		return "", "deve ser um texto entre aspas"
	case s.Path && strings.ContainsFunc(data, unicode.IsControl):
		return "", backslash
	case data != "" && s.Choices != nil && !slices.Contains(s.Choices, data):
		return "", "deve ser um de " + strings.Join(s.Choices, ", ")
	}
	return data, ""
}
