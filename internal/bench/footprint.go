package main

import (
	"fmt"
	"os"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

// The goals of what the service takes.
const (
	startGoal  = 100 // ms
	memoryGoal = 30  // MiB
	sizeGoal   = 25  // MiB
)

// measureFootprint looks at the start, at memory after it, and at the binary. The data is that of a terminal which
// has been in use for weeks: it starts slowest and holds most.
func (b *bench) measureFootprint() ([]figures.Row, error) {
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
	ready := figures.Median(starts)
	return []figures.Row{
		{
			Measure: fmt.Sprintf("start to first answer, median of %d", b.starts), Value: fmt.Sprintf("%.0f ms", ready),
			Against: figures.Thousands(b.entries) + " log entries", Goal: fmt.Sprintf("≤ %d ms", startGoal), OK: ready <= startGoal,
		},
		memory,
		{
			Measure: "binary size", Value: fmt.Sprintf("%.1f MiB", size), Goal: fmt.Sprintf("≤ %d MiB", sizeGoal), OK: size <= sizeGoal,
		},
	}, nil
}

// measureMemory lets the service sell something, so that what it keeps from then on is there, and then rest.
func (b *bench) measureMemory(s *rig.Server) (figures.Row, error) {
	r := figures.Row{
		Measure: "resident memory, idle", Against: figures.Thousands(b.entries) + " log entries", Goal: fmt.Sprintf("≤ %d MiB", memoryGoal),
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
		r.Value = "not measured: " + err.Error()
		return r, nil
	}
	r.Value, r.OK = fmt.Sprintf("%.1f MiB", resident), resident <= memoryGoal
	return r, nil
}
