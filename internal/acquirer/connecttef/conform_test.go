//go:build !race || everything

package connecttef_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

func TestConforms(t *testing.T) {
	for _, empty := range []bool{false, true} {
		t.Run(map[bool]string{false: "what is unknown is 404", true: "what is unknown is empty"}[empty], func(t *testing.T) {
			paymenttest.Conform(t, func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, dir, empty) })
		})
	}
}

func TestCalledOff(t *testing.T) {
	paymenttest.ConformCalledOff(t, func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, dir, false) })
}
