package tunnel

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/hpke"
	"crypto/sha512"
	"errors"
	"math/big"
	"slices"
)

// SettingsPath exists through a tunnel only. GET: a SettingsReport. PUT of a SettingsSet: the report of what became of it, or 409 while
// something is under way that a restart would end.
const SettingsPath = ownPaths + "settings"

// Settings are the names of what a hub may decide for a terminal, as its own page has them.
var Settings = []string{
	"name", "locale", "colour", "theme", "user", "password", "pin", "printer", "printerModel", "acquirer", "cardReceipt", "tradeName", "phone", "itemNotes",
}

// SecretSetting tells of what only the terminal may read.
func SecretSetting(name string) bool { return slices.Contains([]string{"password", "pin"}, name) }

// SettingsSet is all that a hub decides for a terminal. What it does not name stays as it is.
type SettingsSet struct {
	Mark    string            `json:"mark"` // another set has another
	Values  map[string]string `json:"values,omitempty"`
	Secrets map[string][]byte `json:"secrets,omitempty"` // sealed by SealSetting
}

// SettingsReport is what a terminal made of a set.
type SettingsReport struct {
	Mark    string            `json:"mark"`              // of the set that it has; empty: none
	Refused map[string]string `json:"refused,omitempty"` // why not, in Portuguese, by name; all others of the set were taken
}

var errNoKey = errors.New("the terminal's key can't be sealed for")

// SealSetting hides a secret from all but the terminal with this key: HPKE (RFC 9180) to the X25519 half of its Ed25519 key. It can't be
// opened as another setting, nor as one of another set.
func SealSetting(to ed25519.PublicKey, terminal, mark, name, text string) ([]byte, error) {
	u, ok := montgomery(to)
	if !ok {
		return nil, errNoKey
	}
	public, err := ecdh.X25519().NewPublicKey(u)
	if err != nil {
		return nil, err
	}
	key, err := hpke.NewDHKEMPublicKey(public)
	if err != nil {
		return nil, err
	}
	return hpke.Seal(key, hpke.HKDFSHA256(), hpke.AES256GCM(), settingInfo(terminal, mark, name), []byte(text))
}

// OpenSetting reads a secret that was sealed for this terminal.
func (m Membership) OpenSetting(mark, name string, sealed []byte) (string, error) {
	scalar := sha512.Sum512(m.Key.Seed())
	private, err := ecdh.X25519().NewPrivateKey(scalar[:32])
	if err != nil {
		return "", err
	}
	key, err := hpke.NewDHKEMPrivateKey(private)
	if err != nil {
		return "", err
	}
	text, err := hpke.Open(key, hpke.HKDFSHA256(), hpke.AES256GCM(), settingInfo(m.Terminal, mark, name), sealed)
	return string(text), err
}

// settingInfo binds a secret to where it belongs. No part has a zero byte.
func settingInfo(terminal, mark, name string) []byte {
	return []byte("maquininha settings 1\x00" + terminal + "\x00" + mark + "\x00" + name)
}

// montgomery is the point of an Ed25519 key on Curve25519: u = (1+y)/(1-y).
func montgomery(key ed25519.PublicKey) ([]byte, bool) {
	if len(key) != ed25519.PublicKeySize {
		return nil, false
	}
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	bytes := slices.Clone(key)
	slices.Reverse(bytes)
	bytes[0] &= 0x7f // the sign of x
	y, one := new(big.Int).SetBytes(bytes), big.NewInt(1)
	below := new(big.Int).ModInverse(new(big.Int).Mod(new(big.Int).Sub(one, y), p), p)
	if below == nil {
		return nil, false
	}
	u := new(big.Int).Mul(new(big.Int).Add(one, y), below)
	out := u.Mod(u, p).FillBytes(make([]byte, len(key)))
	slices.Reverse(out)
	return out, true
}
