//go:build !race || everything

package httpapi_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// What is kept of a body must not keep the body: fields that are passed over cost nothing once they are.
func TestItemsDoNotKeepTheirBodies(t *testing.T) {
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	waste := strings.Repeat("x", 900<<10)
	heap := func() uint64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := heap()
	for i := range 50 {
		m.unchecked("POST", "/sale/item", fmt.Sprintf(
			`{"id":"%d","code":"789","description":"Café","quantity":1,"unitPrice":1,"total":1,"desconhecido":"%s"}`, i, waste)).is(200, "Item adicionado com sucesso")
	}
	if grown := int64(heap()) - int64(before); grown > 20<<20 {
		t.Errorf("50 items with 900 KiB passed over hold %d MiB", grown>>20)
	}
}
