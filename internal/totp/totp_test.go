package totp_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/totp"
)

// The published values, of which six digits are used here.
func TestPublishedValues(t *testing.T) {
	secret := totp.Secret("12345678901234567890")
	for at, want := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		if got := secret.Code(time.Unix(at, 0)); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	secret, now := totp.NewSecret(), time.Unix(1_800_000_000, 0)
	for off, good := range map[time.Duration]bool{-60 * time.Second: false, -30 * time.Second: true, 0: true, 30 * time.Second: true, 60 * time.Second: false} {
		at := now.Add(off)
		if found := secret.Find(secret.Code(at), now); good != (found == at.Unix()/30) {
			t.Errorf("%v off: found %d", off, found)
		}
	}
	for _, wrong := range []string{"", "1", "abcdef", secret.Code(now) + "0"} {
		if n := secret.Find(wrong, now); n != 0 {
			t.Errorf("%q: %d", wrong, n)
		}
	}
	spaced := secret.Code(now)[:3] + " " + secret.Code(now)[3:]
	if secret.Find(spaced, now) == 0 {
		t.Errorf("%q is refused", spaced)
	}
}

func TestSecretsAsText(t *testing.T) {
	secret := totp.NewSecret()
	read, err := totp.ParseSecret(strings.ToLower(secret.String()))
	if err != nil || read.String() != secret.String() {
		t.Errorf("%s read as %s, %v", secret, read, err)
	}
	for _, wrong := range []string{"", "AAAA", strings.Repeat("1", 32), secret.String() + "AAAAAAAA"} {
		if _, err := totp.ParseSecret(wrong); !errors.Is(err, totp.ErrBadSecret) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if got, want := secret.URI("maquininha hub", "ana & bia"), "otpauth://totp/maquininha%20hub:ana%20&%20bia?secret="+secret.String()+"&issuer=maquininha%20hub"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
