//go:build !windows

package simulate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// till is a cash program that writes its files by hand.
type till struct {
	t   *testing.T
	dir string
}

// writes puts a request where the manager looks; fields are number and value by turns.
func (c till) writes(fields ...string) {
	c.t.Helper()
	var b strings.Builder
	for i := 0; i < len(fields); i += 2 {
		fmt.Fprintf(&b, "%s-000 = %s\r\n", fields[i], fields[i+1])
	}
	b.WriteString("999-999 = 0\r\n")
	temporary := filepath.Join(c.dir, "Req", "IntPos.tmp")
	if err := os.WriteFile(temporary, []byte(b.String()), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Rename(temporary, filepath.Join(c.dir, "Req", "IntPos.001")); err != nil {
		c.t.Fatal(err)
	}
}

// reads waits for a file of the manager's, takes it away, and returns its fields.
func (c till) reads(name string) map[string]string {
	c.t.Helper()
	path := filepath.Join(c.dir, "Resp", name)
	var data []byte
	waittest.Until(c.t, name+" is there", func() (whole bool) {
		data, _ = os.ReadFile(path) // what is not there yet is not whole
		return strings.Contains(string(data), "999-999 = 0\r\n")
	})
	if err := os.Remove(path); err != nil {
		c.t.Fatal(err)
	}
	text, _ := charmap.Windows1252.NewDecoder().String(string(data))
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		head, value, _ := strings.Cut(line, " = ")
		fields[head] = strings.TrimSpace(value)
	}
	return fields
}

// asks is a request and the status that says it was taken.
func (c till) asks(fields ...string) {
	c.t.Helper()
	c.writes(fields...)
	if s := c.reads("IntPos.Sts"); s["000-000"] != fields[1] || s["001-000"] != fields[3] {
		c.t.Fatalf("%v for %v", s, fields)
	}
}

func (c till) sells(id, amount string) map[string]string {
	c.t.Helper()
	c.asks("000", "ATV", "001", id)
	c.asks("000", "CRT", "001", id, "003", amount, "706", "156")
	r := c.reads("IntPos.001")
	if r["001-000"] != id {
		c.t.Fatalf("%v for %s", r, id)
	}
	return r
}

func (c till) finishes(command string, sale map[string]string) {
	c.t.Helper()
	c.asks("000", command, "001", sale["001-000"], "010", sale["010-000"], "012", sale["012-000"], "027", sale["027-000"])
}

func (c till) balance() tefsim.Balance {
	c.t.Helper()
	b, err := tefsim.ReadBalance(filepath.Join(c.dir, "simulador.jsonl"))
	if err != nil {
		c.t.Fatal(err)
	}
	return b
}

func TestSimulateTEF(t *testing.T) {
	t.Parallel()
	c := till{t, filepath.Join(t.TempDir(), "loja nova")}
	run := func(more ...string) *clitest.Running {
		p := clitest.Start(t, append([]string{"simulate", "tef", c.dir, "--poll", "1ms"}, more...)...)
		p.Sees("--acquirer-card tef --tef-dir '" + c.dir + "' --tef-profile paygo")
		return p
	}
	p := run()
	paid := c.sells("100", "15000")
	if paid["009-000"] != "0" || paid["003-000"] != "15000" || paid["729-000"] != "2" || paid["713-003"] != `"VALOR: R$ 150,00"` {
		t.Errorf("%v", paid)
	}
	p.Sees("CRT 100  R$ 150,00  aprovada, espera CNF ou NCN, NSU 000001")
	c.finishes("CNF", paid)
	p.Sees("CNF 100  confirmada, NSU 000001")

	if err := os.WriteFile(filepath.Join(c.dir, "simulador.txt"), []byte("refuse Sem saldo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := c.sells("200", "700"); r["009-000"] != "1" || r["030-000"] != "Sem saldo" {
		t.Errorf("%v", r)
	}
	p.Sees("recusada: Sem saldo  [refuse]")
	fmt.Fprintln(p.Typed, "nonsense\nno-009")
	p.Sees(`"nonsense" não é um caso`)
	p.Sees("ORDEM  no-009")
	open := c.sells("300", "800")
	if _, told := open["009-000"]; told {
		t.Errorf("%v", open)
	}
	if said, code := clitest.Start(t, "simulate", "tef", c.dir).Ends(); code != 1 || !strings.Contains(said, "outro simulador já usa a pasta "+c.dir) {
		t.Errorf("a second one ended with %d: %s", code, said)
	}
	p.Kill()

	p = run()
	if r := c.sells("400", "900"); r["009-000"] == "0" || r["027-000"] != open["027-000"] {
		t.Errorf("the pending sale was forgotten: %v", r)
	}
	c.finishes("NCN", open)
	p.Sees("NCN 300  desfeita, NSU 000002")
	c.asks("000", "ATV", "001", "500")
	c.asks("000", "CNC", "001", "500", "003", "15000", "010", paid["010-000"], "012", paid["012-000"], "013", paid["013-000"],
		"022", paid["022-000"], "023", paid["023-000"], "027", paid["027-000"])
	back := c.reads("IntPos.001")
	if back["009-000"] != "0" {
		t.Fatalf("%v", back)
	}
	c.finishes("CNF", back)
	p.Stop(syscall.SIGTERM)

	b := c.balance()
	if len(b.Accounts) != 2 || len(b.Protests) != 0 || len(b.Double()) != 0 {
		t.Fatalf("%+v", b)
	}
	if first, second := b.Accounts[0], b.Accounts[1]; first.By != "500" || first.Standing() || first.Open || !second.Undone || second.ID != "300" {
		t.Errorf("%+v", b)
	}
}

// TestSimulateTEFRefuses is what the rules of the exchange forbid.
func TestSimulateTEFRefuses(t *testing.T) {
	t.Parallel()
	c := till{t, t.TempDir()}
	p := clitest.Start(t, "simulate", "tef", c.dir, "--poll", "1ms")
	p.Sees("--tef-profile")
	for _, bad := range []struct {
		fields []string
		says   string
	}{
		{[]string{"000", "CRT", "001", "12345678901", "003", "100"}, "o 001 deve ter de 1 a 10 dígitos"},
		{[]string{"000", "CRT", "001", "abc", "003", "100"}, "o 001 deve ter de 1 a 10 dígitos"},
		{[]string{"000", "XYZ", "001", "1"}, "operação desconhecida"},
	} {
		c.writes(bad.fields...)
		p.Sees("PROTESTO: " + bad.says)
	}
	for i, bad := range []struct {
		fields []string
		says   string
	}{
		{[]string{"000", "CRT", "003", "1.00"}, "o valor (003)"},
		{[]string{"000", "CRT", "003", "000"}, "o valor (003)"},
		{[]string{"000", "CNC", "003", "100", "010", "DEMO", "012", "000001"}, "nenhuma venda tem este 012"},
	} {
		id := fmt.Sprint(i + 1)
		c.asks("000", "ATV", "001", id)
		c.asks(slices.Insert(bad.fields, 2, "001", id)...)
		if r := c.reads("IntPos.001"); r["009-000"] == "0" {
			t.Errorf("%v was approved", bad.fields)
		}
		p.Sees("PROTESTO: " + bad.says)
	}
	c.asks("000", "CNF", "001", "9", "010", "DEMO", "012", "000009", "027", "123")
	p.Sees("PROTESTO: nada a confirmar")
	c.asks("000", "CRT", "001", "10", "003", "100") // not every program sends ATV before
	c.reads("IntPos.001")
	if err := os.WriteFile(filepath.Join(c.dir, "Req", "INTPOS.001"), []byte("000-000 = ATV\r\n001-000 = 1\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Sees("o pedido está incompleto")
	p.Stop(os.Interrupt)
	if b := c.balance(); len(b.Protests) != 7 || len(b.Accounts) != 1 {
		t.Errorf("%+v", b)
	}
}

// TestSimulateTEFBySeed has the same sales misbehave in the same way.
func TestSimulateTEFBySeed(t *testing.T) {
	t.Parallel()
	var runs [2][]string
	for i := range runs {
		c := till{t, t.TempDir()}
		p := clitest.Start(t, "simulate", "tef", c.dir, "--poll", "1ms", "--profile", "tefdial", "--chaos", "50%", "--chaos-cases", "refuse,final,cancel", "--seed", "3")
		p.Sees("--tef-profile tefdial")
		if _, err := os.Stat(filepath.Join(c.dir, "REQ")); err != nil {
			t.Error(err)
		}
		for _, name := range []string{"Req", "Resp"} {
			if err := os.Symlink(strings.ToUpper(name), filepath.Join(c.dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		for n := range 12 {
			r := c.sells(fmt.Sprint(n+1), "100")
			runs[i] = append(runs[i], r["009-000"]+r["030-000"]+r["729-000"])
			if r["729-000"] == "2" {
				c.finishes("CNF", r)
			}
		}
		p.Stop(syscall.SIGTERM)
	}
	if !slices.Equal(runs[0], runs[1]) || len(slices.Compact(slices.Sorted(slices.Values(runs[0])))) < 3 {
		t.Errorf("%q\n%q", runs[0], runs[1])
	}
}
