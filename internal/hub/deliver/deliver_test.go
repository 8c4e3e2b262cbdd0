package deliver

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
	"github.com/maquininha/maquininha/internal/waittest"
)

// shop is an account with a desk for webhooks, and a sender that runs.
type shop struct {
	t     *testing.T
	desk  *webhooks.Desk
	book  webhooks.Book
	admin fleet.Actor
	place fleet.Place
}

func newShop(t *testing.T, allowed ...netip.Prefix) *shop {
	t.Helper()
	files, err := store.Open(t.Context(), t.TempDir(), "")
	must(t, err)
	_, key, err := ed25519.GenerateKey(nil)
	must(t, err)
	f, err := fleet.NewDesk(files.Fleet(), key.Seed()).Found(t.Context(), fleet.Foundation{Account: "Conta", Tenant: "Cliente", Shop: "Loja", Person: "ana"})
	must(t, err)
	s := &shop{t: t, book: files.Webhooks(), admin: f.Person.Actor(), place: f.Shop.Place}
	s.desk = webhooks.NewDesk(webhooks.Config{Book: s.book, Secret: key.Seed(), Plain: true})
	sender := New(Config{
		Desk: s.desk, Allowed: allowed, Version: "9.9", Log: func(text string, err error) { t.Error(text, err) },
		Each: time.Millisecond, ConnectWithin: time.Hour, AnswerWithin: time.Hour, // a busy machine is no webhook that does not answer
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); sender.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-ended
		files.Close()
	})
	return s
}

func (s *shop) hook(url string) (webhooks.Hook, string) {
	s.t.Helper()
	h, secret, err := s.desk.Make(s.t.Context(), s.admin, webhooks.Wanted{Place: s.place, Name: "x", URL: url})
	must(s.t, err)
	return h, secret
}

func (s *shop) happens(id string) {
	s.t.Helper()
	must(s.t, s.book.AddEvents(s.t.Context(), []webhooks.Event{{ID: id, Place: s.place, Type: "transaction.approved", At: fleet.Now(), Data: json.RawMessage(`{"amount":10.00}`)}}))
}

func (s *shop) delivery(h webhooks.Hook) (d webhooks.Delivery) {
	s.t.Helper()
	all, err := s.desk.Deliveries(s.t.Context(), s.admin, h.ID, "", 0, 10)
	must(s.t, err)
	if len(all) > 0 {
		d = all[0]
	}
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var loopback = netip.MustParsePrefix("127.0.0.0/8")

// What arrives is signed as Standard Webhooks has it; what does not is tried again.
func TestDelivery(t *testing.T) {
	t.Parallel()
	type message struct {
		header http.Header
		body   string
	}
	came := make(chan message, 10)
	var answer atomic.Int64
	answer.Store(500)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		came <- message{r.Header, string(body)}
		w.WriteHeader(int(answer.Load()))
	}))
	t.Cleanup(server.Close)
	s := newShop(t, loopback)
	h, secret := s.hook(server.URL + "/eventos")
	s.happens("msg_1")
	got := waittest.Receive(t, "the message", came)
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	must(t, err)
	var sent struct{ Type, Timestamp string }
	must(t, json.Unmarshal([]byte(got.body), &sent))
	if sent.Type != "transaction.approved" || !strings.Contains(got.body, `"data":{"amount":10.00}`) {
		t.Errorf("the body: %s", got.body)
	}
	unix, err := strconv.ParseInt(got.header.Get("Webhook-Timestamp"), 10, 64)
	must(t, err)
	if off := time.Since(time.Unix(unix, 0)).Abs(); off > time.Hour {
		t.Errorf("the timestamp is %v off", off)
	}
	if want := webhooks.Signature(key, "msg_1", time.Unix(unix, 0), []byte(got.body)); got.header.Get("Webhook-Id") != "msg_1" || got.header.Get("Webhook-Signature") != want {
		t.Errorf("the headers: %v, want %s", got.header, want)
	}
	waittest.Until(t, "it is written down that it was refused", func() bool { return s.delivery(h).Attempts == 1 })
	if d := s.delivery(h); d.State != webhooks.Pending || d.Status != 500 || d.DueAt.IsZero() {
		t.Errorf("refused: %+v", d)
	}
	answer.Store(204)
	must(t, s.desk.Again(t.Context(), s.admin, h.ID, s.delivery(h).Event.Number))
	if again := waittest.Receive(t, "the message again", came); again.body != got.body || again.header.Get("Webhook-Id") != "msg_1" {
		t.Errorf("again: %+v", again)
	}
	waittest.Until(t, "it has arrived", func() bool { return s.delivery(h).State == webhooks.Delivered })
}

// One that does not answer holds up nobody else.
func TestSlowOnesHoldUpNobody(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	var held atomic.Int64
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { held.Add(1); <-hold }))
	var once sync.Once
	release := func() { once.Do(func() { close(hold) }) }
	t.Cleanup(slow.Close)
	t.Cleanup(release)
	var came atomic.Int64
	quick := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { came.Add(1) }))
	t.Cleanup(quick.Close)
	s := newShop(t, loopback)
	s.hook(slow.URL)
	s.hook(quick.URL)
	const events = 40
	for n := range events {
		s.happens("msg_" + strconv.Itoa(n))
	}
	waittest.Until(t, "all have come where somebody answers", func() bool { return came.Load() >= events }) // one whose answer was lost comes again
	if n := held.Load(); n > mostOfOne {
		t.Errorf("%d at once at one that does not answer", n)
	}
	release()
}

// Nothing goes to networks that nobody has allowed, by whatever name or turn.
func TestForbiddenNetworks(t *testing.T) {
	t.Parallel()
	var came atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { came.Add(1) }))
	t.Cleanup(server.Close)
	_, port, _ := strings.Cut(server.Listener.Addr().String(), ":")
	s := newShop(t, netip.MustParsePrefix("192.168.77.0/24"))
	for _, url := range []string{server.URL, "http://localhost:" + port, "http://[::ffff:127.0.0.1]:" + port, "http://0.0.0.0:" + port} {
		h, _ := s.hook(url)
		s.happens("msg_" + url)
		waittest.Until(t, "it is written down that it was not sent", func() bool { return s.delivery(h).Attempts > 0 })
		if d := s.delivery(h); d.Status != 0 || !strings.Contains(d.Trouble, "não existe ou não é público") {
			t.Errorf("%s: %+v", url, d)
		}
		must(t, s.desk.Revoke(t.Context(), s.admin, h.ID))
	}
	if n := came.Load(); n != 0 {
		t.Errorf("%d came", n)
	}
	g := guard{prefixes("10.1.0.0/16", "2800:a:b:2::/64"), func() []netip.Prefix { return prefixes("2800:a:b::/48", "45.33.32.0/22", "10.1.0.0/16") }}
	for _, p := range ownNetworks() {
		if p != p.Masked() {
			t.Errorf("%s is no network", p)
		}
	}
	if !within(netip.MustParseAddr("127.0.0.1"), ownNetworks()) {
		t.Errorf("this machine is in %v", ownNetworks())
	}
	for address, good := range map[string]bool{
		"8.8.8.8:443": true, "[2606:4700::1111]:443": true, "10.1.2.3:80": true, "10.2.0.1:80": false, "192.168.0.1:80": false, "172.16.0.1:80": false, "169.254.169.254:80": false,
		"100.64.0.1:80": false, "127.0.0.1:80": false, "0.0.0.0:80": false, "224.0.0.1:80": false, "255.255.255.255:80": false, "[::1]:80": false, "[fd00::1]:80": false, "[fe80::1%eth0]:80": false,
		"[::ffff:10.2.0.1]:80": false, "[::10.2.0.1]:80": false, "[::8.8.8.8]:80": false, "[64:ff9b::a02:1]:80": false, "[2002:a02:1::]:80": false, "x": false,
		"[2800:a:b:1::5]:443": false, "[2800:a:b:2::5]:443": true, "[2800:a:c::5]:443": true, "45.33.33.9:22": false, "45.33.36.9:22": true, // the machine's own networks
	} {
		if err := g.check(address); good != (err == nil) || err != nil && !errors.Is(err, errForbidden) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// Why nothing arrived is told in Portuguese, whatever the other side is.
func TestTroubleIsPortuguese(t *testing.T) {
	t.Parallel()
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	stranger := httptest.NewUnstartedServer(http.NotFoundHandler())
	stranger.Config.ErrorLog = log.New(io.Discard, "", 0)
	stranger.StartTLS()
	t.Cleanup(stranger.Close)
	deaf := listen(t, func(c net.Conn) { c.Close() })
	other := listen(t, func(c net.Conn) {
		c.Read(make([]byte, 4096)) //nolint:errcheck // whatever it is
		c.Write([]byte("220 correio\r\n"))
		c.Close()
	})
	s := newShop(t, loopback)
	for address, want := range map[string]string{
		"https://" + plain.Listener.Addr().String(): "o outro lado não fala TLS",
		stranger.URL:      "o certificado não confere: assinado por uma autoridade desconhecida",
		"http://" + deaf:  "a conexão foi encerrada sem resposta",
		"http://" + other: "a resposta não é HTTP",
	} {
		h, _ := s.hook(address)
		s.happens("msg_" + address)
		waittest.Until(t, "it is written down", func() bool { return s.delivery(h).Attempts > 0 })
		if d := s.delivery(h); d.Status != 0 || d.Trouble != want {
			t.Errorf("%s: %q, want %q", address, d.Trouble, want)
		}
		must(t, s.desk.Revoke(t.Context(), s.admin, h.ID))
	}
	certificate := &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "a.example"}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{certificate, "o certificado não é de a.example"},
		{&url.Error{Op: "Post", URL: "http://a.example", Err: errors.New("http: server closed idle connection")}, "a conexão foi encerrada sem resposta"},
		{&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.Expired, Detail: "current time is after"}}, "o certificado não confere: vencido ou ainda não válido"},
		{&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.NameConstraintsWithoutSANs}}, "o certificado não confere"},
		{&net.OpError{Op: "dial", Net: "tcp", Err: os.ErrDeadlineExceeded}, "não respondeu a tempo"},
	} {
		if got := explain(&url.Error{Op: "Post", URL: "https://a.example", Err: c.err}); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

// listen takes connections on a port of its own.
func listen(t *testing.T, take func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			take(c)
		}
	}()
	return l.Addr().String()
}

// Whoever answers is who was meant: a turn to elsewhere is no delivery.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var came atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { came.Add(1) }))
	t.Cleanup(elsewhere.Close)
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	s := newShop(t, loopback)
	h, _ := s.hook(server.URL)
	s.happens("msg_1")
	waittest.Until(t, "it was tried", func() bool { return s.delivery(h).Attempts == 1 })
	if d := s.delivery(h); d.Status != 307 || d.State != webhooks.Pending || came.Load() != 0 {
		t.Errorf("%+v, %d came elsewhere", d, came.Load())
	}
}
