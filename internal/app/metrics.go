package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/metrics"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/store"
)

// meter counts what the desks and drivers do; they know nothing of it.
type meter struct {
	*metrics.Meter
	paid      map[ending]*metrics.Counter
	printed   map[printing.Kind]*metrics.Counter
	unprinted []unprintable
	logged    map[logbook.Level]*metrics.Counter
	busy      busyTime
}

// ending is how a payment or a reversal went.
type ending struct {
	operation string
	method    payment.Method
	outcome   string
}

type unprintable struct {
	why   error // nil: any other
	count *metrics.Counter
}

func newMeter() *meter {
	m := &meter{Meter: metrics.New(), paid: map[ending]*metrics.Counter{}, printed: map[printing.Kind]*metrics.Counter{}, logged: map[logbook.Level]*metrics.Counter{}}
	payments := m.Totals("maquininha_payments_total", "Pagamentos e estornos, por forma e desfecho; o que ficou sem resposta conta de novo ao ser resolvido.")
	for _, method := range []payment.Method{payment.Credit, payment.Debit, payment.Pix, payment.AnyMethod} {
		for _, outcome := range []string{"approved", "refused", "cancelled", "undone", "unknown"} {
			m.paid[ending{"payment", method, outcome}] = payments.Counter("operation", "payment", "method", string(method), "outcome", outcome)
		}
		for _, outcome := range []string{"approved", "refused", "cancelled", "unknown"} {
			m.paid[ending{"reversal", method, outcome}] = payments.Counter("operation", "reversal", "method", string(method), "outcome", outcome)
		}
	}
	prints := m.Totals("maquininha_prints_total", "Impressões feitas, por tipo.")
	for _, kind := range []printing.Kind{printing.Image, printing.Text, printing.XML, printing.ACBr, printing.Receipt} {
		m.printed[kind] = prints.Counter("kind", string(kind))
	}
	failures := m.Totals("maquininha_print_failures_total", "Impressões que falharam, por motivo.")
	for _, reason := range []struct {
		why  error
		name string
	}{
		{printing.ErrPaperOut, "paper_out"},
		{printing.ErrCoverOpen, "cover_open"},
		{printing.ErrOffline, "offline"},
		{printing.ErrNoPrinter, "no_printer"},
		{context.Canceled, "stopped"},
		{receipt.ErrTooLong, "too_long"},
		{receipt.ErrCode, "code"},
		{nil, "other"},
	} {
		m.unprinted = append(m.unprinted, unprintable{reason.why, failures.Counter("reason", reason.name)})
	}
	entries := m.Totals("maquininha_log_entries_total", "Registros de log, por nível.")
	for _, level := range []logbook.Level{logbook.Fatal, logbook.Error, logbook.Warning, logbook.Info, logbook.Trace, logbook.Path, logbook.Debug} {
		m.logged[level] = entries.Counter("level", string(level))
	}
	return m
}

// log counts entries and passes them on.
func (m *meter) log(told func(logbook.Entry)) func(logbook.Entry) {
	return func(e logbook.Entry) {
		if count := m.logged[e.Level]; count != nil {
			count.Inc()
		}
		told(e)
	}
}

// pay counts the step of an attempt that says how it went. What is settled later is counted when it is: first as
// unknown, then as what it was.
func (m *meter) pay(before, after payment.Transaction, word payment.Verdict) {
	e := ending{operation: "payment", method: after.Method()}
	if len(after.Reversals) > 0 {
		e.operation = "reversal"
	}
	switch {
	case after.State == before.State:
		return
	case after.State == payment.StateUnknown:
		e.outcome = "unknown"
	case after.State == payment.StateReversed, after.State == payment.StateReturned, after.State == payment.StateConfirmed && len(after.Reversals) == 0:
		e.outcome = "approved"
	case after.State == payment.StateRefused, after.State == payment.StateConfirmed && word == payment.Declined:
		e.outcome = "refused"
	case after.State == payment.StateCancelled, after.State == payment.StateConfirmed: // a reversal that nobody wanted any more
		e.outcome = "cancelled"
	case after.State == payment.StateUndone:
		e.outcome = "undone"
	}
	if count := m.paid[e]; count != nil { // else it is a step on the way
		count.Inc()
	}
}

// print counts a job that ended with err.
func (m *meter) print(kind printing.Kind, err error) {
	if err == nil {
		m.printed[kind].Inc()
		return
	}
	for _, u := range m.unprinted {
		if u.why == nil || errors.Is(err, u.why) {
			u.count.Inc()
			return
		}
	}
}

// busyTime adds up how long operations have held the terminal.
type busyTime struct {
	mu    sync.Mutex
	since time.Time // of the one that holds it now; zero: none does
	past  time.Duration
}

// changed takes over how the gate is now. One that was left and taken again meanwhile counts as held all along.
func (b *busyTime) changed(busy func() bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch now := busy(); {
	case now && b.since.IsZero():
		b.since = time.Now()
	case !now && !b.since.IsZero():
		b.past += time.Since(b.since)
		b.since = time.Time{}
	}
}

// total is in seconds; since is when the operation of now began, as Unix time, and 0 if there is none.
func (b *busyTime) total() (seconds, since float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.since.IsZero() {
		return b.past.Seconds(), 0
	}
	return (b.past + time.Since(b.since)).Seconds(), float64(b.since.UnixMilli()) / 1000
}

// gauge registers the values that are looked up at each scrape.
func (s *service) gauge(c Config, at place) {
	m, id := s.meter, s.Device.Identity
	gauge := func(name, help string, value func() float64, labels ...string) {
		m.Gauges(name, help).Value(value, labels...)
	}
	gauge("maquininha_build_info", "Sempre 1; o que importa está nos rótulos.", func() float64 { return 1 },
		"version", id.Version, "build", id.Build, "mode", id.Mode, "platform", id.Platform)
	gauge("maquininha_uptime_seconds", "Há quanto tempo o serviço está no ar.", func() float64 { return s.Device.Status().Uptime.Seconds() })
	m.Totals("maquininha_busy_seconds_total", "Tempo em que uma operação ocupou o terminal.").Value(func() float64 { total, _ := m.busy.total(); return total })
	gauge("maquininha_busy_since_timestamp_seconds", "Desde quando o terminal está ocupado agora; 0 se não está.",
		func() float64 { _, since := m.busy.total(); return since })
	gauge("maquininha_payments_unresolved", "Pagamentos e estornos ainda sem resposta do adquirente.", func() float64 { return float64(s.Payments.Unresolved()) })
	gauge("maquininha_foreground", "1 com o aplicativo em primeiro plano.", func() float64 { return oneIf(s.Screen.Foreground.Active()) })
	gauge("maquininha_screen_pages", "Páginas abertas da tela.", func() float64 { return float64(s.Screen.Foreground.State().Pages) })
	const open = "Conexões abertas, dos chamadores e da tela."
	gauge("maquininha_connections", open, func() float64 { callers, _ := at.connections(); return float64(callers) }, "side", "callers")
	gauge("maquininha_connections", open, func() float64 { _, screen := at.connections(); return float64(screen) }, "side", "screen")
	gauge("maquininha_hub_joined", "1 em um terminal que entrou em um hub.", func() float64 { return oneIf(at.hub.state() != hubNone) })
	gauge("maquininha_hub_connected", "1 com a conexão com o hub de pé.", func() float64 { return oneIf(at.hub.state() == hubUp) })
	gauge("maquininha_hub_refused", "1 quando o hub recusa este terminal: revogado ou desconhecido.", func() float64 {
		state := at.hub.state()
		return oneIf(state == hubRefused || state == hubRevoked)
	})
	const size = "Bytes em disco dos dados e dos logs."
	gauge("maquininha_store_bytes", size, func() float64 { return bytesOf(filepath.Join(c.Data, store.MainFile)) }, "store", "data")
	gauge("maquininha_store_bytes", size, func() float64 { return bytesOf(filepath.Join(c.Data, store.LogsFile)) }, "store", "logs")
	gauge("maquininha_disk_free_bytes", "Bytes livres no disco dos dados.", func() float64 { return diskFree(c.Data) })
	m.Process()
}

func oneIf(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// bytesOf is the size of a database on the disk, its write-ahead log included.
func bytesOf(path string) (bytes float64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(path + suffix); err == nil {
			bytes += float64(info.Size())
		}
	}
	return bytes
}
