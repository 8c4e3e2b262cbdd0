package tunnel

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"net"
	"testing"
)

// met is how both sides judge each other; what the terminal sends goes through alter.
func met(t *testing.T, h Host, m Membership, alter func(io.ReadWriter) io.ReadWriter) (ofHub, ofTerminal error) {
	t.Helper()
	inside, outside := net.Pipe()
	judged := make(chan error, 1)
	go func() {
		_, err := h.examine(context.Background(), inside)
		inside.Close()
		judged <- err
	}()
	var conn io.ReadWriter = outside
	if alter != nil {
		conn = alter(conn)
	}
	ofTerminal = m.prove(conn, proof{Version: "1.2.3"})
	outside.Close()
	return <-judged, ofTerminal
}

// recorder keeps what the terminal sent.
type recorder struct {
	io.ReadWriter
	sent bytes.Buffer
}

func (r *recorder) Write(b []byte) (int, error) {
	r.sent.Write(b)
	return r.ReadWriter.Write(b)
}

// What was said between a terminal and its hub is of no use to whoever has heard it.
func TestReplayedProof(t *testing.T) {
	t.Parallel()
	var m Membership
	h := newHost(t, func() (ed25519.PublicKey, error) { return publicOf(m.Key), nil })
	m = memberOf(t, h)
	heard := &recorder{}
	if ofHub, ofTerminal := met(t, h, m, func(c io.ReadWriter) io.ReadWriter { heard.ReadWriter = c; return heard }); ofHub != nil || ofTerminal != nil {
		t.Fatalf("a terminal and its hub: %v, %v", ofHub, ofTerminal)
	}
	inside, outside := net.Pipe()
	judged := make(chan error, 1)
	go func() {
		_, err := h.examine(context.Background(), inside)
		judged <- err
	}()
	var c challenge
	if err := readFrame(outside, &c); err != nil {
		t.Fatal(err)
	}
	outside.Write(heard.sent.Bytes()) //nolint:errcheck // it would show
	var v verdict
	if err := readFrame(outside, &v); err != nil || v.Refused != "proof" {
		t.Errorf("%+v, %v", v, err)
	}
	if err := <-judged; !errors.Is(err, ErrProof) {
		t.Errorf("a replayed proof: %v", err)
	}
}

// A terminal takes nobody for its hub who has not the hub's key, whatever it says.
func TestOtherHubs(t *testing.T) {
	t.Parallel()
	var m Membership
	admit := func() (ed25519.PublicKey, error) { return publicOf(m.Key), nil }
	revoke := func() (ed25519.PublicKey, error) { return nil, ErrRevoked }
	own := newHost(t, admit)
	m = memberOf(t, own)
	other := newHost(t, admit)
	revoking := newHost(t, revoke)
	renamed := own
	renamed.ID = "hub-2"
	for name, h := range map[string]Host{"another key": other, "another key that revokes": revoking, "another id": renamed} {
		if _, ofTerminal := met(t, h, m, nil); !errors.Is(ofTerminal, ErrOtherHub) {
			t.Errorf("%s: %v", name, ofTerminal)
		}
	}
	revokingOwn := own
	revokingOwn.Admit = revoking.Admit
	if ofHub, ofTerminal := met(t, revokingOwn, m, nil); !errors.Is(ofHub, ErrRevoked) || !errors.Is(ofTerminal, ErrRevoked) {
		t.Errorf("the own hub's word: %v, %v", ofHub, ofTerminal)
	}
	// Somebody in between who says the own hub's words of another meeting.
	heard := &recorder{}
	inside, outside := net.Pipe()
	go func() {
		heard.ReadWriter = inside
		own.examine(context.Background(), heard) //nolint:errcheck // it is the terminal's part that counts
		inside.Close()
	}()
	if err := m.prove(outside, proof{Version: "1.2.3"}); err != nil {
		t.Fatal(err)
	}
	if err := m.prove(replayed{bytes.NewReader(heard.sent.Bytes())}, proof{Version: "1.2.3"}); !errors.Is(err, ErrOtherHub) {
		t.Errorf("a replayed hub: %v", err)
	}
}

// replayed reads what was heard, and takes everything.
type replayed struct{ io.Reader }

func (replayed) Write(b []byte) (int, error) { return len(b), nil }

// Every message that either side reads from the other, who may be anybody.
func FuzzHandshake(f *testing.F) {
	h := newHost(f, func() (ed25519.PublicKey, error) { return nil, ErrUnknown })
	m := memberOf(f, h)
	h.Admit = func(context.Context, string) (ed25519.PublicKey, error) { return publicOf(m.Key), nil }
	for _, message := range []any{challenge{hubID, newNonce()}, proof{Terminal: terminalID, Nonce: newNonce(), Version: "1", Signature: make([]byte, 64)}, verdict{"revoked", make([]byte, 64)}} {
		var b bytes.Buffer
		if err := writeFrame(&b, message); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
		f.Add(append(b.Bytes(), b.Bytes()...))
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, '{'})
	f.Add([]byte{0, 0, 0, 2, '{', '}'})
	f.Fuzz(func(t *testing.T, heard []byte) {
		if _, err := h.examine(context.Background(), replayed{bytes.NewReader(heard)}); err == nil {
			t.Error("somebody is a terminal without its key")
		}
		if err := m.prove(replayed{bytes.NewReader(heard)}, proof{Version: "1"}); err == nil || errors.Is(err, ErrRevoked) {
			t.Errorf("somebody is the hub without its key: %v", err)
		}
	})
}

// What a hub answers to one who joins, and what a data folder holds, whoever wrote it.
func FuzzAnswers(f *testing.F) {
	f.Add(200, []byte(`{"terminal":"t","hub":"h","hubKey":"AAAA","name":"Caixa 1","account":"Loja"}`))
	f.Add(410, []byte(`{"code":410,"message":"Código vencido"}`))
	f.Add(500, []byte(`<html>`))
	f.Fuzz(func(t *testing.T, status int, text []byte) {
		answer, err := readAnswer(status, text)
		if err == nil && (!printable(answer.Name, mostName) || !printable(answer.Account, mostName)) {
			t.Errorf("%+v", answer)
		}
		if m, err := parseMembership(text); err == nil {
			m.prove(replayed{bytes.NewReader(nil)}, proof{Version: "1"}) //nolint:errcheck // it must not panic
		}
	})
}

// What a person types, or somebody wrote into hub.json, to reach a hub: it is refused, or names a host to be reached by TLS that is checked.
func FuzzWay(f *testing.F) {
	f.Add("https://hub.example:9060/x", "http://proxy:3128", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	f.Add("hub.example", "", "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	f.Add("http://[::1", "socks5://x", "sha256/")
	f.Fuzz(func(t *testing.T, address, proxy, pin string) {
		w, err := newWay(address, proxy, pin)
		if err != nil {
			return
		}
		if w.address.Scheme != "https" || w.address.Hostname() == "" || (w.tls.VerifyConnection == nil) != (pin == "") || w.tls.InsecureSkipVerify != (pin != "") {
			t.Errorf("%v %+v", w.address, w.tls)
		}
		if r, err := w.request(t.Context(), "GET", Path, nil); err == nil && (r.URL.Hostname() != w.address.Hostname() || r.URL.Port() != w.address.Port()) { // https://hub: has an empty port
			t.Errorf("%v is asked at %v", w.address, r.URL)
		}
	})
}
