package app

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/maquininha/maquininha/internal/store"
)

// OpenReader opens the data for a command that only reads, whether the service runs or not. Its errors say in the
// technician's words what to do.
func OpenReader(dir string) (*store.Reader, error) {
	r, err := store.OpenReader(dir)
	if err == nil {
		return r, nil
	}
	if worded := noDataYet(dir, err); worded != nil {
		return nil, worded
	}
	return nil, unreadable(dir, err)
}

func noDataYet(dir string, err error) error {
	switch {
	case errors.Is(err, store.ErrNoData):
		return fmt.Errorf("não há dados em %s: o serviço ainda não foi iniciado com esta pasta; escolha outra com --data", dir)
	case errors.Is(err, store.ErrOlder):
		return fmt.Errorf("os dados em %s são de uma versão mais antiga do programa; inicie o serviço uma vez para atualizá-los", dir)
	}
	return nil
}

// Peek is OpenReader for a short look that leaves no trace in the folder.
func Peek(dir string) (*store.Reader, error) {
	r, err := store.Peek(dir)
	if err == nil {
		return r, nil
	}
	if worded := noDataYet(dir, err); worded != nil {
		return nil, worded
	}
	if errors.Is(err, store.ErrUnreadable) || errors.Is(err, fs.ErrPermission) {
		return nil, unreadable(dir, err)
	}
	// Whether the disk is at fault could only be found out by writing.
	return nil, fmt.Errorf("não foi possível abrir os dados em %s: %w", dir, WhyUnreadable(err))
}

// Lost says in the technician's words that the newest data are missing from the folder, for a command that reads another
// file in it; nil: none is known to be.
func Lost(dir string) error {
	r, err := store.Peek(dir)
	switch {
	case err == nil:
		return r.Close()
	case errors.Is(err, store.ErrLost):
		return unreadable(dir, err)
	}
	return nil
}

// ShopName is the shop's, as its operator has named it; it may be empty.
func ShopName(r *store.Reader) (string, error) { return r.Setting(settingName) }

// Kept is what the data folder has of settings, for support: what was chosen at the screen, and of secrets only that there is one.
// The secrets themselves are what must not be shown.
func Kept(r *store.Reader) (shown map[string]string, secrets []string, err error) {
	shown = map[string]string{}
	for _, name := range []string{settingUser, settingName, settingLocale, settingPrinter, settingAcquirer, settingReceipt, settingSetUp, settingTerminal} {
		if shown[name], err = r.Setting(name); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range []string{settingHash, settingPIN, settingToken, settingLocal} {
		value, err := r.Setting(name)
		if err != nil {
			return nil, nil, err
		}
		if shown[name] = "não definido"; value != "" {
			shown[name] = "definido"
			secrets = append(secrets, value)
		}
	}
	return shown, secrets, nil
}
