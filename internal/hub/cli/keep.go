package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/retention"
)

// Keep is for how many days things are kept. The records of money stay unless somebody says otherwise.
type Keep struct {
	TransactionDays int `default:"0" env:"MAQUININHA_HUB_TRANSACTION_DAYS" toml:"retention.transactions" placeholder:"N" help:"Por quantos dias guardar as transações, desde a última mudança; 0, o padrão, é para sempre. As que não têm desfecho ficam."`
	LogDays         int `default:"90" env:"MAQUININHA_HUB_LOG_DAYS" toml:"retention.logs" placeholder:"N" help:"Por quantos dias guardar o log dos terminais; 0 é para sempre."`
	OperationDays   int `default:"7" env:"MAQUININHA_HUB_OPERATION_DAYS" toml:"retention.operations" placeholder:"N" help:"Por quantos dias guardar as operações assíncronas que terminaram, e reconhecer a Idempotency-Key delas; 0 é para sempre."`
	AuditDays       int `default:"0" env:"MAQUININHA_HUB_AUDIT_DAYS" toml:"retention.audit" placeholder:"N" help:"Por quantos dias guardar a auditoria; 0, o padrão, é para sempre."`
}

// Configured are the rules.
func (k Keep) Configured() retention.Rules {
	return app.Days(map[retention.Kind]int{
		retention.Transactions: k.TransactionDays, retention.Logs: k.LogDays, retention.Operations: k.OperationDays, retention.Audit: k.AuditDays,
	})
}

// keptWords say for how long everything is kept.
func keptWords(rules retention.Rules) string {
	var all []string
	for _, kind := range []struct {
		of   retention.Kind
		name string
	}{
		{retention.Transactions, "transações"},
		{retention.Logs, "logs"},
		{retention.Operations, "operações"},
		{retention.Audit, "auditoria"},
	} {
		long := "para sempre"
		if kept := rules[kind.of]; kept > 0 {
			long = console.Amount(int(kept/(24*time.Hour)), "dia", "dias")
		}
		all = append(all, fmt.Sprintf("%s %s", kind.name, long))
	}
	return strings.Join(all, ", ")
}
