package inspection

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/cielo"
	"github.com/maquininha/maquininha/internal/acquirer/connecttef"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// lookAtDevice asks an acquirer over HTTP a harmless question. What is missing was said already, and so is what is neither
// good nor wrong. It tells that all is well.
func (i *Inspection) lookAtDevice(subject string, missing error, ask func(context.Context) (clock time.Time, good, wrong string)) (well bool) {
	if missing != nil {
		return false
	}
	if i.Offline {
		i.Skipped(subject, "não consultado (--offline)")
		return false
	}
	ctx, cancel := context.WithTimeout(i.Context, 20*time.Second)
	defer cancel()
	asked := time.Now()
	clock, good, wrong := ask(ctx)
	if !clock.IsZero() {
		i.heardClock(clock, asked, time.Since(asked))
	}
	if wrong != "" {
		i.Wrong(subject, "%s", wrong)
		return false
	}
	if good == "" {
		return false
	}
	i.Good(subject, "%s", good)
	return true
}

// whyNoAnswer is for what is not the acquirer's own word.
func whyNoAnswer(err error, host, acquirer, setting string) string {
	if errors.Is(err, remote.ErrSomebodyElse) {
		return "o que responde em " + host + " não é " + acquirer + ": confira o endereço (" + setting + ")"
	}
	if why := whyNotReached(err, host); why != "" {
		return why
	}
	return portuguese.Error(err)
}

// unproven says of who answers that it may be somebody else.
func (i *Inspection) unproven(subject, host, acquirer, setting string) {
	i.Doubtful(subject, "%s responde, mas nada na resposta prova que seja %s: confira o endereço (%s) e faça uma venda de teste", host, acquirer, setting)
}

// lookAtConnectTEF asks for an operation that nobody made: that proves that it is Connect TEF, and moves no money.
func (i *Inspection) lookAtConnectTEF(c app.ConnectTEF) {
	i.lookAtDevice("Connect TEF", c.Check(), func(ctx context.Context) (clock time.Time, good, wrong string) {
		clock, err := connecttef.Reach(ctx, c.Driver())
		if err == nil {
			return clock, "a API local responde em " + c.Host(), ""
		}
		if errors.Is(err, remote.ErrUnproven) {
			i.unproven("Connect TEF", c.Host(), "o Connect TEF", "--connecttef-url")
			return clock, "", ""
		}
		if why := whyNotReached(err, c.Host()); why != "" {
			return clock, "", why + ": o Connect TEF está aberto, neste endereço (--connecttef-url)?"
		}
		return clock, "", whyNoAnswer(err, c.Host(), "o Connect TEF", "--connecttef-url")
	})
}

// lookAtCielo looks for an order that nobody made: that proves the credentials, and moves no money.
func (i *Inspection) lookAtCielo(c app.Cielo) {
	i.lookAtDevice("Cielo", c.Check(), func(ctx context.Context) (clock time.Time, good, wrong string) {
		clock, err := cielo.Reach(ctx, c.Driver())
		switch {
		case err == nil:
			return clock, "as credenciais servem; que maquininhas a loja tem, a Cielo não diz", ""
		case errors.Is(err, remote.ErrUnproven):
			i.unproven("Cielo", c.Host(), "a Cielo", "--cielo-url")
			return clock, "", ""
		case errors.Is(err, cielo.ErrRefusedToken):
			return clock, "", "a Cielo recusou o Client-Id ou o Access-Token: são do mesmo ambiente, inteiros? (--cielo-client-id e MAQUININHA_CIELO_TOKEN ou --cielo-token-file)"
		case errors.Is(err, cielo.ErrRefusedMerchant):
			return clock, "", "estas credenciais não dão acesso a este Merchant-Id (--cielo-merchant-id)"
		}
		return clock, "", whyNoAnswer(err, c.Host(), "a Cielo", "--cielo-url")
	})
}
