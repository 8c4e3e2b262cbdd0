//go:build !race

package httpapi_test

import (
	"math"
	"net/http/httptest"
	"testing"

	"github.com/maquininha/maquininha/internal/httpapi"
)

// The emulator is measured with no page open: then the panel must cost nothing. Under the race detector pools forget at random, so
// that allocations say nothing there.
func TestNothingIsRecordedForNobody(t *testing.T) {
	allocations := func(c *counter, method, path string) float64 {
		r := httptest.NewRequest(method, path, nil)
		r.SetBasicAuth(testUser, testPassword)
		least := math.Inf(1) // a collection in the middle empties pools
		for range 5 {
			least = min(least, testing.AllocsPerRun(200, func() { c.api.ServeHTTP(httptest.NewRecorder(), r) }))
		}
		return least
	}
	emulator, production := openCounter(t), openCounter(t, func(c *httpapi.Config) { c.Emulator = nil })
	// The log's writer runs beside it, so the count may be a little off.
	if with, without := allocations(emulator, "POST", "/ask/cancel"), allocations(production, "POST", "/ask/cancel"); with > without+1 {
		t.Errorf("a command takes %v allocations in the emulator, %v in production", with, without)
	}
	alone := allocations(emulator, "GET", "/info")
	defer emulator.screen.Foreground.OpenPage().Close()
	if polled := allocations(emulator, "GET", "/info"); polled > alone+1 {
		t.Errorf("a poll takes %v allocations with a page open, %v without", polled, alone)
	}
}
