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
	"unsafe"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/operation"
)

// readBody reads a whole body of at most limit bytes.
func readBody(r *http.Request, limit int64) ([]byte, error) { return appendBody(nil, r, limit) }

// appendBody reads a whole body of at most limit bytes into what there is. Memory is taken as it arrives: many may announce much
// and send nothing.
func appendBody(to []byte, r *http.Request, limit int64) ([]byte, error) {
	if packed(r.Header["Content-Encoding"]) {
		return to, &requestError{status: http.StatusUnsupportedMediaType, message: "Corpo comprimido não é aceito: envie-o sem Content-Encoding"}
	}
	if r.ContentLength > limit {
		return to, tooLarge(limit)
	}
	for {
		if len(to) == cap(to) {
			more := nextCap(cap(to), int(r.ContentLength))
			if err := bodyOf(r).take(int64(more - max(cap(to), min(more, freeBody)))); err != nil {
				return to, err
			}
			to = append(make([]byte, 0, more), to...)
		}
		n, err := r.Body.Read(to[len(to):cap(to)])
		to = to[:len(to)+n]
		switch {
		case int64(len(to)) > limit:
			return to, tooLarge(limit)
		case err == io.EOF:
			return to, nil
		case errors.Is(err, operation.ErrStopping):
			return to, err
		case err != nil:
			return to, invalid("", "o corpo não chegou inteiro")
		}
	}
}

// nextCap is the next size of what holds a body: twice as much, up to what was announced.
func nextCap(now, announced int) int {
	const least, spare = 4 << 10, 512
	next := max(2*now, least)
	if announced > 0 && now <= announced && next > announced {
		return announced + spare
	}
	return next
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
	buf := bodyBuffers.Get().(*[]byte)
	body, err := appendBody((*buf)[:0], r, limit)
	if cap(body) < keptBody {
		*buf = body
		defer bodyBuffers.Put(buf)
	}
	if err != nil {
		return nil, false, err
	}
	return parseBody(body, bodyOf(r))
}

// bodyBuffers are for bodies of which nothing but a copy is kept; large ones are kept by nobody.
var bodyBuffers = sync.Pool{New: func() any { return new([]byte) }}

const keptBody = 64 << 10

func parseBody(body []byte, in *boundedBody) (value any, empty bool, err error) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, true, nil
	}
	if !utf8.Valid(body) {
		return nil, false, invalid("", "o corpo não está em UTF-8")
	}
	value, err = parseJSON(textOf(body), in)
	if err == nil || errors.Is(err, operation.ErrBusy) {
		return value, false, err
	}
	return nil, false, withExcerpt(invalid("", jsonProblem(err)), body)
}

// textOf is the body as a text. That of a large one is the body itself, which is as much as a request may take: nobody writes to it
// any more, while a small one's buffer is another's next.
func textOf(body []byte) string {
	if len(body) < keptBody {
		return string(body)
	}
	return unsafe.String(&body[0], len(body))
}

// jsonProblem says what is wrong with a body that is no JSON, or one that is not taken.
func jsonProblem(err error) string {
	var syntax *syntaxError
	switch {
	case errors.Is(err, errTooMany):
		return fmt.Sprintf("o corpo tem valores demais: o limite é de %d", maxValues)
	case errors.Is(err, errTooDeep):
		return fmt.Sprintf("o corpo tem níveis demais, um dentro do outro: o limite é de %d", maxDepth)
	case errors.Is(err, errHalfPair):
		return "o corpo tem um caractere Unicode pela metade (\\uD800 a \\uDFFF sem o par)"
	case errors.As(err, &syntax):
		return fmt.Sprintf("o corpo não é um JSON válido (posição %d)", syntax.offset+1)
	}
	return "o corpo não é um JSON válido"
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
type whenEmpty int

const (
	emptyIsFault        whenEmpty = iota // something is missing
	emptyIsObject                        // every field is optional
	emptyOrNullIsObject                  // and the route took no body once: some send null instead of none
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
	value = api.compat.sent(r, value)
	if none || value == nil && empty == emptyOrNullIsObject {
		if empty == emptyIsFault {
			return nil, invalid("", "o corpo está vazio")
		}
		value = object{}
	}
	members, ok := value.(object)
	if !ok {
		return nil, invalid("", "o corpo deve ser um objeto JSON")
	}
	return newFields(members, bodyOf(r)), nil
}
