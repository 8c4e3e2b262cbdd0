package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/store"
)

// alone has a shared database know that this hub takes itself for the only one there: another would end what it is doing, and it what others
// are. nil: nobody else can be at its database, or it is one of several.
func (a *App) alone(ctx context.Context, files *store.Store, id string) (*leases.Desk, error) {
	if a.config.Database == "" || a.config.PeerAddress != "" {
		return nil, nil //nolint:nilnil // as above
	}
	d := leases.NewDesk(files.Leases(), leases.Hub{Identity: id, KeyHash: folderHash(a.config.Data)}, a.config.Lease, a.notRenewed)
	switch err := d.Take(ctx); {
	case errors.Is(err, leases.ErrAlone):
		return nil, errors.New("há outros hubs no ar neste banco: inicie este com --peer-address, o endereço em que eles o alcançam")
	case err != nil:
		return nil, fmt.Errorf("o banco de dados não pôde ser lido: %s", words(err))
	}
	return d, nil
}

// notRenewed tells that others may take this hub for dead.
func (a *App) notRenewed(err error) {
	a.log.Warn("a vez deste hub entre os outros não pôde ser renovada", "motivo", words(err))
}

// folderHash is by which a hub that is alone knows itself again after it was killed: nobody else runs on its folder, which is locked.
func folderHash(data string) []byte {
	host, _ := os.Hostname() // without one the folder alone has to do
	if full, err := filepath.Abs(data); err == nil {
		data = full
	}
	sum := sha256.Sum256([]byte(host + "\n" + data))
	return sum[:]
}
