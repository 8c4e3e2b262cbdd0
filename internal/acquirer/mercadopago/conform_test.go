//go:build !race || everything

package mercadopago_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

func TestConforms(t *testing.T) {
	for _, search := range []bool{true, false} {
		t.Run(map[bool]string{true: "orders can be listed", false: "orders can't be listed"}[search], func(t *testing.T) {
			paymenttest.Conform(t, func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, dir, !search) })
		})
	}
}

func TestCalledOff(t *testing.T) {
	paymenttest.ConformCalledOff(t, func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, dir, false) })
}
