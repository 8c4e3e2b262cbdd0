package fleet

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// CodeLasts is for how long a code joins.
const CodeLasts = 10 * time.Minute

const (
	codeLength  = 8
	codeLetters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789" // none that looks like another
)

func newCode() string {
	var b strings.Builder
	for range codeLength {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(codeLetters))))
		if err != nil {
			panic(err) // the system's source of chance does not fail
		}
		b.WriteByte(codeLetters[n.Int64()])
	}
	return b.String()
}

// codeHash is of a code as people type it: small letters, blanks and hyphens don't matter.
func codeHash(code string) []byte {
	return hashOf(strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code)))
}

// MakeCode makes a code that joins one terminal to a shop; an empty shop is the only one there is. The terminal takes the
// name, or its own where that is empty. The text is told once.
func (d *Desk) MakeCode(ctx context.Context, a Actor, shop, name string) (text string, code Code, err error) {
	if name != "" {
		if name, err = CleanName(name); err != nil {
			return "", Code{}, err
		}
	}
	in, err := d.shop(ctx, a, shop)
	if err != nil {
		return "", Code{}, err
	}
	if err := a.administers(in.Place); err != nil {
		return "", Code{}, err
	}
	text = newCode()
	code = Code{Hash: codeHash(text), Place: in.Place, Name: name, ExpiresAt: Now().Add(CodeLasts)}
	return text, code, d.book.AddCode(ctx, code, NewChange(a, in.Place, in.ID, fmt.Sprintf("Código para um terminal da loja %q criado", in.Name)))
}

// Joining is what a terminal says of itself.
type Joining struct {
	PublicKey []byte
	Name      string
	Version   string
}

// Join uses a code up and makes the terminal. ErrBadCode: it is wrong, used or too old.
func (d *Desk) Join(ctx context.Context, text string, j Joining) (Terminal, error) {
	if len(j.PublicKey) != ed25519.PublicKeySize {
		return Terminal{}, ErrBadPublicKey
	}
	at, hash := Now(), codeHash(text)
	code, err := d.book.Code(ctx, hash, at)
	if err != nil {
		return Terminal{}, badCode(err)
	}
	t := Terminal{ID: NewID(), Place: code.Place, Name: code.Name, PublicKey: j.PublicKey, JoinedAt: at, Version: clip(j.Version)}
	if t.Name == "" {
		if t.Name, err = CleanName(j.Name); err != nil {
			t.Name = "Terminal " + t.ID[:4]
		}
	}
	c := NewChange(Actor{ID: t.ID, Name: t.Name}, t.Place, t.ID, fmt.Sprintf("Terminal %q entrou com um código", t.Name))
	defer d.forgetLists()
	if err := d.book.Join(ctx, hash, at, t, c); err != nil {
		return Terminal{}, badCode(err)
	}
	return t, nil
}

func badCode(err error) error {
	if errors.Is(err, ErrNotFound) {
		return ErrBadCode
	}
	return err
}

// clip bounds what a terminal says of itself: a stolen one may say anything.
func clip(s string) string {
	const longest = 200
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "")
}
