package screenui_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/browsertest"
)

func TestTwoPagesShowTheSame(t *testing.T) {
	t.Parallel()
	m := start(t)
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
	m := start(t)
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

// startProgram builds it and starts it; stop kills it, as a power cut does.
func startProgram(t *testing.T) *program {
	t.Helper()
	path := apptest.Program(t)
	api, screen := freeAddress(t), freeAddress(t)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	m := &program{
		path: path, args: []string{"--listen", api, "--screen", screen, "--data", t.TempDir(), "--operator", "human", "--no-setup", "--no-desktop-notifications"},
		envs:     append(os.Environ(), "MAQUININHA_USERNAME="+testUser, "MAQUININHA_PASSWORD="+testPassword),
		terminal: &terminal{t: t, api: "http://" + api, screen: "http://" + screen, client: &http.Client{Transport: transport}},
	}
	m.startAgain()
	return m
}

func (m *program) startAgain() {
	m.t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(m.path, m.args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = m.envs, &out, &out
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	var killed bool
	m.stop = func() {
		if !killed {
			killed = true
			_ = cmd.Process.Kill() // SIGKILL: nothing in it can prepare for it
			_ = cmd.Wait()         // says that it was killed
		}
	}
	m.t.Cleanup(m.stop)
	for range 600 {
		r, err := m.client.Get(m.api + "/")
		if err == nil {
			r.Body.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	m.stop()
	m.t.Fatalf("it does not answer:\n%s", &out)
}

// freeAddress is one that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
