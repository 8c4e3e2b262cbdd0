package httpapi_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // Windows has no names of zones to look up

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

type statusSeen struct {
	Status        string
	UptimeSeconds *int
	StartedAt     time.Time
}

func (a *answer) statusBody() (s statusSeen) {
	a.t.Helper()
	a.ok().into(&s)
	if keys := a.json(); s.Status != "ok" || s.UptimeSeconds == nil || *s.UptimeSeconds < 0 || len(keys) != 3 {
		a.t.Errorf("%s: %s", a.what, a.body)
	}
	return s
}

func TestStatus(t *testing.T) {
	t.Parallel()
	before := time.Now().Add(-time.Second)
	m := start(t)
	s := m.call("GET", "/status", nil).statusBody()
	if s.StartedAt.Before(before) || s.StartedAt.After(time.Now()) || *s.UptimeSeconds > int(time.Since(before).Seconds()) {
		t.Errorf("%+v, started after %v", s, before)
	}
	waittest.Until(t, "a second going by", func() bool { return *m.call("GET", "/status", nil).statusBody().UptimeSeconds > 0 })
	if again := m.call("GET", "/status", nil).statusBody(); !again.StartedAt.Equal(s.StartedAt) {
		t.Errorf("startedAt moved from %v to %v", s.StartedAt, again.StartedAt)
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	info := start(t).call("GET", "/info", nil).ok().json()
	zone, _ := info["timeZone"].(string)
	if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
		t.Errorf("timeZone %q: %v", zone, err)
	}
	if locale, _ := info["locale"].(string); !regexp.MustCompile(`^[a-z]{2,3}-[A-Z]{2}$`).MatchString(locale) {
		t.Errorf("locale %q, want one like pt-BR", locale)
	}
	name, _ := info["appName"].(string)
	if name == "" {
		t.Error("no appName")
	}
	for _, checked := range []string{"timeZone", "locale", "appName"} {
		delete(info, checked)
	}
	want := map[string]any{"version": "1.2.3", "build": "7", "platform": runtime.GOOS, "mode": "emulator", "isActive": true, "isBusy": false}
	if diff := cmp.Diff(want, info); diff != "" {
		t.Errorf("info (-want +got):\n%s", diff)
	}
	if got := start(t, android).call("GET", "/info", nil).ok().json()["platform"]; got != "android" {
		t.Errorf("platform %v", got)
	}
}

func TestRestartIsForMobileDevices(t *testing.T) {
	t.Parallel()
	m := start(t)
	before := m.call("GET", "/status", nil).statusBody()
	a := m.call("POST", "/restart", nil).is(403, "Reinicialização disponível apenas para dispositivos móveis")
	if code := fmt.Sprint(a.json()["code"]); code != "403" {
		t.Errorf("code %s", code)
	}
	if after := m.call("GET", "/status", nil).statusBody(); !after.StartedAt.Equal(before.StartedAt) {
		t.Error("it restarted all the same")
	}
	if a := start(t, android).call("POST", "/restart", nil, header{"Authorization", ""}); a.status != 401 {
		t.Errorf("without credentials: %d", a.status)
	}
}

const stoppingMessage = "Serviço encerrando, tente novamente em instantes"

// restart waits so that startedAt, shown to the millisecond, can tell the two apart.
func (m *terminal) restart(before statusSeen) statusSeen {
	m.t.Helper()
	began := time.Now()
	s := m.keepOpen("POST", "/restart", nil).answer().statusBody()
	if !s.StartedAt.After(before.StartedAt) || *s.UptimeSeconds > int(time.Since(began).Seconds()) {
		m.t.Errorf("before %+v, after the restart %+v", before, s)
	}
	if now := m.call("GET", "/status", nil).statusBody(); !now.StartedAt.Equal(s.StartedAt) {
		m.t.Errorf("the restart answered %v, /status says %v", s.StartedAt, now.StartedAt)
	}
	return s
}

func TestRestartKeepsTheSaleAndAnswersTheQuestion(t *testing.T) {
	t.Parallel()
	m := start(t, android)
	m.call("POST", "/sale", `{"customerName":"Ana"}`).ok()
	m.call("POST", "/sale/item", `{"id":"1","code":"789","description":"Café","quantity":1,"unitPrice":7.50,"total":7.50}`).ok()
	m.call("POST", "/sale/payment", `{"id":"p","value":7.50}`).ok()
	m.call("POST", "/display/text", `{"content":[{"text":{"value":"oi"}}],"backgroundColor":"#fff"}`).ok()
	sale := string(m.call("GET", "/sale", nil).ok().body)
	before := m.call("GET", "/status", nil).statusBody()
	form := m.keepOpen("POST", "/ask/form", `{"questions":[{"id":1},{"id":2}]}`)
	m.awaitQuestion(0)
	m.call("POST", "/emulator/answer", `{"value":"metade"}`).ok()
	stream := m.follow()

	m.restart(before)

	form.answer().is(503, stoppingMessage)
	for {
		if _, ok := stream.next(); !ok {
			break
		}
	}
	if err := stream.lines.Err(); err != nil {
		t.Errorf("the stream was cut off: %v", err)
	}
	if got := string(m.call("GET", "/sale", nil).ok().body); got != sale {
		t.Errorf("the sale was\n%s\nand is\n%s", sale, got)
	}
	if s := m.lookAtScreen(); s.Question != nil || len(s.Display) != 0 || s.View != "sale" {
		t.Errorf("screen after the restart: %+v", s)
	}
	m.call("POST", "/sale/item", `{"id":"1","code":"789","description":"Café","quantity":1,"unitPrice":7.50,"total":7.50}`).is(400, "Item já existente na venda!")
	m.call("POST", "/sale/finalize", nil).ok()
	if got := m.entries("search=POST+/restart+200"); len(got) == 0 {
		t.Error("the restart is not in the log")
	}
}

func TestRestartDuringAPayment(t *testing.T) {
	t.Parallel()
	m := start(t, android)
	before := m.call("GET", "/status", nil).statusBody()
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":6,"referenceId":"cut"}`)
	m.awaitStep("card")
	m.restart(before) // nobody pays: one that waited for the payment would not end
	if a := pay.answer(); a.status != 503 {
		t.Errorf("the payment's caller got %d %s, want 503", a.status, a.body)
	}
	if m.call("GET", "/info", nil).ok().json()["isBusy"] != false {
		t.Error("busy after the restart")
	}
	waittest.Until(t, "the recovery", func() bool { return m.find("cut").Details.Status == "cancelled" })
}

func TestRestartsAtOnceAreAllAnswered(t *testing.T) {
	t.Parallel()
	m := start(t, android)
	before := m.call("GET", "/status", nil).statusBody()
	time.Sleep(2 * time.Millisecond)
	var calls []*heldCall
	for range 4 {
		calls = append(calls, m.keepOpen("POST", "/restart", nil), m.keepOpen("POST", "/sale", nil), m.keepOpen("GET", "/info", nil))
	}
	opened := 0
	for i, c := range calls {
		switch a := c.answer(); i % 3 {
		case 0:
			if s := a.statusBody(); !s.StartedAt.After(before.StartedAt) {
				t.Errorf("restart %d answered %+v", i/3, s)
			}
		case 1:
			if a.status == 200 {
				opened++
			} else if a.status != 409 {
				t.Errorf("POST /sale: %d %s", a.status, a.body)
			}
		default:
			a.ok()
		}
	}
	if opened != 1 {
		t.Errorf("%d sales were opened, want 1", opened)
	}
	m.call("GET", "/sale", nil).ok()
}

func TestRestartKeepsConnections(t *testing.T) {
	t.Parallel()
	m := start(t, android)
	var used []string
	trace := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		GotConn: func(c httptrace.GotConnInfo) { used = append(used, c.Conn.LocalAddr().String()) },
	})
	for _, method := range []string{"GET /status", "POST /restart", "GET /status", "POST /restart", "GET /status"} {
		verb, path, _ := strings.Cut(method, " ")
		resp, err := m.client.Do(m.request(verb, path, nil).WithContext(trace))
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		if resp.Body.Close(); resp.StatusCode != 200 {
			t.Fatalf("%s: %d", method, resp.StatusCode)
		}
	}
	for _, address := range used {
		if address != used[0] {
			t.Errorf("connections from %v, want one and the same", used)
		}
	}
}

// ownConnection returns how to send on a connection that the test has for itself, and reads nothing unless asked to.
func (m *terminal) ownConnection() (send func(request, rest string) *bufio.Reader) {
	m.t.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(m.t.Context(), "tcp", m.host())
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { conn.Close() })
	reader, authorization := bufio.NewReader(conn), m.request("GET", "/", nil).Header.Get("Authorization")
	return func(request, rest string) *bufio.Reader {
		io.WriteString(conn, m.verbatim(fmt.Sprintf("%s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\n%s", request, authorization, rest))) //nolint:errcheck // the answer would show it
		return reader
	}
}

// chargeAtLength makes the list of transactions longer than what sockets take up.
func (m *terminal) chargeAtLength() {
	m.t.Helper()
	for i := range 12 {
		m.call("POST", "/transaction", fmt.Sprintf(`{"tPag":"03","amount":1,"referenceId":"%d","details":{"x":%q}}`, i, strings.Repeat("x", 900_000))).ok()
	}
}

// An answer that was under way at a restart must leave its connection fit for the next request, or say that it closes.
func TestRestartLeavesConnectionsWhole(t *testing.T) {
	t.Parallel()
	// The list is read to its end, however long this machine takes for it: it is not late.
	m := start(t, android, autopilot, func(c *app.Config) { c.Timeouts.Answer = waittest.Limit })
	m.chargeAtLength()
	send := m.ownConnection()
	reader := send("GET /transaction", "\r\n")
	resp, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	restart := m.keepOpen("POST", "/restart", nil)
	waittest.Until(t, "the restart", func() bool {
		n, err := io.CopyN(io.Discard, resp.Body, 4<<20) // with pauses between
		if err != nil && err != io.EOF {
			t.Fatalf("a list under way was cut off: %v", err)
		}
		return n == 0
	})
	restart.answer().ok()
	// That no deadline is left behind to come later is TestNoDeadlineIsLeftBehind in the package connection.
	for n := 0; !resp.Close && n < 20; n++ {
		next, err := http.ReadResponse(send("GET /status", "\r\n"), nil)
		if err != nil {
			t.Fatalf("request %d after the restart: %v", n+1, err)
		}
		io.Copy(io.Discard, next.Body)
	}
}

// A caller that stops in the middle of sending, or of reading, must not take the service with it.
func TestRestartDoesNotWaitForStalledCallers(t *testing.T) {
	t.Parallel()
	m := start(t, android, autopilot, func(c *app.Config) { c.Timeouts.Answer = 500 * time.Millisecond })
	m.chargeAtLength()
	for name, stall := range map[string]func(){
		"sending": func() { m.ownConnection()("POST /sale", "Content-Length: 100\r\n\r\n{") },
		"reading": func() { m.ownConnection()("GET /transaction", "\r\n") },
		"reading, unknown": func() {
			conn, err := net.Dial("tcp", m.host())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			go io.WriteString(conn, strings.Repeat("GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n", 50)) //nolint:errcheck // it goes on until it can't
		},
	} {
		stall()
		// Another request after it: by then the stalled one has been taken in.
		m.call("GET", "/transaction/0", nil).ok()
		ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit)
		resp, err := m.client.Do(m.request("POST", "/restart", nil).WithContext(ctx))
		if err != nil {
			t.Errorf("a restart while a caller stalls in %s: %v", name, err)
		} else {
			resp.Body.Close()
		}
		cancel()
		if t.Failed() {
			return
		}
	}
}

func TestManyRestartsUnderLoad(t *testing.T) {
	t.Parallel()
	m := start(t, android, autopilot)
	var callers sync.WaitGroup
	stop := make(chan struct{})
	for i := range 3 {
		callers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				reference := fmt.Sprintf("%d-%d", i, n)
				a := m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"`+reference+`"}`)
				if a.status == 200 && m.find(reference).Details.Status != "approved" {
					t.Errorf("%s was acknowledged and is not approved", reference)
				} else if a.status != 200 && a.status != 503 {
					t.Errorf("%s: %d %s", reference, a.status, a.body)
				}
			}
		})
	}
	for range 5 {
		m.call("POST", "/restart", nil).ok()
	}
	close(stop)
	callers.Wait()
	waittest.Until(t, "everything settled", func() bool { return len(m.listed("status=pending")) == 0 })
}
