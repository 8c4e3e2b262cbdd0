// Package deliver tells webhooks of events over HTTP, until they have arrived or a day has passed.
//
// Invariants: nothing is sent into networks that nobody has allowed; who answers slowly, or not at all, holds up nobody else; a delivery is
// tried by one hub at a time.
package deliver

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/hub/webhooks"
)

const (
	connectWithin = 5 * time.Second
	answerWithin  = 15 * time.Second
	// takenFor is how long nobody else tries a delivery that is being tried.
	takenFor = time.Minute
	// together is how many are tried at once, mostOfTenant how many of one customer, mostOfOne how many of one webhook. Those that do not answer
	// are tried less and less often.
	together, mostOfTenant, mostOfOne = 256, 32, 4
)

// Config is what a sender stands on.
type Config struct {
	Desk    *webhooks.Desk
	Allowed []netip.Prefix // networks that are not public, and may be sent to
	Version string
	Log     func(text string, err error)
	Tried   func(webhooks.State) // told what became of each attempt; nil: nobody is
	Each    time.Duration        // how often it is looked for something to send; 0: as usual
	// How long it is waited for a connection, for what encrypts it, and for the whole answer; 0: as usual.
	ConnectWithin, AnswerWithin time.Duration
}

// Sender sends what is due.
type Sender struct {
	Config
	client *http.Client
	ended  chan struct{} // an attempt has

	mu   sync.Mutex
	busy map[string]int // by webhook, and by customer
	all  int
}

// New returns a sender.
func New(c Config) *Sender {
	c.Each = cmp.Or(c.Each, time.Second)
	c.ConnectWithin = cmp.Or(c.ConnectWithin, connectWithin)
	c.AnswerWithin = cmp.Or(c.AnswerWithin, answerWithin)
	if c.Tried == nil {
		c.Tried = func(webhooks.State) {}
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	t := &http.Transport{
		DialContext: guard{c.Allowed, ownNetworks}.dialer(c.ConnectWithin).DialContext, Protocols: protocols,
		TLSHandshakeTimeout: c.ConnectWithin, ResponseHeaderTimeout: c.AnswerWithin,
		MaxIdleConnsPerHost: mostOfOne, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10,
	}
	return &Sender{Config: c, busy: map[string]int{}, ended: make(chan struct{}, 1), client: &http.Client{
		Transport: t, Timeout: c.AnswerWithin,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // whoever answers is who was meant
	}}
}

// Run sends until the context ends, and waits for what is under way.
func (s *Sender) Run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	defer s.client.CloseIdleConnections()
	for ctx.Err() == nil {
		err := s.round(ctx, &work)
		if err != nil && ctx.Err() == nil {
			s.Log("webhooks", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(s.Each):
		case <-s.ended: // there is room again
		}
	}
}

// round numbers what is new, and begins with what is due and has room.
func (s *Sender) round(ctx context.Context, work *sync.WaitGroup) error {
	live, err := s.Desk.Live(ctx)
	if err != nil || len(live) == 0 {
		return err
	}
	for numbered := -1; numbered != 0; {
		if numbered, err = s.Desk.Publish(ctx); err != nil {
			return err
		}
	}
	waiting, err := s.Desk.DueHooks(ctx)
	if err != nil {
		return err
	}
	live = slices.Clone(live)
	rand.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] }) // nobody is always the last
	for _, h := range live {
		room := s.room(h)
		if room == 0 || !slices.Contains(waiting, h.ID) {
			continue
		}
		due, err := s.Desk.Due(ctx, h.ID, room, takenFor)
		if err != nil {
			return err
		}
		for _, d := range due {
			s.count(h, 1)
			work.Go(func() {
				defer s.count(h, -1)
				s.deliver(ctx, h, d)
			})
		}
	}
	return nil
}

// room is how many more of a webhook may be tried now.
func (s *Sender) room(h webhooks.Hook) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, min(mostOfOne-s.busy[h.ID], mostOfTenant-s.busy[customer(h)], together-s.all))
}

// customer is whose a webhook is.
func customer(h webhooks.Hook) string { return h.Account + "/" + h.Tenant }

func (s *Sender) count(h webhooks.Hook, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all += n
	for _, of := range []string{h.ID, customer(h)} {
		if s.busy[of] += n; s.busy[of] == 0 {
			delete(s.busy, of)
		}
	}
	if n < 0 {
		select {
		case s.ended <- struct{}{}:
		default:
		}
	}
}

// deliver tries once, and has it written down. A hub that stops meanwhile leaves the delivery to be tried again.
func (s *Sender) deliver(ctx context.Context, h webhooks.Hook, d webhooks.Delivery) {
	status, err := s.send(ctx, h, d.Event)
	trouble := ""
	if err != nil {
		if ctx.Err() != nil {
			return
		}
		trouble = explain(err)
	}
	state, err := s.Desk.Tried(ctx, d, status, trouble)
	if err == nil {
		s.Tried(state)
	} else if ctx.Err() == nil {
		s.Log("webhooks", err)
	}
}

func (s *Sender) send(ctx context.Context, h webhooks.Hook, e webhooks.Event) (status int, err error) {
	key, err := s.Desk.Key(h)
	if err != nil {
		return 0, err
	}
	payload, err := e.Payload()
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(payload))
	if err != nil {
		return 0, err
	}
	now := time.Now()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "maquininha-hub/"+s.Version)
	r.Header.Set("Webhook-Id", e.ID)
	r.Header.Set("Webhook-Timestamp", strconv.FormatInt(now.Unix(), 10))
	r.Header.Set("Webhook-Signature", webhooks.Signature(key, e.ID, now, payload))
	resp, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	const mostBytes = 64 << 10                                // the connection is used again when all was read
	io.Copy(io.Discard, io.LimitReader(resp.Body, mostBytes)) //nolint:errcheck // the status is all that counts
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return resp.StatusCode, fmt.Errorf("respondeu %d", resp.StatusCode)
	}
	return resp.StatusCode, nil
}
