package main

import (
	"fmt"
	"os"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
)

// The goals of what the service takes.
const (
	startGoal  = 100 // ms
	memoryGoal = 30  // MiB
	sizeGoal   = 25  // MiB
)

// measureFootprint looks at the start, at memory after it, and at the binary. The data is that of a terminal which
// has been in use for weeks: it starts slowest and holds most.
func (b *bench) measureFootprint() ([]row, error) {
	if b.bigLog == "" { // the search, whose log it is, was not measured
		if _, err := b.fillBigLog(os.DevNull); err != nil {
			return nil, err
		}
	}
	var starts []float64
	var service *rig.Server
	for n := range b.starts {
		var err error
		if service, err = b.service(b.bigLog); err != nil {
			return nil, err
		}
		starts = append(starts, float64(service.Ready)/float64(time.Millisecond))
		if n == b.starts-1 {
			break // this one stays, for its memory
		}
		if err := service.Stop(); err != nil {
			return nil, err
		}
	}
	defer service.Stop() //nolint:errcheck // nothing more is asked of it
	memory, err := b.measureMemory(service)
	if err != nil {
		return nil, err
	}
	binary, err := os.Stat(b.binary)
	if err != nil {
		return nil, err
	}
	size := float64(binary.Size()) / (1 << 20)
	ready := median(starts)
	return []row{
		{
			measure: fmt.Sprintf("start to first answer, median of %d", b.starts), value: fmt.Sprintf("%.0f ms", ready),
			against: thousands(b.entries) + " log entries", goal: fmt.Sprintf("≤ %d ms", startGoal), ok: ready <= startGoal,
		},
		memory,
		{
			measure: "binary size", value: fmt.Sprintf("%.1f MiB", size), goal: fmt.Sprintf("≤ %d MiB", sizeGoal), ok: size <= sizeGoal,
		},
	}, nil
}

// measureMemory lets the service sell something, so that what it keeps from then on is there, and then rest.
func (b *bench) measureMemory(s *rig.Server) (row, error) {
	r := row{
		measure: "resident memory, idle", against: thousands(b.entries) + " log entries", goal: fmt.Sprintf("≤ %d MiB", memoryGoal),
	}
	if _, err := rig.Send(s.Address, openSale, addItem, addItem, addItem, rig.Request("GET", "/sale", ""),
		rig.Request("POST", "/sale/payment", `{"tPag":"pix","value":31.44}`), rig.Request("POST", "/sale/finalize", ""), rig.GetStatus); err != nil {
		return r, err
	}
	select {
	case <-time.After(b.idle):
	case <-b.ctx.Done():
		return r, b.ctx.Err()
	}
	resident, err := rig.ResidentMiB(s.Process.Pid)
	if err != nil {
		r.value = "not measured: " + err.Error()
		return r, nil
	}
	r.value, r.ok = fmt.Sprintf("%.1f MiB", resident), resident <= memoryGoal
	return r, nil
}
