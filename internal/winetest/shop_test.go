package winetest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/waittest"
	"github.com/maquininha/maquininha/internal/winetest"
)

// accented is a folder as shops have them.
const accented = `C:\Loja São João (matriz)`

// shop is a terminal on a machine of Windows, with its caller.
type shop struct {
	*winetest.Machine
	t        *testing.T
	program  string
	listen   string
	password string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	return &shop{Machine: winetest.New(t), t: t, listen: rig.FreeAddress()}
}

// flags are for init: nobody pays while a test runs, and no two tests want one port.
func (s *shop) flags() string {
	return "--autopilot-delay 1h --listen " + s.listen + " --screen " + rig.FreeAddress()
}

var shownPassword = regexp.MustCompile(`Senha +(\S+)`)

// learnPassword has the service make one.
func (s *shop) learnPassword(more ...string) {
	s.t.Helper()
	found := shownPassword.FindStringSubmatch(s.Says(0, "Senha", s.program, append([]string{"service", "password"}, more...)...))
	if found == nil {
		s.t.Fatal("no password was shown")
	}
	s.password = found[1]
}

// ask sends a request and returns the answer, empty when there was none.
func (s *shop) ask(method, path, body string) (status int, answer string) {
	r, err := http.NewRequest(method, "http://"+s.listen+path, strings.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return 0, ""
	}
	r.SetBasicAuth("admin", s.password)
	r.Close = true
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return 0, ""
	}
	return got.StatusCode, string(text)
}

// ok is ask for what must succeed.
func (s *shop) ok(method, path, body string) string {
	s.t.Helper()
	status, answer := s.ask(method, path, body)
	if status != http.StatusOK {
		s.t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	return answer
}

// ring rings up a sale.
func (s *shop) ring() {
	s.t.Helper()
	s.ok("POST", "/sale", `{"customerName":"José da Conceição"}`)
	s.ok("POST", "/sale/item", `{"id":"1","code":"7","description":"Pão de açúcar","quantity":2,"unitPrice":5.50,"total":11.00}`)
}

// pay begins a payment that nobody ends, and returns once it is on the screen; what it was answered comes later.
func (s *shop) pay(reference string) (answered chan string) {
	s.t.Helper()
	answered = make(chan string, 1)
	go func() {
		_, answer := s.ask("POST", "/transaction", `{"tPag":"03","amount":11.00,"referenceId":"`+reference+`"}`)
		answered <- answer
	}()
	waittest.Until(s.t, "a payment is under way", func() bool {
		_, info := s.ask("GET", "/info", "")
		return strings.Contains(info, `"isBusy":true`)
	})
	return answered
}

type transaction struct {
	Details struct{ ReferenceID, Status string }
}

// transactions are those the terminal knows.
func (s *shop) transactions() (all []transaction) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.ok("GET", "/transaction", "")), &all); err != nil {
		s.t.Fatal(err)
	}
	return all
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestMain(m *testing.M) { os.Exit(apptest.WithProgram(m)) }
