package app

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/hub/retention"
	"github.com/maquininha/maquininha/internal/metrics"
)

// KeepFlags name the rules, in whole days.
var KeepFlags = map[retention.Kind]string{
	retention.Transactions: "transaction-days", retention.Logs: "log-days", retention.Operations: "operation-days", retention.Audit: "audit-days",
}

const (
	day      = 24 * time.Hour
	mostDays = 36500
)

// Days are rules in whole days; 0: for ever.
func Days(all map[retention.Kind]int) retention.Rules {
	rules := retention.Rules{}
	for k, n := range all {
		rules[k] = time.Duration(n) * day
	}
	return rules
}

func checkKeep(r retention.Rules) error {
	for _, k := range retention.Kinds {
		if r[k] < 0 || r[k] > mostDays*day || r[k]%day != 0 {
			return configfile.Refuse(KeepFlags[k], "deve ficar entre 0 e %d dias; 0 guarda para sempre", mostDays)
		}
	}
	return nil
}

// sweep forgets what is older than it is kept for, again and again.
func (a *App) sweep(ctx context.Context) {
	for ctx.Err() == nil {
		_, untold := a.webhooks.Sweep(ctx)
		if err := errors.Join(a.retention.Sweep(ctx), untold); err != nil && ctx.Err() == nil {
			a.log.Warn("o que é antigo não pôde ser apagado", "motivo", words(err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Hour):
		}
	}
}

// forgottenCounter counts what is forgotten.
func forgottenCounter(m *metrics.Meter) func(retention.Kind, int) {
	family := m.Totals("maquininha_hub_forgotten_total", "Registros apagados por serem mais velhos do que são guardados.")
	counters := map[retention.Kind]*metrics.Counter{}
	for _, k := range retention.Kinds {
		counters[k] = family.Counter("kind", string(k))
	}
	return func(k retention.Kind, n int) { counters[k].Add(n) }
}

// gaugeRetention registers what retention goes by, and when it was last through.
func (a *App) gaugeRetention() {
	kept := a.meter.Gauges("maquininha_hub_retention_seconds", "Por quanto tempo os registros são guardados; 0: para sempre.")
	for _, k := range retention.Kinds {
		kept.Value(func() float64 { return a.retention.Kept(k).Seconds() }, "kind", string(k))
	}
	a.meter.Gauges("maquininha_hub_retention_last_seconds", "Quando o que é antigo foi apagado por último, em segundos desde 1970; 0: ainda não desde o início.").Value(func() float64 {
		if last := a.retention.Last(); !last.IsZero() {
			return float64(last.Unix())
		}
		return 0
	})
}
