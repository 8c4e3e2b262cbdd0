//go:build !race || everything

package screenui_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/rig"
)

func TestTwoPagesShowTheSame(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	first := handheld(t, m)
	second := first.another(browsertest.Window(1024, 768))
	both := func(do func(*page)) { do(first); do(second) }
	m.must("POST", "/sale", object{"customerName": "Ana"})
	both(func(p *page) { p.says(`[data-view="sale"] h1`, "Ana") })
	id := m.must("POST", "/sale/item", item("Café"))["itemId"].(string)
	both(func(p *page) { p.says(`[data-item="`+id+`"]`, "Café") })
	m.must("PATCH", "/sale/item/"+id, object{"description": "Chá"})
	both(func(p *page) { p.says(`[data-item="`+id+`"]`, "Chá") })

	held := m.hold("/ask", object{"question": object{"question": "Nota?", "type": "NUMBER"}})
	both(func(p *page) { p.view("question") })
	second.pad("7")
	second.push("confirm")
	both(func(p *page) { p.view("sale") })
	if a := m.ends(held); a.object()["value"] != "7" {
		t.Errorf("the caller got %s", a.body)
	}

	held = m.hold("/transaction", paying("99", 11))
	both(func(p *page) { p.step("choose") })
	first.push("choose-pix")
	both(func(p *page) { p.step("pix") })
	second.push("cancel")
	both(func(p *page) { p.verdict("cancelled", "R$ 11,00") })
	m.paid(held, 403, "Transação cancelada")
	second.dismiss()
	both(func(p *page) { p.view("sale") })
}

// cart opens a sale with so many items.
func (m *terminal) cart(items int) {
	m.t.Helper()
	m.must("POST", "/sale", object{"customerName": "Ana"})
	for i := range items {
		m.must("POST", "/sale/item", item(fmt.Sprint("Item ", i+1)))
	}
}

func TestServiceStartsAgainUnderAnOpenPage(t *testing.T) {
	t.Parallel()
	m := start(t, placed)
	p := handheld(t, m)
	m.cart(30)
	p.says(".sale-count", "30 itens")
	m.stop()
	p.says(".lost", "Reconectando")
	m = m.again()
	p.m = m
	p.lacks(".lost")
	p.says(".sale-count", "30 itens")
	m.must("POST", "/sale/item", item("Depois"))
	p.says(".sale-count", "31 itens")
	p.says(`.vlist-row:last-child`, "Depois")
	m.until("the page is in the foreground again", m.active)

	// A question and a payment end with the service; the page must not go on showing them.
	held := m.hold("/ask", object{"question": object{"type": "CPF"}})
	p.view("question")
	m.stop()
	m.ends(held)
	m.again()
	p.view("sale")
	p.leave()
}

func TestProgramKilledUnderAnOpenPage(t *testing.T) {
	t.Parallel()
	m := startProgram(t)
	p := handheld(t, m.terminal)
	m.cart(30)
	p.says(".sale-count", "30 itens")
	m.stop()
	p.says(".lost", "Reconectando")
	m.startAgain()
	p.lacks(".lost")
	p.says(".sale-count", "30 itens")
	p.says(`[data-view="sale"] h1`, "Ana")
	p.do(chromedp.Evaluate(`document.querySelector(".vlist-box").scrollTop = 0`, nil))
	p.says(`.vlist-row:first-child`, "Item 1")
	m.must("POST", "/sale/item", item("Depois"))
	p.says(".sale-count", "31 itens")
	p.leave()
}

// program is the real thing, in a process of its own.
type program struct {
	*terminal
	path       string
	args, envs []string
}

// startProgram starts it; stop kills it, as a power cut does.
func startProgram(t *testing.T) *program {
	t.Helper()
	path := apptest.Program(t)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	m := &program{
		path: path, args: []string{"--data", t.TempDir(), "--operator", "human", "--no-setup", "--no-desktop-notifications"},
		envs:     append(os.Environ(), "MAQUININHA_USERNAME="+testUser, "MAQUININHA_PASSWORD="+testPassword),
		terminal: &terminal{t: t, client: &http.Client{Transport: transport}},
	}
	m.run(rig.FreeAddress(), rig.FreeAddress())
	return m
}

// startAgain starts it where it was: its page and its callers know no other address.
func (m *program) startAgain() {
	m.t.Helper()
	m.run(strings.TrimPrefix(m.api, "http://"), strings.TrimPrefix(m.screen, "http://"))
}

// said are the addresses in what it says once it listens.
var said = regexp.MustCompile(`(?s)\bAPI\s+(http://\S+).*\bTela\s+(http://[^/\s]+)\s`)

func (m *program) run(api, screen string) {
	m.t.Helper()
	cmd := exec.Command(m.path, append([]string{"--listen", api, "--screen", screen}, m.args...)...)
	var out output
	cmd.Env, cmd.Stdout, cmd.Stderr = m.envs, &out, &out
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.stop = sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // SIGKILL: nothing in it can prepare for it
		_ = cmd.Wait()         // says that it was killed
	})
	m.t.Cleanup(m.stop)
	m.t.Cleanup(func() {
		if m.t.Failed() {
			m.t.Logf("the program said:\n%s", out.text())
		}
	})
	m.until("the program says where it is", func() bool { return said.MatchString(out.text()) })
	at := said.FindStringSubmatch(out.text())
	m.api, m.screen = at[1], at[2]
}

// output is what a process has said so far.
type output struct {
	mu   sync.Mutex
	said bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.said.Write(p)
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.said.String()
}
