package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/syserror"
)

// hubs are those at the same database; what is wrong with that is said elsewhere.
func (i *inspection) hubs(ctx context.Context) ([]app.Hub, error) {
	if i.config.Database == "" || app.CheckDatabase(i.config.Database) != nil {
		return nil, nil
	}
	return app.Hubs(ctx, i.config)
}

// reachedHere tells of the hub that is configured here.
func reachedHere(h app.Hub) bool { return h.Own && h.Err == nil }

// lookAtHubs says whether the others are reached from here: where they are not, callers who come to this hub are told that terminals are
// absent which hang there.
func (i *inspection) lookAtHubs(all []app.Hub) {
	others := slices.DeleteFunc(slices.Clone(all), func(h app.Hub) bool { return h.Own })
	switch {
	case i.config.Database == "":
		return
	case i.config.PeerAddress == "" && len(others) > 0:
		i.Wrong("Outros hubs", "há %s no ar neste banco (%s): este precisa de --peer-address", console.Amount(len(others), "hub", "hubs"), cmp.Or(others[0].Address, "sem --peer-address"))
		return
	case i.config.PeerAddress == "":
		return
	case i.inUse && len(others) == len(all):
		i.Doubtful("Outros hubs", "o hub desta pasta está no ar, mas não tem a vez dele no banco como %s: os outros não o acham", i.config.PeerAddress)
	case len(others) == 0:
		i.Good("Outros hubs", "nenhum no ar neste banco agora")
	}
	for _, h := range others {
		switch {
		case h.Address == "":
			i.Wrong("Outros hubs", "há um no ar neste banco sem --peer-address: pare-o e inicie-o com o dele")
		case h.Err != nil:
			i.Wrong("Outros hubs", "%s não é alcançado daqui: %s; os hubs precisam alcançar-se por --peer-address", h.Address, portuguese.Error(syserror.Reason(h.Err)))
		default:
			i.Good("Outros hubs", "%s é alcançado", h.Address)
		}
	}
}
