//go:build unix && (!race || everything)

package httpapi_test

import (
	"io"
	"sync"
	"syscall"
	"testing"
	"time"
)

// BenchmarkLongSale says what a sale of 10,000 items costs in processor time: to read it, and to add one item more. Wall time would
// tell of the disk and of who else is at work.
func BenchmarkLongSale(b *testing.B) {
	m := start(b)
	send := func(method, path, body string) {
		req := m.request(method, path, body)
		resp, err := m.client.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != 200 {
			b.Fatal(resp.Status, err)
		}
	}
	const item = `{"code":"7891910000197","description":"Açúcar refinado 1 kg","quantity":2,"unitPrice":5.49,"discount":0.5,"total":10.48}`
	send("POST", "/sale", "{}")
	var cashiers sync.WaitGroup
	for range 20 {
		cashiers.Go(func() {
			for range 500 {
				send("POST", "/sale/item", item)
			}
		})
	}
	cashiers.Wait()
	for _, c := range []struct{ name, method, path, body string }{
		{"GET-sale", "GET", "/sale", ""},
		{"POST-item", "POST", "/sale/item", item},
	} {
		b.Run(c.name, func(b *testing.B) {
			before := processorTime(b)
			for b.Loop() {
				send(c.method, c.path, c.body)
			}
			b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
