//go:build unix && (!race || everything)

package app_test

import (
	"strings"
	"testing"
)

// What the interface calls configurable can be configured.
func TestLimitsAreSettings(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), withSecret(), "--max-json", "2")
	long := `{"desconhecido":"` + strings.Repeat("a", 1<<20) + `"}`
	if status, body := p.call(t, "POST", "/sale", long); status != 200 {
		t.Errorf("a body of more than 1 MiB with --max-json 2: %d %s", status, body)
	}
	status, body := p.call(t, "PATCH", "/sale", `{"desconhecido":"`+strings.Repeat("a", 2<<20)+`"}`)
	if status != 413 || !strings.Contains(body, "2 MiB") {
		t.Errorf("a body of more than 2 MiB: %d %s", status, body)
	}
	p.terminate(t)
}
