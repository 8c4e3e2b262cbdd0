//go:build unix

package app_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
)

// Another bank, or another folder, knows nothing of what went to the first: it is asked neither to undo nor to give back.
func TestAnotherPartyIsAnotherAcquirer(t *testing.T) {
	t.Parallel()
	term, _, _ := shopWithBoth(t)
	term.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"cartão"}`)
	term.ok(t, "POST", "/transaction", `{"tPag":"17","amount":10.00,"referenceId":"pix"}`)
	must(t, term.stop())
	c := term.config
	c.Acquirers.TEF.Dir = t.TempDir()
	c.Acquirers.PSP.ClientID = "outra"
	moved := start(t, c)
	for _, reference := range []string{"cart%C3%A3o", "pix"} {
		status, body := moved.call(t, "POST", "/transaction/"+reference+"/reversal", "")
		if status != http.StatusServiceUnavailable || !strings.Contains(body, "O adquirente desta transação não está configurado") {
			t.Errorf("%s: %d %s", reference, status, body)
		}
	}
}

func TestOneTerminalATEFFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	with := func() app.Config {
		c := config(filepath.Join(t.TempDir(), "data"))
		c.Acquirers = app.Acquirers{Card: "tef", TEF: app.TEF{Profile: "paygo", Dir: folder}}
		return c
	}
	first := start(t, with())
	if _, err := app.New(with()); err == nil || !strings.Contains(err.Error(), "em uso por outro terminal") {
		t.Errorf("a second one: %v", err)
	}
	must(t, first.stop())
	must(t, start(t, with()).stop())
}
