//go:build !race || everything

package cielo_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/cielo/ordersim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

// TestConforms has what goes wrong go wrong with the draft, or with its placing.
func TestConforms(t *testing.T) {
	for _, c := range []struct {
		name   string
		call   httpsim.Call
		strict bool
	}{{"the draft", ordersim.OnCreate, false}, {"placing it", ordersim.OnPlace, false}, {"placing it once", ordersim.OnPlace, true}} {
		t.Run(c.name, func(t *testing.T) {
			paymenttest.Conform(t, func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, dir, c.call, c.strict) })
		})
	}
}

func TestCalledOff(t *testing.T) {
	paymenttest.ConformCalledOff(t, func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, dir, ordersim.OnPlace, false) })
}
