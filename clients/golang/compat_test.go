package client_test

import (
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/client"
)

// A terminal that also serves TEF IP's callers answers this client no worse.
func TestTerminalThatServesOthersToo(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	_, c := start(t, "--compat", "tefip")
	info, err := c.Info(ctx)
	must(t, err)
	if info.Compat != "tefip" {
		t.Errorf("%+v", info)
	}
	stream, err := c.StreamLogs(ctx)
	must(t, err)
	paid, err := c.Pay(ctx, client.Payment{Method: client.PIX, Amount: "10.00", Reference: "outro"})
	must(t, err)
	found, err := c.Transaction(ctx, "outro")
	must(t, err)
	if found.NSU != paid.NSU || found.Details.Status != client.Approved {
		t.Errorf("%+v", found)
	}
	for e, err := range stream {
		must(t, err)
		if !strings.HasPrefix(e.Message, "POST /transaction ") {
			continue
		}
		listed, err := c.Logs(ctx, client.LogFilter{Search: "POST /transaction ", Limit: 1})
		must(t, err)
		if len(listed) != 1 || listed[0] != e || e.ID == "" || time.Since(e.CreatedAt).Abs() > time.Hour {
			t.Errorf("%+v was %+v", listed, e)
		}
		break
	}
}
