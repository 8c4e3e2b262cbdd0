//go:build !windows

package tef

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// counter is a terminal in a process of its own, with a manager beside it.
type counter struct {
	t             *testing.T
	manager, data string
	listen, base  string
	kill          func()
}

func atCounter(t *testing.T, profile string, pinpad time.Duration) *counter {
	t.Helper()
	c := &counter{t: t, manager: filepath.Join(t.TempDir(), "tef"), data: t.TempDir(), listen: rig.FreeAddress()}
	ctx, stop := context.WithCancel(context.Background())
	done, ready := make(chan error, 1), make(chan struct{})
	go func() {
		done <- tefsim.Run(ctx, tefsim.Config{Dir: c.manager, As: profile, Ledger: c.books(), Pinpad: pinpad, Ready: func() { close(ready) }})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-ready
	c.serve(profile)
	return c
}

func (c *counter) books() string { return filepath.Join(c.manager, "livro.jsonl") }

func (c *counter) serve(profile string) {
	c.t.Helper()
	c.base, c.kill = clitest.ServingAt(c.t, c.data, c.listen, "--acquirer-card", "tef", "--acquirer-pix", "none", "--tef-dir", c.manager, "--tef-profile", profile)
}

// get reads an answer.
func get[T any](c *counter, path string) (v T) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.base+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	r.SetBasicAuth("admin", "segredo")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
		c.t.Fatal(err)
	}
	return v
}

func (c *counter) sell(reference string) {
	c.t.Helper()
	if status := clitest.Ask(c.t, http.MethodPost, c.base+"/transaction", `{"tPag":"03","amount":12.34,"referenceId":"`+reference+`"}`); status != http.StatusOK {
		c.t.Fatalf("%s: %d", reference, status)
	}
}

func (c *counter) status(reference string) string {
	c.t.Helper()
	return get[struct{ Details struct{ Status string } }](c, "/transaction/"+reference).Details.Status
}

func (c *counter) steer(o tefsim.Case) {
	c.t.Helper()
	if err := tefsim.Steer(c.manager, tefsim.Order{Command: "ADM", Case: o}); err != nil {
		c.t.Fatal(err)
	}
}

// orders are those that no request has come for.
func (c *counter) orders() []byte {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.manager, tefsim.Control))
	if err != nil {
		c.t.Fatal(err)
	}
	return text
}

// account is the manager's only sale, and whether nothing waits there for a word.
func (c *counter) account() (tefsim.Account, bool) {
	c.t.Helper()
	b, err := tefsim.ReadBalance(c.books())
	if err != nil {
		c.t.Fatal(err)
	}
	if len(b.Accounts) != 1 || len(b.Protests) > 0 {
		c.t.Fatalf("%+v", b)
	}
	return b.Accounts[0], !b.Accounts[0].Open && len(b.Waiting) == 0
}

// The menu prints again, cancels a sale that then is reversed here too, and says what it could not do.
func TestAdmin(t *testing.T) {
	t.Parallel()
	for _, profile := range tefsim.Vendors {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			c := atCounter(t, profile, 0)
			c.sell("venda")
			clitest.Wants(t, clitest.Output(t, "tef", "admin", "--data", c.data), "LOJA DO SIMULADOR", "Concluído: COMPROVANTE REIMPRESSO")
			if got := c.status("venda"); got != "approved" {
				t.Errorf("after a reprint: %s", got)
			}
			c.steer(tefsim.Refuse)
			clitest.Wants(t, clitest.Complaint(t, "tef", "admin", "--data", c.data), "Não foi feito: FUNÇÃO NÃO DISPONÍVEL")
			c.steer(tefsim.Cancel)
			clitest.Wants(t, clitest.Complaint(t, "tef", "admin", "--data", c.data), "Encerrado sem operação")
			c.steer(tefsim.Reverse)
			clitest.Wants(t, clitest.Output(t, "tef", "admin", "--data", c.data), "Concluído")
			if got := c.status("venda"); got != "reversed" {
				t.Errorf("cancelled in the menu: %s", got)
			}
			waittest.Until(t, "the manager waits for nothing", func() bool { _, quiet := c.account(); return quiet })
			if a, _ := c.account(); a.Standing() {
				t.Errorf("%+v", a)
			}
		})
	}
}

// Only one thing at a time is done at the terminal, and callers see what.
func TestAdminAndOthers(t *testing.T) {
	t.Parallel()
	c := atCounter(t, "paygo", time.Hour)
	menu := clitest.Start(t, "tef", "admin", "--data", c.data)
	menu.Sees("o terminal abre o menu do gerenciador TEF")
	c.untilOpen()
	if status := clitest.Ask(t, http.MethodPost, c.base+"/transaction", `{"tPag":"03","amount":1}`); status != http.StatusServiceUnavailable {
		t.Errorf("a sale beside the menu: %d", status)
	}
	busy := clitest.Complaint(t, "tef", "admin", "--data", c.data)
	clitest.Wants(t, busy, "Há uma operação em andamento")
	if strings.Contains(busy, "abre o menu") {
		t.Errorf("it says that it opens what it does not: %s", busy)
	}
	c.kill()
	menu.Sees("o terminal parou antes de o menu ser encerrado")
	clitest.Wants(t, clitest.Complaint(t, "tef", "admin", "--data", c.data), "o terminal não está no ar")
}

func TestAdminWithoutMenu(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Serving(t, dir)
	clitest.Wants(t, clitest.Complaint(t, "tef", "admin", "--data", dir), "Nenhum adquirente deste terminal tem um menu próprio")
}

func (c *counter) untilOpen() {
	c.t.Helper()
	waittest.Until(c.t, "the menu is open", func() bool {
		return get[struct{ Operation *struct{ Kind, Step string } }](c, "/operation").Operation != nil &&
			get[struct{ Operation struct{ Kind, Step string } }](c, "/operation").Operation == struct{ Kind, Step string }{"menu", "menu"}
	})
}

// The terminal is killed while somebody cancels a sale in the menu: whatever came of it, both ledgers say the same.
func TestAdminKilled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		profile string
		order   tefsim.Case
	}{{"connecttef", tefsim.Reverse}, {"paygo", tefsim.ReverseFinal}, {"elgin", tefsim.Reverse}} {
		t.Run(c.profile+" "+string(c.order), func(t *testing.T) {
			t.Parallel()
			k := atCounter(t, c.profile, 2*time.Second)
			k.sell("venda")
			k.steer(c.order)
			clitest.Start(t, "tef", "admin", "--data", k.data)
			waittest.Until(t, "the manager has the request", func() bool { return len(k.orders()) == 0 })
			k.kill()
			waittest.Until(t, "the manager has cancelled the sale", func() bool { a, _ := k.account(); return a.Cancelled })
			k.serve(c.profile)
			waittest.Until(t, "nothing is left open", func() bool { _, quiet := k.account(); return quiet })
			waittest.Until(t, "both say the same", func() bool {
				a, _ := k.account()
				return k.status("venda") == map[bool]string{true: "approved", false: "reversed"}[a.Standing()]
			})
			if a, _ := k.account(); c.order == tefsim.ReverseFinal && a.Standing() {
				t.Errorf("what was final was taken back: %+v", a)
			}
		})
	}
}
