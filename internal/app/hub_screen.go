package app

import (
	"cmp"
	"context"
	"errors"
	"net"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/syserror"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Link is the hub and how the link to it is. Together with Join and Leave it fills screenui.Hub: the operator joins and leaves as the
// commands do, beside the running service.
func (l *hubLink) Link() screenui.HubLink {
	k, s := l.now()
	if k == nil {
		return screenui.HubLink{State: hubNone}
	}
	m := k.Membership()
	link := screenui.HubLink{State: hubState(s), Address: m.Address, Name: m.Name, Account: m.Account, Since: s.Since}
	if s.Trouble != nil {
		link.Reason, link.Message = hubReason(s.Trouble), portuguese.Error(syserror.Reason(s.Trouble))
	}
	return link
}

// hubReason is a word for why there is no link, for pages of other languages than Portuguese.
func hubReason(err error) string {
	for _, r := range []struct {
		err  error
		word string
	}{
		{tunnel.ErrRevoked, "revoked"},
		{tunnel.ErrUnknown, "unknown"},
		{tunnel.ErrProof, "proof"},
		{tunnel.ErrTrouble, "trouble"},
		{tunnel.ErrOtherHub, "otherHub"},
		{tunnel.ErrPin, "pinDiffers"},
		{tunnel.ErrUntrusted, "pin"},
		{tunnel.ErrNoHub, "noHub"},
		{tunnel.ErrBroken, "broken"},
	} {
		if errors.Is(err, r.err) {
			return r.word
		}
	}
	return "silent"
}

// Join has this terminal join a hub. What the operator must correct is a screenui.Refusal.
func (l *hubLink) Join(ctx context.Context, asked screenui.Invitation) error {
	i := tunnel.ReadLine(asked.Address)
	i.Code, i.Pin, i.Version = cmp.Or(asked.Code, i.Code), cmp.Or(asked.Pin, i.Pin), l.options.Version
	switch {
	case i.Address == "":
		return screenui.Refusal{Field: "address", Reason: "address", Message: "Informe o endereço do hub"}
	case i.Code == "":
		return screenui.Refusal{Field: "code", Reason: "code", Message: "Informe o código que o hub mostra"}
	}
	l.joining.Lock()
	defer l.joining.Unlock()
	ctx, cancel := context.WithTimeout(ctx, l.joinWithin)
	defer cancel()
	if _, err := tunnel.Load(l.dir); errors.Is(err, tunnel.ErrDamaged) {
		tunnel.Remove(l.dir) //nolint:errcheck // joining says it; whoever is at the screen has no command to leave what is none
	}
	m, err := JoinHub(ctx, l.dir, i)
	if err != nil {
		return whyNotJoined(err)
	}
	l.log(logbook.Info, "o terminal entrou no hub "+m.Address+", pela tela")
	l.lookNow()
	return nil
}

// whyNotJoined says what to correct, and where.
func whyNotJoined(err error) error {
	var refused tunnel.Refused
	switch {
	case errors.As(err, &refused):
		return screenui.Refusal{Field: "code", Reason: "refused", Message: "O hub recusou: " + refused.Message}
	case errors.Is(err, tunnel.ErrAddress):
		return screenui.Refusal{Field: "address", Reason: "badAddress", Message: "Não é o endereço de um hub; use algo como https://hub.exemplo.com.br"}
	case errors.Is(err, tunnel.ErrBadPin):
		return screenui.Refusal{Field: "pin", Reason: "badPin", Message: "O pin não é válido; copie-o da linha que o hub mostra, como sha256/…"}
	case errors.Is(err, tunnel.ErrUntrusted):
		return screenui.Refusal{Field: "pin", Reason: "pin", Message: "O hub fez o seu próprio certificado: informe o pin da linha que ele mostra"}
	case errors.Is(err, tunnel.ErrPin):
		return screenui.Refusal{Field: "pin", Reason: "pinDiffers", Message: "O certificado do hub não é o do pin: o endereço está certo? Alguém pode estar no meio do caminho"}
	case errors.Is(err, ErrJoined):
		return screenui.Refusal{Field: "address", Reason: "joined", Message: "Este terminal já está em um hub"}
	}
	return screenui.Refusal{Field: "address", Reason: whyUnreached(err), Message: "Não foi possível entrar no hub: " + portuguese.Error(syserror.Reason(err))}
}

// whyUnreached is a word for what kept the hub from answering. Trouble of our own, such as a full disk, has none.
func whyUnreached(err error) string {
	if errors.Is(err, tunnel.ErrNoHub) || errors.As(err, new(net.Error)) {
		return hubReason(err)
	}
	return ""
}

// Leave forgets the hub.
func (l *hubLink) Leave() error {
	l.joining.Lock()
	defer l.joining.Unlock()
	m, _ := tunnel.Load(l.dir)
	if err := tunnel.Remove(l.dir); err != nil && !errors.Is(err, tunnel.ErrNotJoined) {
		l.log(logbook.Error, tunnel.File+" não pode ser apagado: "+portuguese.Error(syserror.OfFile(err)))
		return err
	}
	l.log(logbook.Info, "o terminal saiu do hub "+m.Address+", pela tela")
	l.lookNow()
	return nil
}

func (l *hubLink) lookNow() {
	select {
	case l.nudge <- struct{}{}:
	default: // somebody else's nudge will do
	}
}
