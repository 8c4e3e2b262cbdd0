package fleet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// Sealer hides what must be read again from who has the book alone: the key is derived from a secret that is kept elsewhere.
type Sealer struct{ aead cipher.AEAD }

// NewSealer derives the key for one use.
func NewSealer(secret []byte, use string) Sealer {
	key, err := hkdf.Key(sha256.New, secret, nil, "maquininha-hub "+use, 32)
	if err != nil {
		panic(err) // the length is a constant
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // as above
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // as above
	}
	return Sealer{aead}
}

// Seal hides a text for one owner: moved to another it can't be read.
func (s Sealer) Seal(text []byte, owner string) []byte {
	return s.aead.Seal(nil, nil, text, []byte(owner))
}

// Open reads what was sealed for the owner.
func (s Sealer) Open(sealed []byte, owner string) ([]byte, error) {
	text, err := s.aead.Open(nil, nil, sealed, []byte(owner))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOtherSecret, err)
	}
	return text, nil
}
