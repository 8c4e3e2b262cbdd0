package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/counter"
)

// callersCard is one that a caller puts where none belongs.
const callersCard = "378282246310005"

// TestNoCardNumberStays has a careless TEF manager tell whole card numbers wherever it can, in receipts, fields, texts
// and refusals, and a careless caller send one. Then it looks everywhere, the files of a killed terminal included.
func TestNoCardNumberStays(t *testing.T) {
	t.Parallel()
	ctx, figures := t.Context(), newFigures()
	s := newStation(Config{Binary: deadly(t), Dir: t.TempDir(), Acquirers: [][]string{{counter.TEF}}, Seed: 1}, 0, figures)
	t.Cleanup(func() { _ = s.Close() })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Open(ctx))
	must(s.startService(ctx, ""))
	s.Wish(counter.Approve)
	must(tefsim.Steer(s.Folder("tef"), tefsim.Order{Every: 1, Case: tefsim.Careless}))

	sale := s.caller.sell(1, counter.TEF, "03", 1000)
	if a := s.caller.pay(ctx, s.Service.API, sale); a.Status != 200 {
		t.Fatalf("%+v", a)
	}
	kept := s.fetch(t, "/transaction/"+sale.Reference)
	if !strings.Contains(kept, "4111 11** **** 1111") {
		t.Errorf("the receipt does not tell which card it was: %s", kept)
	}
	if a := s.caller.reverse(ctx, s.Service.API, sale, counter.Reversing); a.Status != 200 {
		t.Fatalf("%+v", a)
	}
	must(tefsim.Steer(s.Folder("tef"), tefsim.Order{Command: intpos.Sale, Case: tefsim.Refuse, Message: "CARTAO 4111111111111111 VENCIDO"}))
	refused := s.caller.sell(1, counter.TEF, "04", 2000)
	if a := s.caller.pay(ctx, s.Service.API, refused); a.Status != 403 || a.Message != "CARTAO 411111******1111 VENCIDO" {
		t.Errorf("%+v", a)
	}
	typed := map[string]any{
		"tPag": "03", "amount": 3, "referenceId": "cartao " + callersCard, "details": map[string]string{"cartao": callersCard},
	}
	if a := s.caller.ask(ctx, s.Service.API, "POST", "/transaction", typed); a.Status != 200 {
		t.Errorf("%+v", a)
	}
	s.caller.ask(ctx, s.Service.API, "GET", "/transaction/cartao%20"+callersCard, nil)
	s.caller.ask(ctx, s.Service.API, "POST", "/transaction/"+callersCard+"/reversal", nil)
	if logs := s.fetch(t, "/logs?limit=1000"); strings.Contains(logs, callersCard) || !strings.Contains(logs, "378282*****0005") {
		t.Errorf("the caller's card in the logs: %s", logs)
	}
	var own struct {
		Details struct{ Request map[string]string }
	}
	must(json.Unmarshal([]byte(s.fetch(t, "/transaction/cartao%20"+callersCard)), &own))
	if own.Details.Request["cartao"] != callersCard {
		t.Errorf("the caller's own details changed: %+v", own)
	}

	s.searchAnswers(ctx)
	must(s.KillService()) // so that what is not in the databases yet stays in their logs
	s.WaitForPeople()
	for _, f := range s.leaked() {
		// What the caller sends is the caller's, and stays as it came.
		if !strings.Contains(f.Text, callersCard) || !strings.HasPrefix(f.Text, "/transaction") {
			t.Error(f)
		}
	}
	files, err := filepath.Glob(filepath.Join(s.Data(), "logs.db*"))
	must(err)
	if len(files) == 0 {
		t.Error("no logs to look into")
	}
	for _, path := range append(files, s.Folder("service.log")) {
		text, err := os.ReadFile(path)
		must(err)
		if bytes.Contains(text, []byte(callersCard)) {
			t.Errorf("%s holds the caller's card", path)
		}
	}
}

// fetch is the terminal's answer as it stands.
func (s *station) fetch(t *testing.T, path string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+s.Service.API+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(user, password)
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCardNumbers(t *testing.T) {
	for text, want := range map[string]int{
		"4111111111111111": 1, "x4111 1111 1111 1111y": 1, "5555-5555.5555-4444": 1, "nsu 12 4111 1111 1111 1111": 1, "378282246310005": 1,
		"4111111111111112": 0, "411111******1111": 0, "2026-11-15 09:00": 0, "1763197200000000": 0, "41111111111111111111111": 0,
	} {
		if got := cardNumbers(text); len(got) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
