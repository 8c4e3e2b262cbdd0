package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// running are the operations under way here.
type running struct {
	ctx  context.Context
	stop context.CancelFunc
	work *sync.WaitGroup

	mu        *sync.Mutex
	ended     map[string]chan struct{} // by id, closed at the end
	claimed   map[string]int           // by id, how many requests are about to begin it
	terminals map[string]load
	tenants   map[string]load
	accounts  map[string]load
}

// load is what runs at one terminal, or of one customer or account.
type load struct {
	operations int
	bytes      int // of their bodies
}

// The most that runs at once. A terminal does one thing at a time, and refuses or queues the rest; an account may have one thing run
// at each of very many terminals, a customer half as many. What is held in memory meanwhile is bounded by bytes.
const mostOfTerminal = 16

var mostOfAccount, mostOfTenant = load{5000, 64 << 20}, load{2500, 32 << 20}

// takes tells whether there is room for one more.
func (most load) takes(have load, bytes int) bool {
	return have.operations < most.operations && have.bytes+bytes <= most.bytes
}

func newRunning() running {
	ctx, stop := context.WithCancel(context.Background())
	return running{
		ctx: ctx, stop: stop, work: &sync.WaitGroup{}, mu: &sync.Mutex{}, ended: map[string]chan struct{}{}, claimed: map[string]int{}, terminals: map[string]load{}, tenants: map[string]load{}, accounts: map[string]load{},
	}
}

// enter makes room for an operation until leave is called; false: there is none.
func (n *running) enter(o operations.Operation) (leave func(), room bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	bytes := len(o.Body)
	if n.terminals[o.Terminal].operations >= mostOfTerminal || !mostOfTenant.takes(n.tenants[o.Tenant], bytes) || !mostOfAccount.takes(n.accounts[o.Account], bytes) {
		return nil, false
	}
	n.count(o, load{1, bytes})
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.count(o, load{-1, -bytes})
	}, true
}

func (n *running) count(o operations.Operation, more load) {
	add(n.terminals, o.Terminal, more)
	add(n.tenants, o.Tenant, more)
	add(n.accounts, o.Account, more)
}

// add changes what runs somewhere; who has nothing running is not remembered.
func add(loads map[string]load, who string, more load) {
	sum := load{loads[who].operations + more.operations, loads[who].bytes + more.bytes}
	if sum.operations == 0 {
		delete(loads, who)
		return
	}
	loads[who] = sum
}

// claims are the operations that a request may begin: from before they are written down until they run, or don't.
type claims struct {
	of  *running
	ids []string
}

func (n *running) claims() *claims { return &claims{of: n} }

func (c *claims) add(id string) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.claimed[id]++
	c.ids = append(c.ids, id)
}

func (c *claims) end() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	for _, id := range c.ids {
		if c.of.claimed[id]--; c.of.claimed[id] == 0 {
			delete(c.of.claimed, id)
		}
	}
}

// here are the operations that run here, or are about to.
func (n *running) here() map[string]bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := make(map[string]bool, len(n.ended)+len(n.claimed))
	for id := range n.ended {
		all[id] = true
	}
	for id := range n.claimed {
		all[id] = true
	}
	return all
}

func (n *running) begin(id string) (end func()) {
	ended := make(chan struct{})
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended[id] = ended
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.ended, id)
		close(ended)
	}
}

// end is closed when an operation ends; nil: it does not run here.
func (n *running) end(id string) <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.ended[id]
}

// Recover ends what an earlier run of the hub left, or that of another hub whose lease is over. What was never sent is not sent any more:
// its caller was told nothing, or will read here that it may be repeated.
func (y *Relay) Recover(ctx context.Context) error {
	waiting, err := y.Operations.Recover(ctx)
	if err != nil {
		return err
	}
	for _, o := range waiting {
		if err := y.Operations.Abandon(ctx, o, http.StatusServiceUnavailable, absentHeaders(), absentBody); err != nil && !errors.Is(err, operations.ErrState) {
			return err
		}
	}
	return nil
}

// EndLost ends what is on the disk as this hub's, and doesn't run here: the database had written down that it begins, and the hub did not
// hear of that, because the caller hung up in that moment or the connection broke.
func (y *Relay) EndLost(ctx context.Context) error {
	before := y.running.here()
	unended, err := y.Operations.Unended(ctx)
	if err != nil {
		return err
	}
	now := y.running.here()
	for _, o := range unended {
		if before[o.ID] || now[o.ID] {
			continue
		}
		err := y.Operations.Abandon(ctx, o, http.StatusServiceUnavailable, absentHeaders(), absentBody)
		if errors.Is(err, operations.ErrState) {
			err = y.Operations.Break(ctx, o.ID)
		}
		if err != nil && !errors.Is(err, operations.ErrState) {
			return err
		}
	}
	return nil
}

// Close waits for operations under way; whoever stops the hub has ended the links before.
func (y *Relay) Close() {
	y.running.stop()
	y.running.work.Wait()
}

// start runs an operation that is written down, and leaves when it has ended.
func (y *Relay) start(o operations.Operation, link http.RoundTripper, body []byte, from *http.Request, leave func()) {
	header := http.Header{}
	for _, name := range []string{"Content-Type", "Content-Encoding", "User-Agent", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode"} {
		if values := from.Header[name]; values != nil {
			header[name] = values
		}
	}
	host, end := from.Host, y.running.begin(o.ID)
	y.running.work.Go(func() {
		defer leave()
		defer end()
		y.run(o, link, header, host, body)
	})
}

// run sends the request and notes how it ends.
func (y *Relay) run(o operations.Operation, link http.RoundTripper, header http.Header, host string, body []byte) {
	const patience = 15 * time.Second // with a database that doesn't answer any more
	ctx, cancel := context.WithTimeout(y.running.ctx, patience)
	err := y.Operations.Send(ctx, o.ID)
	cancel()
	if err != nil {
		y.note(func(ctx context.Context) error { return y.unsent(ctx, o) })
		return
	}
	status, headers, answer, err := y.exchange(o, link, header, host, body)
	y.note(func(ctx context.Context) error {
		switch {
		case errors.Is(err, tunnel.ErrNotSent):
			return y.unsent(ctx, o)
		case err != nil:
			return y.Operations.Break(ctx, o.ID)
		}
		return y.Operations.Finish(ctx, o.ID, status, headers, answer)
	})
}

// unsent notes the end of an operation that did not leave, whatever of it is on the disk: it may be asked for again.
func (y *Relay) unsent(ctx context.Context, o operations.Operation) error {
	if err := y.Operations.Abandon(ctx, o, http.StatusServiceUnavailable, absentHeaders(), absentBody); !errors.Is(err, operations.ErrState) {
		return err
	}
	if o.SentBefore() {
		return y.Operations.Break(ctx, o.ID)
	}
	return y.Operations.Finish(ctx, o.ID, http.StatusServiceUnavailable, absentHeaders(), absentBody)
}

// longestAnswer is what is kept of one. None of a terminal's is that long, but a stolen one's may be.
const longestAnswer = 4 << 20

// exchange sends the request once, and reads the answer.
func (y *Relay) exchange(o operations.Operation, link http.RoundTripper, header http.Header, host string, body []byte) (int, map[string]string, []byte, error) {
	r, err := http.NewRequestWithContext(y.running.ctx, o.Method, "http://terminal/", bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	path, query, _ := strings.Cut(o.Path, "?")
	r.URL = new(url.URL)
	address(r.URL, path, query)
	r.Header, r.Host = header, host
	resp, err := link.RoundTrip(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, longestAnswer+1))
	if err == nil && len(answer) > longestAnswer {
		err = errTooLarge
	}
	headers := map[string]string{}
	for _, name := range []string{"Content-Type", "X-Motivo"} {
		if value := resp.Header.Get(name); value != "" {
			headers[name] = value
		}
	}
	return resp.StatusCode, headers, answer, err
}

// note writes an end down, however long the database is away: an operation without an end is the worst there is. A hub that stops
// tries once more; what it can't write is found at the next start.
func (y *Relay) note(end func(context.Context) error) {
	const first, most = 50 * time.Millisecond, 5 * time.Second
	for wait := first; ; wait = min(2*wait, most) {
		stopping := y.running.ctx.Err() != nil
		ctx, cancel := context.WithTimeout(context.Background(), most)
		err := end(ctx)
		cancel()
		if err == nil || errors.Is(err, operations.ErrState) || errors.Is(err, operations.ErrNotFound) || stopping {
			return
		}
		select {
		case <-time.After(wait):
		case <-y.running.ctx.Done():
		}
	}
}

// await waits for the end of an operation.
func (y *Relay) await(ctx context.Context, o operations.Operation) (operations.Operation, error) {
	for o.State == operations.Waiting || o.State == operations.Running {
		if end := y.running.end(o.ID); end != nil {
			select {
			case <-end:
			case <-ctx.Done():
				return o, ctx.Err()
			}
		}
		found, err := y.Operations.Find(ctx, fleet.Scope{Place: o.Place}, o.Terminal, o.ID)
		if err == nil {
			o = found
			if o.State == operations.Done || o.State == operations.Broken {
				break
			}
		}
		select { // it runs elsewhere, or can't be read now
		case <-time.After(time.Second):
		case <-ctx.Done():
			return o, ctx.Err()
		}
	}
	return o, nil
}
