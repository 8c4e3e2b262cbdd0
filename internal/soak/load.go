package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
)

// load is how much comes at once.
type load struct {
	idle    int // connections
	streams int // of the log
	items   int // of each sale
	sales   int // one after the other
	cashier int // clients that ring a sale up
}

var wholeLoad = load{idle: 1000, streams: 50, items: 10_000, sales: 3, cashier: 16}

const statusGoal = 50 // ms, at the 99th percentile

var (
	openSale   = rig.Request("POST", "/sale", `{"customerName":"Maria da Conceição"}`)
	addItem    = rig.Request("POST", "/sale/item", `{"code":"7891910000197","description":"Açúcar refinado 1 kg","quantity":2,"unitPrice":5.49,"total":10.98}`)
	finishSale = rig.Request("POST", "/sale/finalize", `{"showMessage":false}`)
)

// runLoad rings long sales up at full speed while payments run, very many are connected and many follow the log.
func runLoad(ctx context.Context, binary, dir string, l load) (*report, error) {
	data := filepath.Join(dir, "load")
	if err := os.Mkdir(data, 0o700); err != nil {
		return nil, err
	}
	service, err := rig.Service(ctx, binary, data, "--autopilot-delay", "0s")
	if err != nil {
		return nil, err
	}
	defer service.Stop() //nolint:errcheck // what it answered is counted already
	idle, err := connect(service.Address, l.idle)
	defer func() {
		for _, c := range idle {
			c.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	s := newShop(service, newTally())
	during, end := context.WithCancel(ctx)
	var others sync.WaitGroup
	defer others.Wait()
	defer end()
	readers := make([]reader, l.streams)
	for i := range readers {
		others.Go(func() { readers[i].read(during, s) })
	}
	if err := waitFor(ctx, readers); err != nil {
		return nil, err
	}
	others.Go(func() {
		for during.Err() == nil {
			s.call(during, "POST", "/transaction", `{"tPag":"03","amount":12.34,"referenceId":"`+newID()+`"}`)
		}
	})
	others.Go(func() { s.ping(during) })
	began := time.Now()
	for range l.sales {
		if _, err := rig.Send(service.Address, openSale); err != nil {
			return nil, err
		}
		if _, err := rig.Drive(service.Address, l.cashier, rig.Always(addItem), rig.Times(l.items)); err != nil {
			return nil, err
		}
		if _, err := rig.Send(service.Address, finishSale); err != nil {
			return nil, err
		}
	}
	took := time.Since(began)
	lost := caughtUp(ctx, readers, l.items*l.sales)
	end()
	others.Wait()
	f, err := rig.Measure(service.Process.Pid)
	if err != nil {
		return nil, err
	}
	return loadReport(l, s.tally, f, took, stillThere(idle), lost), nil
}

// connect opens connections that ask once and then want nothing more.
func connect(address string, n int) (open []*rig.Caller, err error) {
	for range n {
		c, err := rig.Dial(address)
		if err != nil {
			return open, err
		}
		open = append(open, c)
		if _, err := c.Send(rig.GetStatus); err != nil {
			return open, err
		}
	}
	return open, nil
}

// stillThere counts the connections that are answered after all that.
func stillThere(open []*rig.Caller) (alive int) {
	for _, c := range open {
		if _, err := c.Send(rig.GetStatus); err == nil {
			alive++
		}
	}
	return alive
}

// ping asks for the status again and again, as a monitor does.
func (s *shop) ping(ctx context.Context) {
	for due := time.NewTicker(5 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			due.Stop()
			return
		case <-due.C:
			s.call(ctx, "GET", "/status", "")
		}
	}
}

// reader follows the log and counts the items in it.
type reader struct {
	begun atomic.Bool
	items atomic.Int64
}

var itemEntry = []byte(`"message":"POST /sale/item `)

func (r *reader) read(ctx context.Context, s *shop) {
	s.follow(ctx, s.api+"/logs/stream", func(line string) {
		r.begun.Store(true)
		if bytes.Contains([]byte(line), itemEntry) {
			r.items.Add(1)
		}
	})
	if ctx.Err() == nil {
		s.failed("a log stream ended by itself")
	}
}

// patience is longer than anything takes, however busy the machine is.
const patience = 5 * time.Minute

// waitFor returns once every reader is told something.
func waitFor(ctx context.Context, readers []reader) error {
	return until(ctx, func() bool {
		for i := range readers {
			if !readers[i].begun.Load() {
				return false
			}
		}
		return true
	})
}

// caughtUp waits for the readers to have every item, and returns how many entries never came.
func caughtUp(ctx context.Context, readers []reader, items int) (lost int) {
	until(ctx, func() bool { //nolint:errcheck // what is missing then is what is returned
		lost = 0
		for i := range readers {
			lost += items - int(readers[i].items.Load())
		}
		return lost == 0
	})
	return lost
}

func until(ctx context.Context, is func() bool) error {
	for began := time.Now(); !is(); {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
		if time.Since(began) > patience {
			return errors.New("the readers of the log are not served")
		}
	}
	return nil
}

func loadReport(l load, t *tally, f rig.Footprint, took time.Duration, alive, lost int) *report {
	r := &report{problems: t.said()}
	var status []float64
	for _, s := range t.routes["GET /status"] {
		status = append(status, s.value)
	}
	p99 := percentile(status, 99)
	r.add(finding{
		measure: fmt.Sprintf("%d sales of %d items", l.sales, l.items), value: fmt.Sprintf("%.1f s, %.0f items/s", took.Seconds(), float64(l.sales*l.items)/took.Seconds()), ok: true,
	})
	payments := len(t.routes["POST /transaction"])
	r.add(finding{measure: "payments meanwhile", value: fmt.Sprintf("%d, errors %d", payments, t.failures), goal: "none but the 503 of the contract", ok: t.failures == 0 && payments > 0})
	r.add(finding{measure: "idle connections", value: fmt.Sprintf("%d of %d still answered", alive, l.idle), goal: "all", ok: alive == l.idle})
	r.add(finding{measure: fmt.Sprintf("entries lost by %d log streams", l.streams), value: fmt.Sprint(lost), goal: "0", ok: lost == 0})
	r.add(finding{measure: "resident memory, most", value: fmt.Sprintf("%.1f MiB", f.PeakMiB), goal: fmt.Sprintf("≤ %d MiB", mostMiB), ok: f.PeakMiB <= mostMiB})
	r.add(finding{
		measure: fmt.Sprintf("GET /status, p99 of %d", len(status)), value: fmt.Sprintf("%s (median %s, p95 %s)", milliseconds(p99), milliseconds(percentile(status, 50)), milliseconds(percentile(status, 95))),
		goal: fmt.Sprintf("≤ %d ms", statusGoal), ok: p99 <= statusGoal, noisy: true,
	})
	return r
}
