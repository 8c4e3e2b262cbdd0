package httpapi

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Bodies are read by hand because every command pays for it: the library's map of everything costs several times
// as much, and does not keep the text an object was written in.

// object is a JSON object in the order it was written.
type object []member

type member struct {
	name  string
	value any    // nil, bool, string, json.Number, []any or object
	raw   string // the value as it was written
}

// find is where a name stands, below zero when nowhere; where it stands twice, the last counts.
func (o object) find(name string) int {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].name == name {
			return i
		}
	}
	return -1
}

// maxDepth bounds how deep values lie in each other: what is kept of a body is sent to callers again, and theirs may read less deep
// than ours.
const maxDepth = 64

// maxValues bounds what a body becomes in memory: a few bytes of it can be a value of a hundred.
const maxValues = 100_000

// Texts that are JSON, and refused.
var (
	errTooMany  = errors.New("too many values")
	errTooDeep  = errors.New("too deep")
	errHalfPair = errors.New("half of a surrogate pair") // taken for U+FFFD, two different references would be one
)

// syntaxError is where a text stops being JSON.
type syntaxError struct{ offset int }

func (e *syntaxError) Error() string { return "not JSON" }

// parseJSON reads exactly one value from valid UTF-8. Strings without escapes share the text. The body it came in is asked for the
// memory of many values.
func parseJSON(text string, in *boundedBody) (value any, err error) {
	p := parser{text: text, in: in}
	p.space()
	if value, err = p.value(0); err != nil {
		return nil, err
	}
	if p.space(); p.at < len(text) {
		return nil, p.wrong()
	}
	return value, nil
}

type parser struct {
	text   string
	at     int
	values int // so far
	in     *boundedBody
}

// Values are asked for by so many, at about what each takes.
const (
	manyValues = 1 << 10
	valueBytes = 128
)

func (p *parser) wrong() error { return &syntaxError{p.at} }

// next is the byte to look at, 0 at the end.
func (p *parser) next() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) (any, error) {
	if p.values++; p.values > maxValues {
		return nil, errTooMany
	}
	if p.values%manyValues == 0 {
		if err := p.in.take(manyValues * valueBytes); err != nil {
			return nil, err
		}
	}
	switch c := p.next(); {
	case (c == '{' || c == '[') && depth == maxDepth:
		return nil, errTooDeep
	case c == '{':
		return p.object(depth + 1)
	case c == '[':
		return p.array(depth + 1)
	case c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return true, p.word("true")
	case c == 'f':
		return false, p.word("false")
	case c == 'n':
		return nil, p.word("null")
	}
	return nil, p.wrong()
}

func (p *parser) word(w string) error {
	if !strings.HasPrefix(p.text[p.at:], w) {
		return p.wrong()
	}
	p.at += len(w)
	return nil
}

func (p *parser) object(depth int) (any, error) {
	p.at++ // the brace
	var o object
	if depth == 1 {
		o = make(object, 0, 12) // the body itself: most have as many fields
	}
	if p.space(); p.next() == '}' {
		p.at++
		return o, nil
	}
	for {
		if p.next() != '"' {
			return nil, p.wrong()
		}
		name, err := p.string()
		if err != nil {
			return nil, err
		}
		if p.space(); p.next() != ':' {
			return nil, p.wrong()
		}
		p.at++
		p.space()
		from := p.at
		v, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		o = append(o, member{name, v, p.text[from:p.at]})
		more, err := p.separator('}')
		if !more {
			return o, err
		}
	}
}

func (p *parser) array(depth int) (any, error) {
	p.at++ // the bracket
	a := []any{}
	if p.space(); p.next() == ']' {
		p.at++
		return a, nil
	}
	for {
		v, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		a = append(a, v)
		more, err := p.separator(']')
		if !more {
			return a, err
		}
	}
}

// separator takes a comma, or what ends the list.
func (p *parser) separator(end byte) (more bool, err error) {
	p.space()
	switch p.next() {
	case ',':
		p.at++
		p.space()
		return true, nil
	case end:
		p.at++
		return false, nil
	}
	return false, p.wrong()
}

func (p *parser) number() (any, error) {
	from := p.at
	if p.next() == '-' {
		p.at++
	}
	if p.next() == '0' {
		p.at++
	} else if !p.digits() {
		return nil, p.wrong()
	}
	if p.next() == '.' {
		p.at++
		if !p.digits() {
			return nil, p.wrong()
		}
	}
	if c := p.next(); c == 'e' || c == 'E' {
		p.at++
		if c := p.next(); c == '+' || c == '-' {
			p.at++
		}
		if !p.digits() {
			return nil, p.wrong()
		}
	}
	return json.Number(p.text[from:p.at]), nil
}

func (p *parser) digits() bool {
	from := p.at
	for c := p.next(); c >= '0' && c <= '9'; c = p.next() {
		p.at++
	}
	return p.at > from
}

func (p *parser) string() (string, error) {
	p.at++ // the quote
	from := p.at
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return p.text[from : p.at-1], nil
		case c == '\\':
			return p.escaped(p.text[from:p.at])
		case c < ' ':
			return "", p.wrong()
		default:
			p.at++
		}
	}
	return "", p.wrong()
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped goes on with a string from its first escape.
func (p *parser) escaped(begun string) (string, error) {
	var b strings.Builder
	b.WriteString(begun)
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == '"':
			p.at++
			return b.String(), nil
		case c < ' ':
			return "", p.wrong()
		case c != '\\':
			b.WriteByte(c)
			p.at++
			continue
		}
		p.at++
		if plain, ok := escapes[p.next()]; ok {
			b.WriteByte(plain)
			p.at++
			continue
		}
		r, err := p.codePoint()
		if err != nil {
			return "", err
		}
		b.WriteRune(r)
	}
	return "", p.wrong()
}

// codePoint reads uXXXX, and the second half of a pair.
func (p *parser) codePoint() (rune, error) {
	r, ok := p.unit()
	if !ok {
		return 0, p.wrong()
	}
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if p.next() == '\\' {
		p.at++
		if second, ok := p.unit(); ok {
			if pair := utf16.DecodeRune(r, second); pair != utf8.RuneError {
				return pair, nil
			}
		}
	}
	return 0, errHalfPair
}

func (p *parser) unit() (rune, bool) {
	if p.next() != 'u' || p.at+5 > len(p.text) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(p.text[p.at+1 : p.at+5]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	p.at += 5
	return r, true
}
