package httpapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// message is the answer of every command that has nothing else to say.
type message struct {
	Message string `json:"message"`
}

func done(text string) (any, error) { return message{text}, nil }

type errorBody struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// list is a JSON array too long to hold: elements are written as they are emitted.
type list func(emit func(any) error) error

// encoder is a buffer with what writes JSON into it.
type encoder struct {
	bytes.Buffer
	*json.Encoder
}

func newEncoder() *encoder {
	e := new(encoder)
	e.Encoder = json.NewEncoder(&e.Buffer)
	e.SetEscapeHTML(false)
	return e
}

var encoders = sync.Pool{New: func() any { return newEncoder() }}

// respond answers with success. An error means nothing has been sent.
func (api *API) respond(w http.ResponseWriter, result any) error {
	switch result := result.(type) {
	case list:
		return result.respond(w)
	case document:
		return result.respond(w)
	}
	if h, ok := result.(interface{ headers(http.Header) }); ok {
		h.headers(w.Header())
	}
	return respond(w, successOf(result), result)
}

// successOf is 200, but for what is only taken.
func successOf(result any) int {
	if _, ok := result.(accepted); ok {
		return http.StatusAccepted
	}
	return http.StatusOK
}

// respond encodes the result. An error means nothing has been sent.
func respond(w http.ResponseWriter, status int, result any) error {
	e := encoders.Get().(*encoder)
	e.Reset()
	if err := e.Encode(result); err != nil {
		return err
	}
	h := w.Header()
	h["Content-Type"] = jsonType
	if e.Len() > serverCounts {
		h["Content-Length"] = []string{strconv.Itoa(e.Len())}
	}
	w.WriteHeader(status)
	w.Write(e.Bytes()) //nolint:errcheck // the caller may be gone; its result stands
	if e.Cap() < 64<<10 {
		encoders.Put(e)
	}
	return nil
}

// serverCounts is how long an answer may be for the server to find out its length by itself.
const serverCounts = 2 << 10

var jsonType = []string{"application/json; charset=utf-8"}

// respond sends nothing until there is more than a buffer of it, so that an early failure is still an answer.
func (l list) respond(w http.ResponseWriter) error {
	started := false
	sink := writerFunc(func(b []byte) (int, error) {
		if !started {
			started = true
			w.Header()["Content-Type"] = jsonType
		}
		return w.Write(b)
	})
	out := bufio.NewWriterSize(sink, 32<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	separator := "["
	err := l(func(v any) error {
		out.WriteString(separator)
		separator = ","
		return enc.Encode(v)
	})
	if err != nil {
		if started {
			panic(http.ErrAbortHandler) // the caller must not take half a list for a whole one
		}
		return err
	}
	if separator == "[" {
		out.WriteString("[")
	}
	out.WriteString("]\n")
	out.Flush() //nolint:errcheck // as above
	return nil
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// stamp is a time as the interface writes it: ISO 8601, to the millisecond, in the device's zone.
type stamp string

func stampOf(t time.Time) stamp { return stamp(t.Local().Format("2006-01-02T15:04:05.000Z07:00")) }
