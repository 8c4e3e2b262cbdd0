package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/operation"
)

// readBody reads a whole body of at most limit bytes.
func readBody(r *http.Request, limit int64) ([]byte, error) {
	var buf bytes.Buffer
	err := readInto(&buf, r, limit)
	return buf.Bytes(), err
}

// readInto reads a whole body of at most limit bytes into the buffer.
func readInto(buf *bytes.Buffer, r *http.Request, limit int64) error {
	if packed(r.Header["Content-Encoding"]) {
		return &requestError{status: http.StatusUnsupportedMediaType, message: "Corpo comprimido não é aceito: envie-o sem Content-Encoding"}
	}
	if r.ContentLength > limit {
		return tooLarge(limit)
	}
	if r.ContentLength > 0 {
		// No more than this on the caller's word alone: many may announce much and send nothing.
		buf.Grow(int(min(r.ContentLength, 1<<20)) + bytes.MinRead)
	}
	n, err := buf.ReadFrom(io.LimitReader(r.Body, limit+1))
	if err != nil {
		if errors.Is(err, operation.ErrStopping) {
			return err
		}
		return invalid("", "o corpo não chegou inteiro")
	}
	if n > limit {
		return tooLarge(limit)
	}
	return nil
}

// packed tells whether a body would have to be unpacked first. None is: a few bytes could become gigabytes.
func packed(codings []string) bool {
	return slices.ContainsFunc(codings, func(c string) bool {
		c = strings.TrimSpace(c)
		return c != "" && !strings.EqualFold(c, "identity")
	})
}

func tooLarge(limit int64) error {
	size := fmt.Sprintf("%d MiB", limit>>20)
	if limit < 1<<20 {
		size = fmt.Sprintf("%d bytes", limit)
	}
	return &requestError{status: http.StatusRequestEntityTooLarge, message: "Requisição grande demais: o limite é de " + size}
}

// readJSON reads a body of any JSON value; empty says whether there was none at all.
func readJSON(r *http.Request, limit int64) (value any, empty bool, err error) {
	buf := bodyBuffers.Get().(*bytes.Buffer)
	defer func() {
		if buf.Cap() < 64<<10 {
			buf.Reset()
			bodyBuffers.Put(buf)
		}
	}()
	if err := readInto(buf, r, limit); err != nil {
		return nil, false, err
	}
	return parseBody(buf.Bytes())
}

// bodyBuffers are for bodies of which nothing but a copy is kept.
var bodyBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func parseBody(body []byte) (value any, empty bool, err error) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, true, nil
	}
	if !utf8.Valid(body) {
		return nil, false, invalid("", "o corpo não está em UTF-8")
	}
	if value, err = parseJSON(string(body)); err != nil {
		problem := "o corpo não é um JSON válido"
		var syntax *syntaxError
		if errors.Is(err, errTooMany) {
			problem = fmt.Sprintf("o corpo tem valores demais: o limite é de %d", maxValues)
		} else if errors.As(err, &syntax) {
			problem += fmt.Sprintf(" (posição %d)", syntax.offset+1)
		}
		return nil, false, withExcerpt(invalid("", problem), body)
	}
	return value, false, nil
}

// withExcerpt keeps the beginning of the body for the log. Cards are masked before it is cut: half a number
// would not be known as one.
func withExcerpt(err error, body []byte) error {
	const most, window = 1 << 10, 2 << 10
	var said *requestError
	if errors.As(err, &said) {
		text := logbook.Redact(string(body[:min(len(body), window)]))
		said.excerpt = text[:min(len(text), most)]
	}
	return err
}

// withoutExcerpt is for bodies that carry pictures, which have no place in a log.
func withoutExcerpt(err error) error {
	var said *requestError
	if errors.As(err, &said) {
		said.excerpt = ""
	}
	return err
}

// whenEmpty says what no body at all means.
type whenEmpty bool

const (
	emptyIsObject whenEmpty = true  // every field is optional
	emptyIsFault  whenEmpty = false // something is missing
)

// readFields reads a JSON object.
func (api *API) readFields(r *http.Request, empty whenEmpty) (*fields, error) {
	return api.readFieldsUpTo(r, empty, api.Limits.JSON)
}

func (api *API) readFieldsUpTo(r *http.Request, empty whenEmpty, limit int64) (*fields, error) {
	value, none, err := readJSON(r, limit)
	if err != nil {
		return nil, err
	}
	if none {
		if empty == emptyIsFault {
			return nil, invalid("", "o corpo está vazio")
		}
		value = object{}
	}
	members, ok := value.(object)
	if !ok {
		return nil, invalid("", "o corpo deve ser um objeto JSON")
	}
	return &fields{members: members, fault: new(error)}, nil
}
