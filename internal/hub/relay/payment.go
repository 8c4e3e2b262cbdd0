package relay

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/maquininha/maquininha/internal/hub/reply"
)

// longestPayment is how long a body is looked into for its reference. A terminal takes none that is longer.
const longestPayment = 1 << 20

var errNeedsReference = reply.Refuse(http.StatusBadRequest, "Requisição inválida: referenceId é obrigatório para esta chave")

// pay passes a payment on. One without a reference gets one, which its caller is told before the wait begins: whatever breaks
// then, the payment can be looked up.
func (y *Relay) pay(w http.ResponseWriter, r *http.Request, to Target, link http.RoundTripper) {
	if r.ContentLength > longestPayment { // the terminal says so at once
		y.forward(w, r, to, link, "")
		return
	}
	body, err := readBody(w, r, longestPayment)
	if errors.Is(err, errTooLarge) {
		y.forward(w, withBody(r, io.MultiReader(bytes.NewReader(body), r.Body), r.ContentLength), to, link, "")
		return
	}
	given := ""
	if err == nil && lacksReference(body) {
		if to.Caller.NeedsReferences {
			err = errNeedsReference
		} else {
			given = newReference()
			body = addReference(body, given)
		}
	}
	if err != nil {
		refuse(w, err)
		return
	}
	if given != "" && readsOn(r) {
		w.Header().Set(ReferenceHeader, given)
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Del(ReferenceHeader)
	}
	r = withBody(r, bytes.NewReader(body), int64(len(body)))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil } // for a terminal that is found at another hub
	y.forward(w, r, to, link, given)
}

func withBody(r *http.Request, body io.Reader, length int64) *http.Request {
	r = r.WithContext(r.Context())
	r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(body), length, nil
	return r
}

// readsOn tells of callers that go on reading after an informational answer. HTTP/2 has no others. In HTTP/1.1 some take it for
// the answer itself, and would charge again: Python's own client does. So does nginx, older than 1.29, which then passes on nothing.
func readsOn(r *http.Request) bool {
	if r.ProtoMajor >= 2 {
		return true
	}
	if isProxied(r) {
		return false
	}
	agent := r.UserAgent()
	for _, known := range []string{"curl/", "Go-http-client/", "node"} {
		if strings.HasPrefix(agent, known) {
			return r.ProtoAtLeast(1, 1)
		}
	}
	return false
}

// isProxied tells of requests that a reverse proxy passes on: they came by its own port, or have what proxies add. "Connection:
// upgrade" with nothing to upgrade to is what nginx says once it is told to let tunnels through.
func isProxied(r *http.Request) bool {
	for _, name := range []string{"Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-Ip"} {
		if r.Header[name] != nil {
			return true
		}
	}
	return r.Context().Value(proxied{}) != nil || strings.EqualFold(r.Header.Get("Connection"), "upgrade")
}

type proxied struct{}

// Proxied marks a request that came by the port that is a reverse proxy's.
func Proxied(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), proxied{}, true))
}

func newReference() string { return "hub-" + strings.ToLower(rand.Text()[:20]) }

var byteOrderMark = []byte("\xef\xbb\xbf")

// referenceIn is what a body gives as the payment's name; false: it is no object, or the name no text. As at the terminal, the last of
// two counts, and an empty one is none.
func referenceIn(body []byte, name string) (string, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimPrefix(body, byteOrderMark), &fields) != nil || fields == nil {
		return "", false
	}
	raw, ok := fields[name]
	if !ok {
		return "", true
	}
	var text *string
	if json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	if text == nil {
		return "", true
	}
	return *text, true
}

// lacksReference tells of a payment that is one but for its reference. Whatever else is wrong, the terminal says.
func lacksReference(body []byte) bool {
	reference, ok := referenceIn(body, "referenceId")
	return ok && reference == ""
}

// addReference leaves the rest of the body to the letter.
func addReference(body []byte, reference string) []byte {
	end := bytes.LastIndexByte(body, '}')
	field := `"referenceId":"` + reference + `"`
	if before := bytes.TrimSpace(body[:end]); before[len(before)-1] != '{' {
		field = "," + field
	}
	return append(append(append(make([]byte, 0, len(body)+len(field)), body[:end]...), field...), body[end:]...)
}

// refuse answers with a refusal, in its own words where it has some.
func refuse(w http.ResponseWriter, err error) {
	var said *reply.Failure
	if errors.As(err, &said) {
		fail(w, said.Status, said.Message)
		return
	}
	fail(w, http.StatusServiceUnavailable, notSaved)
}

// notSaved is the terminal's own word for a store that can't be written.
const notSaved = "Não foi possível gravar os dados, tente novamente"
