package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// terminalsCommand, as the first argument, makes this program the terminals.
const terminalsCommand = "terminals"

// startTerminals runs terminals in a process of their own: it is told where to listen for orders, and who they are.
func (b *bench) startTerminals(members string) (*rig.Server, error) {
	return b.startPart(terminalsCommand, members)
}

// startPart has this program play another part, which ends with this process however that ends.
func (b *bench) startPart(part string, args ...string) (*rig.Server, error) {
	address := rig.FreeAddress()
	cmd := exec.CommandContext(b.ctx, b.self, append([]string{part, address}, args...)...)
	if _, err := cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return rig.Start(cmd, address)
}

// endWithParent ends this process when the one that started it does.
func endWithParent() {
	io.Copy(io.Discard, os.Stdin) //nolint:errcheck // its end is all that counts
	os.Exit(0)
}

// simulation is many terminals.
type simulation struct {
	all []*terminal
	up  atomic.Int64
}

// serveTerminals keeps the links of all members. Orders come over HTTP: how many links are up, and that the first n record payments.
func serveTerminals(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("%s takes an address and a file", terminalsCommand)
	}
	text, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	var members []tunnel.Membership
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	go endWithParent()
	s := &simulation{}
	for i := range members {
		s.all = append(s.all, newTerminal(i))
	}
	go s.connect(members)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", answerStatus)
	mux.HandleFunc("GET /terminals/{id}/status", answerStatus) // the same without a link, for a plain proxy
	mux.HandleFunc("GET /up", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s.up.Load()) })
	mux.HandleFunc("GET /pay", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.FormValue("terminals")) // ours
		payments, _ := strconv.ParseInt(r.FormValue("payments"), 10, 64)
		for _, t := range s.all[:min(n, len(s.all))] {
			t.pay(payments)
		}
		io.WriteString(w, "{}") //nolint:errcheck // the bench may be gone
	})
	return http.ListenAndServe(args[0], mux)
}

// connect lets the links come as they can be taken, as on a day on which nothing happens; what follows a hub's death is up to the keepers.
func (s *simulation) connect(members []tunnel.Membership) {
	for i, m := range members {
		was := false // one call at a time
		k := tunnel.NewKeeper(m, s.all[i], tunnel.Options{Version: version, News: s.all[i].news, Changed: func(l tunnel.LinkState) {
			if l.Up != was {
				was = l.Up
				s.up.Add(map[bool]int64{true: 1, false: -1}[l.Up])
			}
		}})
		go k.Run(context.Background())
		const dialling = 100
		for waited := time.Duration(0); int64(i)-s.up.Load() > dialling && waited < time.Second; waited += time.Millisecond {
			time.Sleep(time.Millisecond)
		}
	}
}

// A payment leaves so many records.
const (
	stepsEach   = 5
	entriesEach = 30
	recordsEach = stepsEach + entriesEach
)

// terminal is one that answers, and shows records that are made up when they are asked for.
type terminal struct {
	epoch string

	mu       sync.Mutex
	payments int64
	changed  chan struct{}
}

func newTerminal(i int) *terminal {
	return &terminal{epoch: fmt.Sprintf("0b9e4fd4-3c6b-4b0a-9f6e-%012x", i), changed: make(chan struct{})}
}

func (t *terminal) pay(n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.payments += n
	close(t.changed)
	t.changed = make(chan struct{})
}

func (t *terminal) paid() (int64, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.payments, t.changed
}

func (t *terminal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64) // the hub's
	limit, _ := strconv.ParseInt(r.URL.Query().Get("limit"), 10, 64)
	paid, _ := t.paid()
	var page any
	switch r.URL.Path {
	case tunnel.PositionPath:
		page = tunnel.Position{
			Epoch: t.epoch, Ledger: paid * stepsEach, Log: paid * entriesEach,
			State: tunnel.State{Version: version, Clock: time.Now(), Printer: "ok", Foreground: true},
		}
	case tunnel.LedgerPath:
		p := tunnel.LedgerPage{Epoch: t.epoch, Last: paid * stepsEach}
		for n := after + 1; n <= min(p.Last, after+limit); n++ {
			p.Steps = append(p.Steps, t.step(n))
		}
		page = p
	case tunnel.LogPath:
		p := tunnel.LogPage{Epoch: t.epoch, First: 1, Last: paid * entriesEach}
		for n := after + 1; n <= min(p.Last, after+limit); n++ {
			p.Entries = append(p.Entries, tunnel.LogEntry{ID: n, At: time.Now(), Level: "info", Source: "http", Message: "POST /sale/item 200 0.4ms, item 7891910000197 Açúcar refinado União 1 kg"})
		}
		page = p
	default:
		answerStatus(w, r)
		return
	}
	json.NewEncoder(w).Encode(page) //nolint:errcheck // the hub may be gone
}

// news tells when there are more records.
func (t *terminal) news(ctx context.Context, tell func()) {
	for ctx.Err() == nil {
		_, changed := t.paid()
		tell()
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// states are the steps of a payment, and how each leaves it.
var states = [stepsEach][2]string{{"begun", "pending"}, {"sent", "pending"}, {"approved", "approved"}, {"confirmed", "approved"}, {"acknowledged", "approved"}}

var receipt = strings.Repeat("MERCADO DA CONCEIÇÃO CNPJ 11.222.333/0001-81\\n", 12)

func (t *terminal) step(n int64) tunnel.Step {
	attempt, is := (n-1)/stepsEach+1, states[(n-1)%stepsEach]
	reference := fmt.Sprintf("pedido-%d", attempt)
	return tunnel.Step{
		Number: n, Attempt: attempt, At: time.Now(), Operation: "payment", State: is[0], Reference: reference, Method: "credit", Amount: "31.44", Status: is[1], NSU: "000123456789",
		Answer: json.RawMessage(`{"nsu":"000123456789","message":"ok","receipt":"` + receipt + `","details":{"status":"` + is[1] + `","referenceId":"` + reference + `","amount":31.44,"reversals":[]}}`),
	}
}

// statusText is about what a terminal says.
const statusText = `{"version":"1.2.3","mode":"emulator","foreground":true,"busy":false,"printer":{"status":"ok","message":"Impressora pronta"},"sale":null,` +
	`"acquirers":[{"name":"emulator","ok":true}],"uptime":86400}`

func answerStatus(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	io.WriteString(w, statusText) //nolint:errcheck // the caller may be gone
}
