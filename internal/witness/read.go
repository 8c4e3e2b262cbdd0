package witness

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/referee"
)

const (
	finalize = "POST /sale/finalize"
	reversal = "POST /transaction/{referenceId}/reversal"
	callOff  = "POST /operation/cancel"
)

// tapped tells of requests whose body a rule needs. One that is refused unread comes here too: the terminal reads what is left
// of it, unless the caller waits to be told to send it.
func tapped(route string) bool {
	switch route {
	case "POST /transaction", reversal, callOff, "POST /sale/item", "POST /ask", "POST /ask/form":
		return true
	}
	return strings.HasPrefix(route, "POST /print/")
}

// longest is how much of a body is looked at: more than any that a rule is about has.
const longest = 64 << 10

// routeOf is the interface's own name of a path, and the reference in it. What is no command or question of a caller, such as
// logs, documentation and /emulator, has none.
func routeOf(method, path string) (route, reference string) {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	named := func(name string) string { return method + " /" + parts[0] + name }
	switch parts[0] {
	case "sale", "sales", "ask", "print", "display", "status", "info", "restart", "transaction", "operation":
	default:
		return "", ""
	}
	switch {
	case parts[0] == "transaction" && len(parts) > 1:
		if meant, err := url.PathUnescape(parts[1]); err == nil {
			reference = meant
		}
		return named("/{referenceId}" + suffix(parts, 2)), reference
	case parts[0] == "sales" && len(parts) > 1:
		return named("/{saleId}" + suffix(parts, 2)), ""
	case parts[0] == "sale" && len(parts) > 2:
		return named("/" + parts[1] + "/{id}" + suffix(parts, 3)), ""
	}
	return named(suffix(parts, 1)), ""
}

func suffix(parts []string, from int) string {
	if len(parts) <= from {
		return ""
	}
	return "/" + strings.Join(parts[from:], "/")
}

type excerpt struct{ text []byte }

func (e *excerpt) add(b []byte) { e.text = append(e.text, b[:min(len(b), longest-len(e.text))]...) }

// tappedBody keeps the beginning of a body, and the sum of all of it.
type tappedBody struct {
	io.ReadCloser
	start excerpt
	size  int
	sum   hash.Hash
	whole bool // it was read to its end
}

func (b *tappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.start.add(p[:n])
	b.size += n
	b.sum.Write(p[:n])
	b.whole = b.whole || errors.Is(err, io.EOF)
	return n, err
}

// content tells what was asked or printed from others; empty when it did not come whole.
func (b *tappedBody) content() string {
	if !b.whole || b.size == 0 {
		return ""
	}
	if b.size == len(b.start.text) {
		// How the dialogue looks, and how the text is laid out, are not the question.
		fields := object(b.start.text)
		if questions, err := json.Marshal([]any{plain(fields["question"]), plain(fields["questions"])}); err == nil && string(questions) != "[null,null]" {
			return digest(questions)
		}
	}
	return string(b.sum.Sum(nil))
}

func plain(raw json.RawMessage) (value any) {
	_ = json.Unmarshal(raw, &value) // what is none is nil
	return value
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return string(sum[:])
}

type tappedWriter struct {
	http.ResponseWriter
	x     *record
	wants bool
	body  excerpt
}

// Unwrap lets http.ResponseController flush, hijack and set deadlines.
func (w *tappedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *tappedWriter) WriteHeader(status int) {
	w.x.answered(status) // before the caller can know
	w.wants = w.wants || status >= http.StatusBadRequest || strings.Contains(w.x.Route, " /transaction")
	w.ResponseWriter.WriteHeader(status)
}

func (w *tappedWriter) Write(b []byte) (int, error) {
	w.x.answered(http.StatusOK)
	if w.wants || strings.Contains(w.x.Route, " /transaction") {
		w.body.add(b)
	}
	return w.ResponseWriter.Write(b)
}

// object is a JSON object, nil when the text is none.
func object(text []byte) (fields map[string]json.RawMessage) {
	if json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &fields) != nil {
		return nil
	}
	return fields
}

func word(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s) // what is no text is none
	return s
}

func decimal(raw json.RawMessage) (money.Decimal, bool) {
	d, err := money.Parse(string(raw))
	return d, err == nil
}

// readRequest takes what was asked for; the lock is held.
func (x *record) readRequest(body *tappedBody) {
	if body == nil {
		return
	}
	fields := object(body.start.text)
	switch x.Route {
	case "POST /transaction":
		x.Reference = word(fields["referenceId"])
		x.Charge = referee.Charge{TPag: word(fields["tPag"]), Type: word(fields["installmentType"]), Installments: string(fields["installments"])}
		x.Charge.Amount, _ = decimal(fields["amount"])
		if x.Charge.Installments == "null" {
			x.Charge.Installments = ""
		}
	case reversal:
		x.PartID = word(fields["reversalId"])
		if part, ok := decimal(fields["amount"]); ok {
			x.Part = &part
		}
	case callOff:
		x.Reference = word(fields["referenceId"])
	case "POST /sale/item":
		x.Item.Code = word(fields["code"])
		x.Item.Total, _ = decimal(fields["total"])
	default:
		x.Content = body.content()
	}
}

// readAnswer takes the words of a refusal, and how a transaction stands; the lock is held.
func (x *record) readAnswer(text []byte) {
	fields := object(text)
	if x.Status >= http.StatusBadRequest {
		x.Message = word(fields["message"])
		return
	}
	details := object(fields["details"])
	x.Outcome = word(details["status"])
	if amount, ok := decimal(details["amount"]); ok {
		x.Amount = &amount
	}
	x.Back, _ = decimal(details["reversed"])
}

// askSale is the sale as it stands; nil when there is none, or none that this caller may see.
func askSale(terminal http.Handler, r *http.Request) *referee.Sale {
	look, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "/sale", http.NoBody)
	if err != nil {
		return nil
	}
	look.Header["Authorization"] = r.Header["Authorization"]
	look.RemoteAddr, look.Host = r.RemoteAddr, r.Host
	page := &page{header: http.Header{}}
	terminal.ServeHTTP(page, look)
	var seen struct {
		Summary  struct{ Total json.RawMessage }
		Payments []struct {
			TPag  string          `json:"tPag"`
			Value json.RawMessage `json:"value"`
		}
	}
	if page.status >= http.StatusBadRequest || json.Unmarshal(page.body.Bytes(), &seen) != nil {
		return nil
	}
	s := &referee.Sale{}
	s.Total, _ = decimal(seen.Summary.Total)
	for _, p := range seen.Payments {
		value, _ := decimal(p.Value)
		switch p.TPag {
		case "credit", "debit", "pix", "03", "04", "17":
			s.Electronic = s.Electronic.Add(value)
		case "cancel", "cancelDigitalWallet":
			s.Cancels = true
		default:
			s.Other = s.Other.Add(value)
		}
	}
	return s
}

// page is an answer that nobody else sees.
type page struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (p *page) Header() http.Header         { return p.header }
func (p *page) WriteHeader(status int)      { p.status = status }
func (p *page) Write(b []byte) (int, error) { return p.body.Write(b) }
