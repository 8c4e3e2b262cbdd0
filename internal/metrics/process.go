package metrics

import "runtime/metrics"

// Process adds what is known of any process of ours.
func (m *Meter) Process() {
	m.Gauges("go_goroutines", "Goroutines do processo.").Value(func() float64 { return sample("/sched/goroutines:goroutines") })
	m.Gauges("go_memstats_heap_alloc_bytes", "Bytes de objetos na memória do processo.").Value(func() float64 { return sample("/memory/classes/heap/objects:bytes") })
	m.Gauges("go_memstats_sys_bytes", "Bytes que o processo pediu ao sistema.").Value(func() float64 { return sample("/memory/classes/total:bytes") })
}

func sample(name string) float64 {
	s := []metrics.Sample{{Name: name}}
	if metrics.Read(s); s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return float64(s[0].Value.Uint64())
}
