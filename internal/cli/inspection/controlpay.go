package inspection

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/controlpay"
	"github.com/maquininha/maquininha/internal/app"
)

// lookAtControlPay looks for a sale that is not there: that proves the key, and moves no money.
func (i *Inspection) lookAtControlPay(p app.ControlPay) {
	const subject = "ControlPay"
	well := i.lookAtDevice(subject, p.Check(), func(ctx context.Context) (clock time.Time, good, wrong string) {
		clock, err := controlpay.Reach(ctx, p.Driver())
		switch {
		case err == nil:
			return clock, fmt.Sprintf("a chave é aceita; o terminal %d é conferido na primeira venda", p.Terminal), ""
		case errors.Is(err, controlpay.ErrRefusedKey):
			return clock, "", "a chave de integração foi recusada: está inteira, e é deste ambiente? (MAQUININHA_CONTROLPAY_KEY ou --controlpay-key-file)"
		}
		return clock, "", whyNoAnswer(err, p.Host(), "o ControlPay", "--controlpay-url")
	})
	if well && p.Password == "" {
		i.Doubtful(subject, "falta a senha técnica (MAQUININHA_CONTROLPAY_PASSWORD ou --controlpay-password-file): sem ela o terminal recebe, mas não faz estornos")
	}
}
