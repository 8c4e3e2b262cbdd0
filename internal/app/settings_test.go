//go:build unix

package app_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

// operator stands in front of the screen.
type operator struct {
	base   string
	client *http.Client
}

func operatorOf(t *testing.T, term *terminal) operator {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	_, screen := term.app.Addresses()
	return operator{"http://" + screen.String(), &http.Client{Transport: transport, Jar: jar}}
}

func (o operator) send(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, o.base+path, strings.NewReader(body))
	must(t, err)
	req.Header.Set("Content-Type", "application/json")
	if method != http.MethodGet {
		req.Header.Set("Origin", o.base)
	}
	resp, err := o.client.Do(req)
	must(t, err)
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	must(t, err)
	return resp.StatusCode, string(got)
}

func (o operator) want(t *testing.T, status int, method, path, body string) string {
	t.Helper()
	got, text := o.send(t, method, path, body)
	if got != status {
		t.Fatalf("%s %s %s: %d %s, want %d", method, path, body, got, text, status)
	}
	return text
}

type seen struct {
	User, Name, Locale, Printer, Acquirer string
	Fixed                                 []string
}

func (o operator) settings(t *testing.T) (s seen) {
	t.Helper()
	must(t, json.Unmarshal([]byte(o.want(t, 200, "GET", "/settings", "")), &s))
	return s
}

// unconfigured leaves to the operator what the command line could decide.
func unconfigured(data string) app.Config {
	c := config(data)
	c.Username, c.Password, c.PaperWidth = "", "", 0
	return c
}

const firstStart = `{"user":"caixa","password":"segrêdo-123","passwordAgain":"segrêdo-123","name":"Padaria São João","pin":"4711","printer":"virtual-384","acquirer":"emulator","locale":"es"}`

type jobs []struct{ WidthDots int }

// narrowPaper returns once the restart is over that brings the printer of the first start.
func narrowPaper(t *testing.T, caller caller) {
	t.Helper()
	waittest.Until(t, "the narrow paper is in", func() bool {
		status, body := caller.call(t, "POST", "/print/text", `[{"text":{"value":"oi"}}]`)
		if status == http.StatusServiceUnavailable {
			return false // the restart is under way
		}
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
		return get[jobs](t, caller, "/emulator/printer/jobs")[0].WidthDots == 384
	})
}

func TestFirstStartOnTheScreen(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	term := start(t, unconfigured(data))
	op := operatorOf(t, term)
	if s := op.settings(t); s.User != "admin" || s.Printer != "virtual-576" || s.Acquirer != "emulator" || s.Locale != "pt-BR" || len(s.Fixed) != 0 {
		t.Errorf("before: %+v", s)
	}
	op.want(t, 422, "POST", "/settings/first", `{"user":"caixa"}`)
	op.want(t, 204, "POST", "/settings/first", firstStart)
	op.want(t, 409, "POST", "/settings/first", firstStart)
	op.want(t, 409, "POST", "/settings/first", `{"later":true}`)
	op.want(t, 403, "GET", "/settings", "")

	caller := term.as("caixa", "segrêdo-123")
	allowed(t, caller, true)
	allowed(t, term.as("admin", "segrêdo-123"), false)
	narrowPaper(t, caller)
	if info := caller.ok(t, "GET", "/info", ""); !strings.Contains(info, `"locale":"es"`) {
		t.Errorf("info %s", info)
	}
	must(t, term.stop())

	term = start(t, unconfigured(data))
	op = operatorOf(t, term)
	allowed(t, term.as("caixa", "segrêdo-123"), true)
	op.want(t, 403, "GET", "/settings", "")
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	text := op.want(t, 200, "GET", "/settings", "")
	for _, secret := range []string{"segrêdo", "4711", "$2a$", "hash", "token"} {
		if strings.Contains(text, secret) {
			t.Errorf("the settings say %q: %s", secret, text)
		}
	}
	if s := op.settings(t); s.User != "caixa" || s.Name != "Padaria São João" || s.Printer != "virtual-384" || s.Locale != "es" {
		t.Errorf("after a restart: %+v", s)
	}
	nowhere(t, data, "segrêdo-123")
	logs := term.as("caixa", "segrêdo-123").ok(t, "GET", "/logs", "")
	if !strings.Contains(logs, "configurações alteradas") {
		t.Error("the log does not tell of the change")
	}
	if strings.Contains(logs, "segrêdo-123") || strings.Contains(logs, "$2a$") {
		t.Error("the log tells a secret")
	}
}

func TestChangingSettings(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	term := start(t, unconfigured(data))
	op := operatorOf(t, term)
	op.want(t, 403, "POST", "/settings", `{"name":"x","locale":"en"}`) // only the language, before the first start
	op.want(t, 204, "POST", "/settings", `{"locale":"en"}`)
	op.want(t, 204, "POST", "/settings/first", firstStart)
	narrowPaper(t, term.as("caixa", "segrêdo-123")) // the restart locks the settings
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	if s := op.settings(t); s.Printer != "virtual-384" {
		t.Errorf("after the first start: %+v", s)
	}

	op.want(t, 204, "POST", "/settings", `{"user":"gerente"}`) // the password stays
	allowed(t, term.as("gerente", "segrêdo-123"), true)
	allowed(t, term.as("caixa", "segrêdo-123"), false)
	op.want(t, 204, "POST", "/settings", `{"password":"outra-senha"}`)
	allowed(t, term.as("gerente", "outra-senha"), true)
	allowed(t, term.as("gerente", "segrêdo-123"), false)
	op.want(t, 204, "POST", "/settings", `{"name":"Loja 2","locale":"pt-BR"}`)
	caller := term.as("gerente", "outra-senha")
	if info := caller.ok(t, "GET", "/info", ""); !strings.Contains(info, `"locale":"pt-BR"`) {
		t.Errorf("the language did not change at once: %s", info)
	}
	for field, body := range map[string]string{
		"user": `{"user":"a:b"}`, "password": `{"password":"curta"}`, "name": `{"name":"` + strings.Repeat("x", 41) + `"}`, "locale": `{"locale":"fr"}`,
		"printer": `{"printer":"laser"}`, "acquirer": `{"acquirer":"x"}`, "pin": `{"pin":"12a4"}`, "passwordAgain": `{"password":"12345678","passwordAgain":"12345679"}`,
	} {
		if got := op.want(t, 422, "POST", "/settings", body); !strings.Contains(got, `"field":"`+field+`"`) {
			t.Errorf("%s: %s", body, got)
		}
	}
	op.want(t, 400, "POST", "/settings", `{"user":1}`)
	op.want(t, 413, "POST", "/settings", `{"name":"`+strings.Repeat("x", 17<<10)+`"}`)
	allowed(t, caller, true)

	// A new acquirer waits for the operation under way.
	asked := caller.hold(t, "POST", "/transaction", transaction)
	waittest.Until(t, "the payment waits for a card", func() bool {
		return get[struct{ Payment struct{ Step string } }](t, caller, "/emulator/screen").Payment.Step == "card"
	})
	op.want(t, 422, "POST", "/settings", `{"acquirer":"none"}`)
	caller.ok(t, "POST", "/emulator/payment", `{"outcome":"approve"}`)
	<-asked
	op.want(t, 204, "POST", "/settings", `{"acquirer":"none"}`)
	waittest.Until(t, "there is no acquirer", func() bool {
		// Busy and stopping are 503 too.
		status, body := caller.call(t, "POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"none"}`)
		return status == http.StatusServiceUnavailable && strings.Contains(body, "Nenhum adquirente")
	})
	op.want(t, 403, "GET", "/settings", "") // a restart locks the settings
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	op.want(t, 204, "POST", "/settings", `{"pin":"00000000","printer":"none"}`)
	waittest.Until(t, "there is no printer", func() bool {
		status, _ := caller.call(t, "POST", "/print/text", `[{"text":{"value":"oi"}}]`)
		return status == http.StatusInternalServerError
	})
	op.want(t, 422, "POST", "/settings/unlock", `{"pin":"4711"}`)
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"00000000"}`)
	must(t, term.stop())

	// What the command line says wins and can't be changed; what is kept is not lost by it.
	fixed := config(data)
	fixed.Locale = "es"
	term = start(t, fixed)
	op = operatorOf(t, term)
	allowed(t, term.caller, true)
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"00000000"}`)
	if s := op.settings(t); s.User != user || s.Printer != "virtual-384" || s.Locale != "es" || strings.Join(s.Fixed, " ") != "user password locale printer" {
		t.Errorf("fixed: %+v", s)
	}
	for _, body := range []string{`{"user":"x"}`, `{"password":"12345678"}`, `{"locale":"en"}`, `{"printer":"virtual-384"}`} {
		op.want(t, 422, "POST", "/settings", body)
	}
	must(t, term.stop())
	must(t, app.ForgetPIN(app.Config{Data: data}))
	term = start(t, unconfigured(data))
	op = operatorOf(t, term)
	allowed(t, term.as("gerente", "outra-senha"), true)
	op.want(t, 409, "POST", "/settings/unlock", `{"pin":"00000000"}`)
	op.want(t, 204, "POST", "/settings/pin", `{"pin":"1234"}`)
	if s := op.settings(t); s.Printer != "none" || s.Acquirer != "none" || s.Locale != "pt-BR" {
		t.Errorf("kept: %+v", s)
	}
}

func TestFirstStartLeftForLater(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	term := start(t, unconfigured(data))
	op := operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/first", `{"later":true}`)
	op.want(t, 403, "GET", "/settings", "")
	op.want(t, 409, "POST", "/settings/unlock", `{"pin":""}`) // no PIN is not the empty PIN
	op.want(t, 422, "POST", "/settings/pin", `{"pin":"123"}`)
	op.want(t, 204, "POST", "/settings/pin", `{"pin":"1234"}`)
	op.want(t, 409, "POST", "/settings/pin", `{"pin":"9999"}`)
	if s := op.settings(t); s.User != "admin" || s.Name != "" {
		t.Errorf("%+v", s)
	}
	op.want(t, 204, "POST", "/settings/lock", "")
	op.want(t, 403, "GET", "/settings", "")
	must(t, term.stop())

	production := unconfigured(data)
	production.Mode, production.SkipSetup = app.Production, true
	op = operatorOf(t, start(t, production))
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"1234"}`)
	if s := op.settings(t); s.Printer != "none" || s.Acquirer != "none" {
		t.Errorf("production: %+v", s)
	}
}

// A save that changes nothing is no event; one that does says what was there before, but no secrets.
func TestTheLogTellsWhichSettingsChanged(t *testing.T) {
	t.Parallel()
	term := start(t, unconfigured(t.TempDir()))
	op := operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/first", `{"user":"caixa","password":"segrêdo-123","passwordAgain":"segrêdo-123","name":"Loja 1","pin":"4711"}`)
	caller := term.as("caixa", "segrêdo-123")
	type entries []struct{ Message, Details string }
	told := func() entries { return get[entries](t, caller, "/logs?source=app&search=configura%C3%A7%C3%B5es") }
	first := told()
	if len(first) != 1 || !strings.Contains(first[0].Details, "nome da loja=Loja 1 (antes: nada)") || !strings.Contains(first[0].Details, "primeira configuração=feita") {
		t.Errorf("the first start: %+v", first)
	}
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	op.want(t, 204, "POST", "/settings", `{"name":"Loja 1","user":"caixa","password":"segrêdo-123","passwordAgain":"segrêdo-123","pin":"4711","locale":"pt-BR","cardReceipt":"none"}`)
	if again := told(); len(again) != 1 {
		t.Errorf("nothing changed, and the log tells %+v", again[0])
	}
	op.want(t, 204, "POST", "/settings", `{"name":"Loja 2","pin":"4712","cardReceipt":"both"}`)
	last := told()
	if len(last) != 2 || last[0].Details != "nome da loja=Loja 2 (antes: Loja 1)\ncomprovante=Via do cliente e do estabelecimento (antes: Não imprimir)\nPIN=alterado" {
		t.Errorf("%+v", last)
	}
}
