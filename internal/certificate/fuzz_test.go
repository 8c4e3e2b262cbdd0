package certificate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever is in the files that are said to be a certificate and its key, they are used or refused in our own words;
// those never repeat the key.
func FuzzCertificateFiles(f *testing.F) {
	dir := f.TempDir()
	own, err := ownCertificate{dir}.load()
	if err != nil || own.Leaf == nil {
		f.Fatal(own, err)
	}
	cert, errCert := os.ReadFile(filepath.Join(dir, OwnName))
	key, errKey := os.ReadFile(filepath.Join(dir, ownKeyName))
	if errCert != nil || errKey != nil {
		f.Fatal(errCert, errKey)
	}
	f.Add(cert, key)
	f.Add(key, cert)
	f.Add(cert, []byte("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"))
	f.Add(cert[:len(cert)/2], key)
	f.Add([]byte("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"), []byte{})
	f.Fuzz(func(t *testing.T, cert, key []byte) {
		dir := t.TempDir()
		pair := &pairFiles{cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem")}
		for path, content := range map[string][]byte{pair.cert: cert, pair.key: key} {
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		used, err := pair.load()
		if err == nil {
			if used.Leaf == nil || len(Fingerprint(used.Leaf)) != 95 || !strings.HasPrefix(PublicKey(used.Leaf), "sha256//") {
				t.Errorf("used, and yet %v", used.Leaf)
			}
			Doubts(used.Leaf)
			return
		}
		if said := err.Error(); !strings.Contains(said, "--tls-") || len(key) > 40 && strings.Contains(said, string(key)) {
			t.Errorf("said: %s", said)
		}
		// In place of our own, a damaged certificate is made anew; a damaged key is left to a person, who is told.
		for name, content := range map[string][]byte{OwnName: cert, ownKeyName: key} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		own, err := ownCertificate{dir}.load()
		if err == nil && own.Leaf == nil || err != nil && !strings.Contains(err.Error(), ownKeyName) {
			t.Errorf("our own: %v, %v", own, err)
		}
	})
}
