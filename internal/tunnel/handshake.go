package tunnel

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	nonceBytes = 32
	mostID     = 64 // bytes of an id or a version
)

// challenge is the hub's first word.
type challenge struct {
	Hub   string `json:"hub"`
	Nonce []byte `json:"nonce"`
}

// proof is the terminal's answer.
type proof struct {
	Terminal  string `json:"terminal"`
	Nonce     []byte `json:"nonce"`
	Version   string `json:"version"`
	Look      bool   `json:"look,omitempty"` // the verdict is all that is wanted: a link that is up stays
	Signature []byte `json:"signature"`
}

// verdict is the hub's last word. It is signed in either case: nobody in between can have a terminal believe that it was revoked.
type verdict struct {
	Refused   string `json:"refused,omitempty"` // a word of refusals; empty: welcome
	Signature []byte `json:"signature"`
}

// refusals are why, as they are sent.
var refusals = []struct {
	word string
	err  error
}{
	{"revoked", ErrRevoked},
	{"unknown", ErrUnknown},
	{"proof", ErrProof},
	{"trouble", ErrTrouble},
}

// What each side signs begins with its own words, so that neither signature can be taken for the other, nor for anything else.
const (
	proofWords   = "maquininha tunnel 1: terminal"
	verdictWords = "maquininha tunnel 1: hub"
)

// signed is the text of a signature: each part with its length, so that no two lists of parts make the same text.
func signed(words string, hubKey ed25519.PublicKey, c challenge, p proof, more ...[]byte) []byte {
	var text []byte
	for _, part := range append([][]byte{[]byte(words), hubKey, []byte(c.Hub), c.Nonce, []byte(p.Terminal), p.Nonce, []byte(p.Version)}, more...) {
		text = binary.BigEndian.AppendUint32(text, uint32(len(part)))
		text = append(text, part...)
	}
	return text
}

// newNonce is fresh: rand.Read never fails.
func newNonce() []byte {
	nonce := make([]byte, nonceBytes)
	rand.Read(nonce) //nolint:errcheck // it ends the process instead
	return nonce
}

// word tells whether an id or a version of the other side may be kept and shown.
func word(text string, empty bool) bool {
	return printable(text, mostID) && (empty || text != "")
}

func printable(text string, most int) bool {
	return len(text) <= most && utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// Host is a hub as terminals meet it.
type Host struct {
	ID  string
	Key ed25519.PrivateKey
	// Admit is the key of a terminal, or why it is not let in: ErrRevoked, ErrUnknown; any other error is ErrTrouble to the terminal.
	Admit     func(ctx context.Context, terminal string) (ed25519.PublicKey, error)
	Timing    Timing
	Transport *http.Transport // of this timing, for all links; nil: each has its own
}

// examine has the terminal prove itself, and proves the hub.
func (h Host) examine(ctx context.Context, conn io.ReadWriter) (proof, error) {
	c := challenge{Hub: h.ID, Nonce: newNonce()}
	if err := writeFrame(conn, c); err != nil {
		return proof{}, err
	}
	var p proof
	if err := readFrame(conn, &p); err != nil {
		return proof{}, err
	}
	if !word(p.Terminal, false) || !word(p.Version, true) || len(p.Nonce) != nonceBytes {
		return proof{}, errFrame
	}
	cause := h.admit(ctx, c, p)
	v := verdict{Refused: refusal(cause)}
	v.Signature = ed25519.Sign(h.Key, signed(verdictWords, publicOf(h.Key), c, p, p.Signature, []byte(v.Refused)))
	if err := writeFrame(conn, v); err != nil {
		return proof{}, err
	}
	return p, cause
}

// admit is why the terminal is not let in; nil: it is.
func (h Host) admit(ctx context.Context, c challenge, p proof) error {
	key, err := h.Admit(ctx, p.Terminal)
	switch {
	case err != nil:
		return err
	case len(key) != ed25519.PublicKeySize || !ed25519.Verify(key, signed(proofWords, publicOf(h.Key), c, p), p.Signature):
		return ErrProof
	}
	return nil
}

// refusal is the word for why; empty: there is none.
func refusal(cause error) string {
	if cause == nil {
		return ""
	}
	for _, r := range refusals {
		if errors.Is(cause, r.err) {
			return r.word
		}
	}
	return "trouble"
}

func publicOf(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }

var (
	// ErrOtherHub tells that whoever answers at the hub's address does not have the key that the terminal keeps of its hub.
	ErrOtherHub = errors.New("another hub answers at the hub's address")
	errRefused  = errors.New("the hub refuses this terminal")
)

// prove proves the terminal to its hub, and has the hub prove itself. Of p only what is the terminal's to say is filled in.
func (m Membership) prove(conn io.ReadWriter, p proof) error {
	var c challenge
	if err := readFrame(conn, &c); err != nil {
		return err
	}
	if len(c.Nonce) != nonceBytes || !word(c.Hub, false) {
		return errFrame
	}
	if c.Hub != m.Hub {
		return ErrOtherHub
	}
	p.Terminal, p.Nonce = m.Terminal, newNonce()
	p.Signature = ed25519.Sign(m.Key, signed(proofWords, m.HubKey, c, p))
	if err := writeFrame(conn, p); err != nil {
		return err
	}
	var v verdict
	if err := readFrame(conn, &v); err != nil {
		return err
	}
	if !word(v.Refused, true) {
		return errFrame
	}
	if !ed25519.Verify(m.HubKey, signed(verdictWords, m.HubKey, c, p, p.Signature, []byte(v.Refused)), v.Signature) {
		return ErrOtherHub
	}
	if v.Refused == "" {
		return nil
	}
	for _, r := range refusals {
		if r.word == v.Refused {
			return r.err
		}
	}
	return fmt.Errorf("%w: %s", errRefused, v.Refused)
}
