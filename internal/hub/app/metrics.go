package app

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
	"github.com/maquininha/maquininha/internal/metrics"
)

// gauge registers the values that are looked up at each scrape.
func (a *App) gauge() {
	gauge := func(name, help string, value func() float64, labels ...string) {
		a.meter.Gauges(name, help).Value(value, labels...)
	}
	gauge("maquininha_hub_build_info", "Sempre 1; o que importa está nos rótulos.", func() float64 { return 1 },
		"version", a.config.Version, "build", a.config.Build, "platform", runtime.GOOS+"/"+runtime.GOARCH)
	gauge("maquininha_hub_uptime_seconds", "Há quanto tempo o hub está no ar.", func() float64 { return time.Since(a.started).Seconds() })
	gauge("maquininha_hub_terminals_online", "Terminais ligados a este hub.", func() float64 { return float64(a.board.Online()) })
	gauge("maquininha_hub_connections", "Conexões abertas: terminais, chamadores e pessoas.", func() float64 { return float64(a.limiter.Count()) })
	gauge("maquininha_hub_database_up", "1 se o banco de dados responde.", func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), pingPatience)
		defer cancel()
		if a.store.Ping(ctx) != nil {
			return 0
		}
		return 1
	})
	if a.config.Database == "" {
		gauge("maquininha_hub_store_bytes", "Bytes em disco dos registros.", func() float64 { return bytesOf(filepath.Join(a.config.Data, store.File)) })
	}
	a.gaugeWebhooks()
	a.gaugeRetention()
	a.neighbours.gauge(a.meter, a.store)
	a.meter.Process()
}

// keptCounter counts the records that are read from terminals.
func keptCounter(m *metrics.Meter) func(records.Kind, int) {
	family := m.Totals("maquininha_hub_records_total", "Registros lidos dos terminais e gravados: linhas do livro de transações e do log.")
	counters := map[records.Kind]*metrics.Counter{}
	for _, kind := range []records.Kind{records.Ledger, records.Log} {
		counters[kind] = family.Counter("kind", string(kind))
	}
	return func(kind records.Kind, n int) { counters[kind].Add(n) }
}

// triedCounter counts attempts to tell webhooks.
func triedCounter(m *metrics.Meter) func(webhooks.State) {
	family := m.Totals("maquininha_hub_webhook_deliveries_total", "Tentativas de entregar eventos a webhooks, pelo que deu: entregue, a tentar de novo, desistiu.")
	counters := map[webhooks.State]*metrics.Counter{}
	for state, outcome := range map[webhooks.State]string{webhooks.Delivered: "delivered", webhooks.Pending: "retried", webhooks.Failed: "failed"} {
		counters[state] = family.Counter("outcome", outcome)
	}
	return func(s webhooks.State) { counters[s].Inc() }
}

// gaugeWebhooks shows what is still to be told, at whichever hub; nothing while the database is away.
func (a *App) gaugeWebhooks() {
	backlog := func(of func(pending int, oldest time.Time) float64) func() float64 {
		return func() float64 {
			ctx, cancel := context.WithTimeout(context.Background(), pingPatience)
			defer cancel()
			pending, oldest, err := a.webhooks.Backlog(ctx)
			if err != nil {
				return math.NaN()
			}
			return of(pending, oldest)
		}
	}
	a.meter.Gauges("maquininha_hub_webhook_pending", "Entregas a webhooks que ainda esperam, de todos os hubs.").
		Value(backlog(func(pending int, _ time.Time) float64 { return float64(pending) }))
	a.meter.Gauges("maquininha_hub_webhook_oldest_seconds", "Há quanto tempo aconteceu o evento mais antigo que ainda espera entrega; 0: nenhum espera.").
		Value(backlog(func(_ int, oldest time.Time) float64 {
			if oldest.IsZero() {
				return 0
			}
			return time.Since(oldest).Seconds()
		}))
}

// pingPatience is how long the database may take to say that it is there.
const pingPatience = 5 * time.Second

// bytesOf is the size of a database on the disk, its write-ahead log included.
func bytesOf(path string) (bytes float64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(path + suffix); err == nil {
			bytes += float64(info.Size())
		}
	}
	return bytes
}
