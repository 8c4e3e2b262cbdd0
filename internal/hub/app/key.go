package app

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/syserror"
	"github.com/maquininha/maquininha/internal/wholefile"
)

// KeyFile is the hub's own key in the data folder. Terminals pin it when they join: without it none of them comes back.
const KeyFile = "hub.key"

// openKey is the kept key, or a new one where there is none. A damaged one is left to a person: every terminal has pinned it.
func openKey(dir string) (ed25519.PrivateKey, error) {
	path := filepath.Join(dir, KeyFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("não foi possível ler a chave do hub %s: %w", path, syserror.Reason(err))
	}
	if key := readKey(text); key != nil {
		return key, nil
	}
	return nil, fmt.Errorf("a chave do hub em %s está danificada; restaure-a de uma cópia: com outra, nenhum terminal volta sem entrar de novo", path)
}

// PeekKey tells whether a hub's key was made, and what is wrong with it; it makes none.
func PeekKey(dir string) (made bool, err error) {
	if _, err := os.Stat(filepath.Join(dir, KeyFile)); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	_, err = openKey(dir)
	return true, err
}

func readKey(text []byte) ed25519.PrivateKey {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil
	}
	key, _ := parsed.(ed25519.PrivateKey)
	return key
}

// newKey makes a key and has it on the disk, whole, before anybody sees it.
func newKey(path string) (ed25519.PrivateKey, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("não foi possível criar a chave do hub: %w", err)
	}
	content, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("não foi possível criar a chave do hub: %w", err)
	}
	err = wholefile.Put(path, func(f *os.File) error { return pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: content}) })
	if err != nil {
		return nil, fmt.Errorf("não foi possível gravar %s: %w", path, syserror.Reason(err))
	}
	return key, nil
}

// hubID names the hub to its terminals: the same as long as its key is.
func hubID(key ed25519.PrivateKey) string {
	sum := sha256.Sum256(key.Public().(ed25519.PublicKey))
	return hex.EncodeToString(sum[:8])
}

// ShareKeys gives the data folder of a hub the key and the certificate of another: several hubs are one to their terminals.
func ShareKeys(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, name := range keptFiles {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
