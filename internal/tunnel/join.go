package tunnel

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// JoinRequest is what a terminal sends to join a hub.
type JoinRequest struct {
	Code      string `json:"code"`
	PublicKey []byte `json:"publicKey"` // Ed25519
	Name      string `json:"name,omitempty"`
	Version   string `json:"version"`
}

// JoinAnswer is what the hub answers.
type JoinAnswer struct {
	Terminal string `json:"terminal"`
	Hub      string `json:"hub"`
	HubKey   []byte `json:"hubKey"` // Ed25519
	Name     string `json:"name"`
	Account  string `json:"account"`
}

// Invitation is what a person types to have a terminal join a hub.
type Invitation struct {
	Address, Code string
	Pin           string // empty: the hub's certificate is vouched for by an authority
	Proxy         string // empty: as the environment says
	Name          string // empty: the hub makes one
	Version       string // the terminal's
}

// ErrUntrusted tells that nobody vouches for the hub's certificate, and that no pin was given.
var ErrUntrusted = errors.New("nobody vouches for the hub's certificate")

// Refused is a hub's refusal of a code, in its own words.
type Refused struct {
	Status  int
	Message string
}

func (r Refused) Error() string { return r.Message }

// mostAnswerBytes bounds what is read of a hub's answer.
const mostAnswerBytes = 64 << 10

// CleanCode is a code as the hub wrote it, however it was typed.
func CleanCode(typed string) string {
	return strings.ToUpper(strings.NewReplacer("-", "", " ", "", "\t", "").Replace(typed))
}

// Join makes a key and has the hub know its public half. The terminal is the hub's from now on, once the result is saved.
func Join(ctx context.Context, i Invitation) (Membership, error) {
	w, err := newWay(i.Address, i.Proxy, i.Pin)
	if err != nil {
		return Membership{}, err
	}
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return Membership{}, err
	}
	body, err := json.Marshal(JoinRequest{Code: CleanCode(i.Code), PublicKey: public, Name: i.Name, Version: i.Version})
	if err != nil {
		return Membership{}, err
	}
	answer, err := w.join(ctx, body)
	if err != nil {
		return Membership{}, err
	}
	m := Membership{
		Address: w.address.String(), Pin: i.Pin, Proxy: i.Proxy, Hub: answer.Hub, Terminal: answer.Terminal, Key: key, HubKey: answer.HubKey,
		Name: answer.Name, Account: answer.Account,
	}
	if err := m.check(); err != nil {
		return Membership{}, fmt.Errorf("%w: %w", ErrNoHub, err)
	}
	return m, nil
}

// joinTimeout is for all of it.
const joinTimeout = time.Minute

func (w way) join(ctx context.Context, body []byte) (JoinAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, joinTimeout)
	defer cancel()
	r, err := w.request(ctx, http.MethodPost, JoinPath, bytes.NewReader(body))
	if err != nil {
		return JoinAnswer{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	t, _ := w.transport()
	resp, err := t.RoundTrip(r)
	if err != nil {
		return JoinAnswer{}, distrust(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswerBytes))
	if err != nil {
		return JoinAnswer{}, err
	}
	return readAnswer(resp.StatusCode, text)
}

func readAnswer(status int, text []byte) (JoinAnswer, error) {
	if status != http.StatusOK && status != http.StatusCreated {
		var said struct {
			Message string `json:"message"`
		}
		const most = 300
		if json.Unmarshal(text, &said) != nil || said.Message == "" || len(said.Message) > most {
			return JoinAnswer{}, fmt.Errorf("%w: %d", ErrNoHub, status)
		}
		return JoinAnswer{}, Refused{status, said.Message}
	}
	var answer JoinAnswer
	if err := json.Unmarshal(text, &answer); err != nil {
		return JoinAnswer{}, fmt.Errorf("%w: %w", ErrNoHub, err)
	}
	if !printable(answer.Name, mostName) || !printable(answer.Account, mostName) {
		return JoinAnswer{}, fmt.Errorf("%w: names too long", ErrNoHub)
	}
	return answer, nil
}

// mostName is how long a name of the hub's may be, in bytes.
const mostName = 200

// distrust tells of a certificate that can't be trusted without a pin.
func distrust(err error) error {
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		return fmt.Errorf("%w: %w", ErrUntrusted, err)
	}
	return err
}
