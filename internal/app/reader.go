package app

import (
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/store"
)

// OpenReader opens the data for a command that only reads, whether the service runs or not. Its errors say in the
// technician's words what to do.
func OpenReader(dir string) (*store.Reader, error) {
	r, err := store.OpenReader(dir)
	switch {
	case err == nil:
		return r, nil
	case errors.Is(err, store.ErrNoData):
		return nil, fmt.Errorf("não há dados em %s: o serviço ainda não foi iniciado com esta pasta; escolha outra com --data", dir)
	case errors.Is(err, store.ErrOlder):
		return nil, fmt.Errorf("os dados em %s são de uma versão mais antiga do programa; inicie o serviço uma vez para atualizá-los", dir)
	}
	return nil, unreadable(dir, err)
}

// ShopName is the shop's, as its operator has named it; it may be empty.
func ShopName(r *store.Reader) (string, error) { return r.Setting(settingName) }
