// Package totp makes and compares the codes of a second factor, as RFC 6238 has them and every telephone's app knows: six digits, a new one
// every 30 seconds, HMAC-SHA-1.
package totp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

const (
	secretBytes = 20 // as long as the hash
	period      = 30 * time.Second
	digits      = 6
	// drift is by how many periods a telephone's clock may be off.
	drift = 1
)

// ErrBadSecret is what is no secret of ours.
var ErrBadSecret = errors.New("not a secret of 20 bytes in base 32")

var encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// Secret is what both sides know.
type Secret []byte

// NewSecret makes one.
func NewSecret() Secret {
	s := make(Secret, secretBytes)
	rand.Read(s) //nolint:errcheck // it never fails
	return s
}

// ParseSecret reads a secret as String writes it.
func ParseSecret(text string) (Secret, error) {
	s, err := encoding.DecodeString(strings.ToUpper(strings.ReplaceAll(text, " ", "")))
	if err != nil || len(s) != secretBytes {
		return nil, ErrBadSecret
	}
	return s, nil
}

// String is the secret as people type it into an app that can't read a picture.
func (s Secret) String() string { return encoding.EncodeToString(s) }

// URI is what an app reads from a picture: who it is for, and where.
func (s Secret) URI(issuer, person string) string {
	return "otpauth://totp/" + url.PathEscape(issuer) + ":" + url.PathEscape(person) + "?secret=" + s.String() + "&issuer=" + url.PathEscape(issuer)
}

// Code is that of a moment.
func (s Secret) Code(at time.Time) string { return s.code(step(at)) }

// Find tells which period around a moment a code is of; 0: of none. Each is good once: whoever takes it keeps the number, and takes a higher
// one only.
func (s Secret) Find(code string, at time.Time) (found int64) {
	code = strings.ReplaceAll(code, " ", "")
	for n := step(at) - drift; n <= step(at)+drift; n++ {
		if subtle.ConstantTimeCompare([]byte(s.code(n)), []byte(code)) == 1 {
			found = n
		}
	}
	return found
}

func step(at time.Time) int64 { return at.Unix() / int64(period/time.Second) }

func (s Secret) code(n int64) string {
	mac := hmac.New(sha1.New, s)
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(n))
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	return fmt.Sprintf("%0*d", digits, binary.BigEndian.Uint32(sum[at:])&0x7fffffff%1_000_000)
}
