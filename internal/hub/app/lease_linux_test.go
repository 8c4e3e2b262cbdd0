package app_test

import (
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// metric is a value that a hub of several tells; -1: it tells none.
func (f *fleetOf) metric(t *testing.T, i int, name string) float64 {
	t.Helper()
	_, body := ask(t, f.client, "GET", "https://"+f.configs[i].Listen+"/metrics", f.key)
	found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(body)
	if found == nil {
		return -1
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(found, err)
	}
	return value
}

// A hub among others tells how its lease stands, and counts vain renewals.
func TestLeaseMetrics(t *testing.T) {
	cluster := hubtest.StartPostgres(t)
	database := cluster.Database(t)
	f := startSeveral(t, 2, patient, func(int) string { return database }, newCounter())
	if left := f.metric(t, 0, "maquininha_hub_lease_seconds"); left <= 0 || left > patient.Lasts.Seconds() {
		t.Errorf("the lease holds for %v s", left)
	}
	if hubs, failures := f.metric(t, 0, "maquininha_hub_hubs"), f.metric(t, 0, "maquininha_hub_lease_failures_total"); hubs != 2 || failures != 0 {
		t.Errorf("%v hubs, %v failures", hubs, failures)
	}
	f.hubs[1].stop()
	waittest.Until(t, "the other is gone", func() bool { return f.metric(t, 0, "maquininha_hub_hubs") == 1 })
	cluster.Signal(syscall.SIGQUIT)
	waittest.Until(t, "renewals are vain", func() bool {
		return f.metric(t, 0, "maquininha_hub_lease_failures_total") > 0 && f.metric(t, 0, "maquininha_hub_hubs") == 0
	})
}
