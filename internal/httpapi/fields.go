package httpapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// fields reads a JSON object into a domain value field by field. The first thing wrong is remembered under its JSON path;
// unknown fields are passed over, and told of in the log.
type fields struct {
	path     string // of the object, "" at the top
	members  object
	patching bool   // required fields may be left out: what is patched has them already
	fault    *error // shared with the objects inside
	asked
}

// err is the first thing wrong.
func (f *fields) err() error { return *f.fault }

func (f *fields) wrong(name, problem string) {
	if *f.fault == nil {
		*f.fault = invalid(f.at(name), problem)
	}
}

func (f *fields) at(name string) string {
	if f.path == "" {
		return name
	}
	return f.path + "." + name
}

// given tells what a field holds; absent and null are both not given.
func (f *fields) given(name string) (value any, ok bool) {
	m, _ := f.get(name)
	return m.value, m.value != nil
}

// null tells whether the field is there and null.
func (f *fields) null(name string) bool {
	m, there := f.get(name)
	return there && m.value == nil
}

// has tells whether the field is there at all. Who reads it asks again: this alone is no asking.
func (f *fields) has(name string) bool { return f.members.find(name) >= 0 }

// need is given for a required field.
func (f *fields) need(name string) (any, bool) {
	value, ok := f.given(name)
	if !ok && (!f.patching || f.null(name)) {
		f.wrong(name, "é obrigatório")
	}
	return value, ok
}

func (f *fields) text(name string, to *string, most int) {
	if v, ok := f.need(name); ok {
		f.takeText(name, v, to, most)
	}
}

// takeText takes a text of at most so many characters.
func (f *fields) takeText(name string, v any, to *string, most int) {
	s, ok := v.(string)
	if !ok {
		f.wrong(name, "deve ser um texto")
		return
	}
	if tooLong(s, most) {
		f.wrong(name, atMost(most))
		return
	}
	*to = strings.Clone(s) // what is kept of a body must not keep the whole body
}

// optionalText is for fields without a default.
func (f *fields) optionalText(name string, to **string, most int) {
	if v, ok := f.given(name); ok {
		s := new(string)
		f.takeText(name, v, s, most)
		*to = s
	}
}

// textOr is for fields with a default.
func (f *fields) textOr(name string, to *string, otherwise string, most int) {
	*to = otherwise
	if v, ok := f.given(name); ok {
		f.takeText(name, v, to, most)
	}
}

func (f *fields) flag(name string, to *bool, otherwise bool) {
	*to = otherwise
	v, ok := f.given(name)
	if !ok {
		return
	}
	b, ok := v.(bool)
	if !ok {
		f.wrong(name, "deve ser true ou false")
		return
	}
	*to = b
}

func (f *fields) decimal(name string, to *money.Decimal) {
	if v, ok := f.need(name); ok {
		f.takeDecimal(name, v, to)
	}
}

func (f *fields) takeDecimal(name string, v any, to *money.Decimal) {
	n, ok := v.(json.Number)
	if !ok {
		f.wrong(name, "deve ser um número")
		return
	}
	d, err := money.Parse(n.String())
	if err != nil {
		f.wrong(name, "está fora da faixa aceita")
		return
	}
	*to = d
}

func (f *fields) optionalDecimal(name string, to **money.Decimal) {
	if v, ok := f.given(name); ok {
		d := new(money.Decimal)
		f.takeDecimal(name, v, d)
		*to = d
	}
}

func (f *fields) whole(name string, to *int, otherwise int) {
	*to = otherwise
	v, ok := f.given(name)
	if !ok {
		return
	}
	n, ok := v.(json.Number)
	if !ok {
		f.wrong(name, "deve ser um número inteiro")
		return
	}
	i, err := strconv.ParseInt(n.String(), 10, 32)
	if err != nil {
		f.wrong(name, "deve ser um número inteiro")
		return
	}
	*to = int(i)
}

// wholeIn is whole with bounds.
func (f *fields) wholeIn(name string, to *int, otherwise, least, most int) {
	f.whole(name, to, otherwise)
	if *to < least || *to > most {
		f.wrong(name, fmt.Sprintf("deve estar entre %d e %d", least, most))
	}
}

// milliseconds reads a duration, 0 or more.
func (f *fields) milliseconds(name string, to *time.Duration, otherwise time.Duration) {
	var ms int
	f.whole(name, &ms, int(otherwise/time.Millisecond))
	if ms < 0 {
		f.wrong(name, "não pode ser negativo")
		return
	}
	*to = time.Duration(ms) * time.Millisecond
}

// How long a caller may give the people at the terminal, in seconds.
const (
	leastTimeout = 10
	mostTimeout  = 3600
)

// timeout reads how long the people have; left out: for ever.
func (api *API) timeout(f *fields, to *time.Duration) {
	if _, given := f.given("timeout"); !given {
		return
	}
	var seconds int
	f.wholeIn("timeout", &seconds, 0, leastTimeout, mostTimeout)
	*to = time.Duration(seconds) * api.Timeouts.Second
}

// choice reads one of a list of words; with no otherwise the field is required.
func choice[T ~string](f *fields, name string, to *T, otherwise T, all ...T) {
	var s string
	if otherwise == "" {
		f.label(name, &s)
	} else {
		f.textOr(name, &s, string(otherwise), longestLabel)
	}
	if f.err() != nil {
		return
	}
	if *to = T(s); !slices.Contains(all, *to) {
		f.wrong(name, oneOf(all))
	}
}

func oneOf[T ~string](all []T) string {
	words := make([]string, len(all))
	for i, w := range all {
		words[i] = string(w)
	}
	return "deve ser um de: " + strings.Join(words, ", ")
}

// object returns an object inside; an absent one reads as empty.
func (f *fields) object(name string) *fields {
	inner := f.inside(f.at(name))
	if v, ok := f.given(name); ok {
		if inner.members, ok = v.(object); !ok {
			f.wrong(name, "deve ser um objeto")
		}
	}
	return inner
}

// array returns a list inside; an absent one is nil.
func (f *fields) array(name string) []any {
	v, ok := f.given(name)
	if !ok {
		return nil
	}
	a, ok := v.([]any)
	if !ok {
		f.wrong(name, "deve ser uma lista")
	}
	return a
}

// element is a member of a list as an object.
func (f *fields) element(name string, i int, v any) *fields {
	at := fmt.Sprintf("%s[%d]", name, i)
	inner := f.inside(f.at(at))
	var ok bool
	if inner.members, ok = v.(object); !ok {
		f.wrong(at, "deve ser um objeto")
	}
	return inner
}
