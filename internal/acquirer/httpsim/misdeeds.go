package httpsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Misdeed is a way to misbehave.
type Misdeed string

// Those of every call. "After" means that the call was carried out, only the answer is missing.
const (
	Slow        Misdeed = "slow" // even if nobody waits any more
	Silent      Misdeed = "silent"
	SilentAfter Misdeed = "silent-after"
	Drop        Misdeed = "drop"
	DropAfter   Misdeed = "drop-after"
	CutAnswer   Misdeed = "cut"
	Fail        Misdeed = "500"
	FailAfter   Misdeed = "500-after"
	Unavailable Misdeed = "503"
	TooMany     Misdeed = "429"
	Denied      Misdeed = "401"
	Duplicate   Misdeed = "duplicate"
	Garbage     Misdeed = "garbage"
	Endless     Misdeed = "endless"
	Lost        Misdeed = "lost"
	LostJSON    Misdeed = "lost-json"
)

// Everywhere are those of every call.
var Everywhere = []Misdeed{
	Slow, Silent, SilentAfter, Drop, DropAfter, CutAnswer, Fail, FailAfter, Unavailable, TooMany, Denied, Duplicate, Garbage, Endless, Lost,
	LostJSON,
}

var meanings = map[Misdeed]string{
	Slow:        "atende depois de ms milissegundos",
	Silent:      "não atende nem responde",
	SilentAfter: "atende e não responde",
	Drop:        "corta a conexão sem atender",
	DropAfter:   "atende e corta a conexão",
	CutAnswer:   "atende e corta a resposta ao meio",
	Fail:        "500 sem atender",
	FailAfter:   "atende e responde 500",
	Unavailable: "503 sem atender",
	TooMany:     "429, com Retry-After de ms milissegundos",
	Denied:      "401: credenciais ou token recusados",
	Duplicate:   "responde duas vezes na mesma conexão",
	Garbage:     "atende e responde 200 sem JSON",
	Endless:     "atende e responde 2 MiB de nada",
	Lost:        "404 em HTML, que não é da API",
	LostJSON:    "404 em JSON, que também não é da API",
}

// Reply is an answer yet to be written.
type Reply struct {
	Status int
	Body   any    // as JSON; nil: none
	Media  string // empty: application/json
	Why    string // it is a refusal, for whoever looks on; it does not travel
}

func (r Reply) encode() (media string, body []byte) {
	media = "application/json"
	if r.Media != "" {
		media = r.Media
	}
	if r.Body == nil {
		return media, nil
	}
	body, err := json.Marshal(r.Body)
	if err != nil {
		panic(err) // replies are made here, of what JSON can write
	}
	return media, body
}

// Write answers.
func Write(w http.ResponseWriter, r Reply) {
	media, body := r.encode()
	w.Header().Set("Content-Type", media)
	w.WriteHeader(r.Status)
	_, _ = w.Write(body)
}

// Decode takes exactly one JSON object with no field that the API does not have.
func Decode(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("há algo depois do corpo")
	}
	return nil
}

// Stage is where a simulator misbehaves.
type Stage struct {
	Closed  <-chan struct{}                       // ends every silence
	Problem func(status int, detail string) Reply // a refusal in the simulator's words
}

// Before does what comes before the call; true: it is answered already.
func (s Stage) Before(w http.ResponseWriter, r *http.Request, m Misbehaviour) bool {
	switch m.Kind {
	case Slow:
		s.wait(m.Delay)
	case Silent:
		s.hush(r)
	case Drop:
		panic(http.ErrAbortHandler)
	case Fail:
		Write(w, s.Problem(http.StatusInternalServerError, "falha interna"))
		return true
	case Unavailable:
		Write(w, s.Problem(http.StatusServiceUnavailable, "fora do ar"))
		return true
	case Denied:
		Write(w, s.Problem(http.StatusUnauthorized, "token recusado"))
		return true
	case TooMany:
		w.Header().Set("Retry-After", fmt.Sprint(int(m.Delay/time.Second)))
		Write(w, s.Problem(http.StatusTooManyRequests, "pedidos demais"))
		return true
	case Lost:
		http.Error(w, "<html>not here</html>", http.StatusNotFound)
		return true
	case LostJSON:
		Write(w, Reply{Status: http.StatusNotFound, Body: map[string]any{"statusCode": http.StatusNotFound, "error": "Not Found", "message": "Cannot " + r.Method + " " + r.URL.Path}})
		return true
	}
	return false
}

// After spoils the answer of a call that was carried out, or writes it. It returns the status that was written by way of the
// connection alone; 0: as w knows it.
func (s Stage) After(w http.ResponseWriter, r *http.Request, m Misbehaviour, answer Reply) int {
	switch m.Kind {
	case SilentAfter:
		s.hush(r)
	case DropAfter:
		panic(http.ErrAbortHandler)
	case FailAfter:
		Write(w, s.Problem(http.StatusInternalServerError, "falha interna"))
		return 0
	case Garbage:
		_, _ = io.WriteString(w, "<html>tudo certo</html>")
		return 0
	case Endless:
		_, _ = io.WriteString(w, `{"x":"`+strings.Repeat("x", 2<<20)+`"}`)
		return 0
	case Duplicate:
		if sendTwice(w, answer) == nil {
			return answer.Status
		}
	case CutAnswer:
		media, body := answer.encode()
		w.Header().Set("Content-Type", media)
		w.Header().Set("Content-Length", fmt.Sprint(max(len(body), 1)))
		w.WriteHeader(answer.Status)
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	Write(w, answer)
	return 0
}

// hush answers nothing until the caller gives up.
func (s Stage) hush(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.Closed:
	}
	panic(http.ErrAbortHandler)
}

func (s Stage) wait(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.Closed:
	}
}

// sendTwice writes the same answer two times on one connection.
func sendTwice(w http.ResponseWriter, answer Reply) error {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	defer conn.Close()
	media, body := answer.encode()
	once := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		answer.Status, http.StatusText(answer.Status), media, len(body), body)
	_, err = conn.Write(bytes.Repeat(once, 2))
	return err
}
