package screenui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/sale"
)

const (
	// minInterval is the least time between two looks at the desks: a screen shows no more, and a sale that grows at
	// full speed does not keep the service busy with drawing it.
	minInterval = 16 * time.Millisecond
	// keepAlive is how often something is sent over a quiet connection, to find out whether it still stands.
	keepAlive = 10 * time.Second
	// writeTimeout is how long a page may take to read what it is sent.
	writeTimeout = 5 * time.Second
)

// feed tells a page everything, then whatever changes, for as long as the page stays.
func (ui *UI) feed(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(ui.stopping, cancel)()
	id, leave, ok := ui.pages.enter(cancel)
	if !ok {
		refuse(w, http.StatusServiceUnavailable, "Telas demais abertas ao mesmo tempo")
		return
	}
	defer leave()

	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	f := &follower{ui: ui, out: http.NewResponseController(w), w: w, sent: map[string][]byte{}}
	f.text.WriteString("retry: 500\n")
	f.event("hello", ui.hello(id))
	for {
		changes := ui.Screen.Changes() // before reading the desks, so that no change is missed
		if err := f.sendChanges(); err != nil {
			return
		}
		if !sleep(ctx, minInterval) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changes:
		case <-time.After(keepAlive):
			f.text.WriteString(": \n\n")
		}
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// follower remembers what one page knows.
type follower struct {
	ui   *UI
	w    http.ResponseWriter
	out  *http.ResponseController
	text bytes.Buffer
	sent map[string][]byte // by key of the state

	sale     int64 // whose lines the page has
	revision uint64
}

// sendChanges sends what the page does not know yet.
func (f *follower) sendChanges() error {
	delta, err := f.ui.Sales.Since(f.sale, f.revision)
	open := err == nil // a sale that cannot be read now is read again at the next change
	if open {
		if delta.Whole || delta.Lines() > 0 {
			f.event("lines", linesOf(delta))
		}
		f.sale, f.revision = delta.Number, delta.Revision
	} else {
		f.sale, f.revision = 0, 0
	}
	patch := map[string]json.RawMessage{}
	state := f.ui.state(delta, open)
	for _, key := range slices.Sorted(maps.Keys(state)) {
		text, err := json.Marshal(state[key])
		if err != nil {
			return fmt.Errorf("encoding %s: %w", key, err)
		}
		if !bytes.Equal(text, f.sent[key]) {
			f.sent[key], patch[key] = text, text
		}
	}
	if len(patch) > 0 {
		f.event("state", patch)
	}
	return f.flush()
}

// event adds one to what the next flush sends.
func (f *follower) event(name string, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // shapes of our own
	}
	fmt.Fprintf(&f.text, "event: %s\ndata: %s\n\n", name, text)
}

func (f *follower) flush() error {
	if f.text.Len() == 0 {
		return nil
	}
	if err := f.out.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	_, err := f.text.WriteTo(f.w)
	if err != nil {
		return err
	}
	return f.out.Flush()
}

type lineBody struct {
	Sale      int64            `json:"sale"`
	Whole     bool             `json:"whole"`
	Items     []itemBody       `json:"items"`
	Payments  []paymentBody    `json:"payments"`
	Discounts []adjustmentBody `json:"discounts"`
	Additions []adjustmentBody `json:"additions"`
}

type itemBody struct {
	Seq            int64   `json:"seq"`
	ID             string  `json:"id"`
	Code           string  `json:"code"`
	Description    string  `json:"description"`
	Canceled       bool    `json:"canceled"`
	Quantity       amount  `json:"quantity"`
	UnitPrice      amount  `json:"unitPrice"`
	Discount       *amount `json:"discount"`
	Addition       *amount `json:"addition"`
	Total          amount  `json:"total"`
	AdditionalInfo *string `json:"additionalInfo"`
}

type paymentBody struct {
	Seq            int64             `json:"seq"`
	ID             string            `json:"id"`
	Type           *sale.PaymentType `json:"type"`
	Description    *string           `json:"description"`
	Value          amount            `json:"value"`
	AdditionalInfo *string           `json:"additionalInfo"`
}

type adjustmentBody struct {
	Seq            int64   `json:"seq"`
	ID             string  `json:"id"`
	Description    *string `json:"description"`
	Value          amount  `json:"value"`
	AdditionalInfo *string `json:"additionalInfo"`
}

func adjustmentsOf(lines []sale.Line[sale.Adjustment]) []adjustmentBody {
	bodies := make([]adjustmentBody, len(lines))
	for n, l := range lines {
		a := l.Value
		bodies[n] = adjustmentBody{l.Seq, a.ID, a.Description, amount{a.Value}, a.AdditionalInfo}
	}
	return bodies
}

func linesOf(d sale.Delta) lineBody {
	body := lineBody{
		d.Number, d.Whole, make([]itemBody, len(d.Items)), make([]paymentBody, len(d.Payments)),
		adjustmentsOf(d.Discounts), adjustmentsOf(d.Additions),
	}
	for n, l := range d.Items {
		i := l.Value
		body.Items[n] = itemBody{
			l.Seq, i.ID, i.Code, i.Description, i.Canceled,
			amount{i.Quantity},
			amount{i.UnitPrice},
			amountOrNil(i.Discount), amountOrNil(i.Addition),
			amount{i.Total},
			i.AdditionalInfo,
		}
	}
	for n, l := range d.Payments {
		p := l.Value
		if p.Type != nil {
			word := p.Type.Word()
			p.Type = &word
		}
		body.Payments[n] = paymentBody{l.Seq, p.ID, p.Type, p.Description, amount{p.Value}, p.AdditionalInfo}
	}
	return body
}
