package tunnel

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/wholefile"
)

// File is what a terminal keeps of its hub, in its data folder.
const File = "hub.json"

// Membership is what a terminal keeps of the hub that it has joined. Whoever has it is the terminal.
type Membership struct {
	Address string `json:"address"`         // https://hub.example
	Pin     string `json:"pin,omitempty"`   // of the hub's certificate, as Pin writes it; empty: the system's roots vouch for it
	Proxy   string `json:"proxy,omitempty"` // http://proxy:3128; empty: as the environment says

	Hub      string             `json:"hub"` // ids
	Terminal string             `json:"terminal"`
	Key      ed25519.PrivateKey `json:"key"`
	HubKey   ed25519.PublicKey  `json:"hubKey"`

	Name    string `json:"name,omitempty"`    // as the hub calls the terminal
	Account string `json:"account,omitempty"` // whose it is there
}

// ErrNotJoined tells that there is no hub.
var ErrNotJoined = errors.New("this terminal has joined no hub")

// ErrDamaged tells that what is kept of a hub is of no use.
var ErrDamaged = errors.New("hub.json is damaged")

const mostMembershipBytes = 64 << 10

// Load reads what is kept in a data folder, or ErrNotJoined.
func Load(dir string) (Membership, error) {
	f, err := os.Open(filepath.Join(dir, File))
	if errors.Is(err, fs.ErrNotExist) {
		return Membership{}, ErrNotJoined
	}
	if err != nil {
		return Membership{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostMembershipBytes))
	if err != nil {
		return Membership{}, err
	}
	return parseMembership(text)
}

func parseMembership(text []byte) (Membership, error) {
	var m Membership
	if err := json.Unmarshal(text, &m); err != nil {
		return Membership{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := m.check(); err != nil {
		return Membership{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return m, nil
}

// check refuses what could not be used: a wrong length would have the signing panic.
func (m Membership) check() error {
	if _, err := parseAddress(m.Address); err != nil {
		return err
	}
	if _, err := parseProxy(m.Proxy); err != nil {
		return err
	}
	if m.Pin != "" {
		if _, err := parsePin(m.Pin); err != nil {
			return err
		}
	}
	switch {
	case !word(m.Hub, false), !word(m.Terminal, false):
		return errors.New("it has no ids")
	case len(m.Key) != ed25519.PrivateKeySize, len(m.HubKey) != ed25519.PublicKeySize:
		return errors.New("it has no keys")
	case !publicOf(m.Key).Equal(ed25519.NewKeyFromSeed(m.Key.Seed()).Public()):
		return errors.New("the halves of its key do not fit")
	}
	return nil
}

// Save keeps it in a data folder, whole or not at all, for nobody else to read.
func (m Membership) Save(dir string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return wholefile.Put(filepath.Join(dir, File), func(f *os.File) error {
		_, err := f.Write(append(text, '\n'))
		return errors.Join(err, giveToOwner(dir, f.Name()))
	})
}

// Remove forgets the hub; ErrNotJoined: there was none.
func Remove(dir string) error {
	err := os.Remove(filepath.Join(dir, File))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotJoined
	}
	if err != nil {
		return err
	}
	wholefile.SyncFolder(dir)
	return nil
}
