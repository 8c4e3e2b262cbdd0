//go:build !race || everything

package controlpay_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

func TestConforms(t *testing.T) { paymenttest.Conform(t, fixture) }

func TestCalledOff(t *testing.T) { paymenttest.ConformCalledOff(t, fixture) }
