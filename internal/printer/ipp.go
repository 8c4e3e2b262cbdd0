package printer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// The Internet Printing Protocol (RFC 8010), as far as a queue of CUPS needs it.

// Operations.
const (
	ippCreateJob     = 0x0005
	ippSendDocument  = 0x0006
	ippCancelJob     = 0x0008
	ippJob           = 0x0009
	ippPrinter       = 0x000b
	cupsPrinters     = 0x4002
	ippStatusSuccess = 0x00ff // and below
	ippNotFound      = 0x0406
	ippNotPossible   = 0x0404 // of a job that has ended already
)

// Tags of values.
const (
	ippOperation = 0x01
	ippOfJob     = 0x02
	ippEnd       = 0x03
	ippInteger   = 0x21
	ippBoolean   = 0x22
	ippEnum      = 0x23
	ippName      = 0x42
	ippKeyword   = 0x44
	ippURI       = 0x45
	ippCharset   = 0x47
	ippLanguage  = 0x48
	ippMIME      = 0x49
)

// ippRequest is one that begins as all do.
func ippRequest(operation uint16) *ippWriter {
	w := &ippWriter{}
	w.Write([]byte{2, 0, byte(operation >> 8), byte(operation), 0, 0, 0, 1, ippOperation})
	w.add(ippCharset, "attributes-charset", "utf-8")
	w.add(ippLanguage, "attributes-natural-language", "pt-br")
	return w
}

type ippWriter struct{ bytes.Buffer }

// add writes an attribute; further values have no name of their own.
func (w *ippWriter) add(tag byte, name string, values ...string) {
	for _, value := range values {
		w.WriteByte(tag)
		w.text(name)
		w.text(value)
		name = ""
	}
}

func (w *ippWriter) number(name string, n int) {
	w.add(ippInteger, name, string(binary.BigEndian.AppendUint32(nil, uint32(n))))
}

// group begins another one: what was written before is of the request.
func (w *ippWriter) group(tag byte) { w.WriteByte(tag) }

func (w *ippWriter) yes(name string) { w.add(ippBoolean, name, "\x01") }

func (w *ippWriter) text(s string) {
	w.Write(binary.BigEndian.AppendUint16(nil, uint16(len(s))))
	w.WriteString(s)
}

// ippGroup are the attributes of one printer or job, each with its values.
type ippGroup map[string][]ippValue

type ippValue struct {
	tag  byte
	data []byte
}

// text is the first value of an attribute as text.
func (g ippGroup) text(name string) string {
	if v := g[name]; len(v) > 0 {
		return string(v[0].data)
	}
	return ""
}

func (g ippGroup) texts(name string) (all []string) {
	for _, v := range g[name] {
		all = append(all, string(v.data))
	}
	return all
}

// number is the first value of an attribute as a number; of a boolean 0 or 1.
func (g ippGroup) number(name string) (n int, ok bool) {
	v := g[name]
	switch {
	case len(v) == 0:
		return 0, false
	case (v[0].tag == ippInteger || v[0].tag == ippEnum) && len(v[0].data) == 4:
		return int(int32(binary.BigEndian.Uint32(v[0].data))), true
	case v[0].tag == ippBoolean && len(v[0].data) == 1:
		return int(v[0].data[0]), true
	}
	return 0, false
}

var errIPP = errors.New("not an answer of a print server")

// ippError is a request that was refused.
type ippError struct {
	status  uint16
	message string
}

func (e *ippError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("refused by the print server (%#04x) %s", e.status, e.message))
}

// parseIPP reads an answer: the groups after that of the operation, or why it was refused.
func parseIPP(b []byte) ([]ippGroup, error) {
	if len(b) < 8 || b[0] < 1 || b[0] > 2 {
		return nil, errIPP
	}
	status := binary.BigEndian.Uint16(b[2:])
	groups, err := parseGroups(b[8:])
	if err != nil {
		return nil, err
	}
	if status > ippStatusSuccess {
		return nil, &ippError{status, groups[0].text("status-message")}
	}
	return groups[1:], nil
}

// parseGroups reads groups; there is always one, that of the operation.
func parseGroups(b []byte) ([]ippGroup, error) {
	var groups []ippGroup
	name := ""
	for len(b) > 0 {
		tag := b[0]
		b = b[1:]
		if tag == ippEnd && len(groups) > 0 {
			return groups, nil
		}
		if tag < 0x10 {
			groups, name = append(groups, ippGroup{}), ""
			continue
		}
		own, rest, ok := ippText(b)
		value, rest, ok2 := ippText(rest)
		if !ok || !ok2 || len(groups) == 0 {
			return nil, errIPP
		}
		if len(own) > 0 {
			name = string(own)
		}
		last := groups[len(groups)-1]
		last[name] = append(last[name], ippValue{tag, value})
		b = rest
	}
	return nil, errIPP
}

// ippText takes a text with its length off the front.
func ippText(b []byte) (text, rest []byte, ok bool) {
	if len(b) < 2 || len(b)-2 < int(binary.BigEndian.Uint16(b)) {
		return nil, nil, false
	}
	n := 2 + int(binary.BigEndian.Uint16(b))
	return b[2:n], b[n:], true
}
