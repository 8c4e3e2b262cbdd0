package tunnel

import (
	"crypto/ed25519"
	"testing"
)

// Only the terminal opens what was sealed for it, and only as what it was sealed as.
func TestSecretSettings(t *testing.T) {
	for range 50 { // of keys of either sign
		_, key, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		m := Membership{Terminal: "t1", Key: key}
		sealed, err := SealSetting(publicOf(key), "t1", "mark", "password", "segrêdo-1")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.OpenSetting("mark", "password", sealed); err != nil || got != "segrêdo-1" {
			t.Fatalf("%q, %v", got, err)
		}
		_, other, _ := ed25519.GenerateKey(nil)
		for what, open := range map[string]func() (string, error){
			"another terminal": func() (string, error) {
				return Membership{Terminal: "t1", Key: other}.OpenSetting("mark", "password", sealed)
			},
			"another id": func() (string, error) {
				return Membership{Terminal: "t2", Key: key}.OpenSetting("mark", "password", sealed)
			},
			"another set":     func() (string, error) { return m.OpenSetting("mark2", "password", sealed) },
			"another setting": func() (string, error) { return m.OpenSetting("mark", "pin", sealed) },
			"a part of it":    func() (string, error) { return m.OpenSetting("mark", "password", sealed[:20]) },
		} {
			if got, err := open(); err == nil {
				t.Errorf("%s opens it: %q", what, got)
			}
		}
	}
	for _, key := range []ed25519.PublicKey{nil, make([]byte, 31), make([]byte, 32), append([]byte{1}, make([]byte, 31)...)} {
		if _, err := SealSetting(key, "t1", "mark", "pin", "1234"); err == nil {
			t.Errorf("sealed for the key %x, which is none", key)
		}
	}
}
