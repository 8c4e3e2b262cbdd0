package tefsim

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestOrders(t *testing.T) {
	for _, c := range Cases {
		for _, o := range []Order{{Case: c}, {Case: c, Message: "duas palavras"}, {Command: "CNC", Case: c}, {Every: 1, Case: c}, {Every: 12, Command: "CRT", Case: c}} {
			if got, err := ParseOrder(o.String()); err != nil || got != o {
				t.Errorf("%q: %+v, %v", o, got, err)
			}
		}
	}
	for _, line := range []string{"", "CNF", "nonsense", "CNF nonsense", "CNF refuse", "every", "every 0 refuse", "always"} {
		if _, err := ParseOrder(line); err == nil {
			t.Errorf("%q was taken", line)
		}
	}
}

func TestControlGivesEachCommandItsOwn(t *testing.T) {
	dir := t.TempDir()
	if once, _, _, err := controlled(dir, "CRT"); once != nil || err != nil {
		t.Fatal(once, err)
	}
	if err := Steer(dir, Order{Command: "CNF", Case: NoStatus}, Order{Case: Refuse}, Order{Case: Approve}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		command string
		want    Case
	}{{"ATV", ""}, {"CRT", Refuse}, {"CNC", Approve}, {"CRT", ""}, {"CNF", NoStatus}, {"CNF", ""}} {
		once, _, _, err := controlled(dir, step.command)
		if err != nil || (once == nil) != (step.want == "") || once != nil && once.Case != step.want {
			t.Errorf("%s: %+v, %v", step.command, once, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, Control), []byte("\nrefuse\nnonsense\nalways lost\r\nslow"), 0o600); err != nil {
		t.Fatal(err)
	}
	once, standing, nonsense, err := controlled(dir, "ATV")
	if err != nil || once != nil || len(standing) != 1 || len(nonsense) != 1 {
		t.Errorf("%v %v %v %v", once, standing, nonsense, err)
	}
	if left, err := os.ReadFile(filepath.Join(dir, Control)); err != nil || string(left) != "refuse\nslow\n" {
		t.Errorf("%q, %v", left, err)
	}
}

func TestHabits(t *testing.T) {
	s := &simulator{}
	s.take(Order{Every: 3, Case: Refuse})
	s.take(Order{Every: 1, Command: "CNF", Case: NoStatus})
	var got []Case
	for range 7 {
		o, _ := s.habitual("CRT")
		got = append(got, o.Case)
	}
	if !slices.Equal(got, []Case{"", "", Refuse, "", "", Refuse, ""}) {
		t.Errorf("%q", got)
	}
	if o, _ := s.habitual("CNF"); o.Case != NoStatus {
		t.Errorf("%+v", o)
	}
	s.take(Order{Every: 1, Case: Approve})
	for range 4 {
		if o, _ := s.habitual("CNC"); o.Case != Approve {
			t.Errorf("%+v", o)
		}
	}
}

func TestChaosIsTheSameForTheSameSeed(t *testing.T) {
	roll := func(seed uint64) (cases []Case, odd int) {
		c := Chaos{Share: 0.25, Seed: seed}.roll()
		for range 1000 {
			o, found := c.order("CRT")
			if found {
				odd++
			}
			cases = append(cases, o.Case)
		}
		return cases, odd
	}
	first, odd := roll(7)
	again, _ := roll(7)
	other, _ := roll(8)
	if !slices.Equal(first, again) || slices.Equal(first, other) || odd < 150 || odd > 350 {
		t.Errorf("%d of 1000 misbehave", odd)
	}
	c := Chaos{Share: 1, Cases: []Case{Lost}}.roll()
	if o, found := c.order("CNF"); found {
		t.Errorf("a confirmation was %+v", o)
	}
}

func TestLedgerIsReadWhileItIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	l, err := openLedger(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Entry{
		{Event: Charged, ID: "100", Key: "a", NSU: 1},
		{Event: Confirmed, ID: "100", Key: "a"},
		{Event: Cancelled, ID: "101", Key: "b", NSU: 2, Of: "a"},
		{Event: Charged, ID: "200", Key: "c", NSU: 3},
		{Event: Undone, ID: "200", Key: "c"},
	} {
		if err := l.append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.book.Close(); err != nil {
		t.Fatal(err)
	}
	if l, err = openLedger(path); err != nil {
		t.Fatal(err)
	}
	defer l.book.Close()
	if err := l.append(Entry{Event: Protest, ID: "300"}); err != nil {
		t.Fatal(err)
	}
	b, err := ReadBalance(path)
	if err != nil || len(b.Accounts) != 2 || len(b.Protests) != 1 || l.nsu != 3 {
		t.Fatalf("%+v, %v", b, err)
	}
	if first, second := b.Accounts[0], b.Accounts[1]; first.By != "101" || first.Standing() || !first.Confirmed || !first.Open || second.Standing() || second.Open {
		t.Errorf("%+v", b)
	}
	if b, err := ReadBalance(filepath.Join(t.TempDir(), "none")); err != nil || len(b.Accounts) > 0 {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestDoubleCharges(t *testing.T) {
	b := Balance{Accounts: []Account{
		{ID: "100"}, {ID: "100"}, {ID: "100"}, {ID: "200"}, {ID: "200", Undone: true}, {ID: "300", Cancelled: true}, {ID: "300"}, {ID: Stranger}, {ID: Stranger},
	}}
	if got := b.Double(); !slices.Equal(got, []string{"100"}) {
		t.Errorf("%q", got)
	}
}

func FuzzParseOrder(f *testing.F) {
	for _, line := range []string{"refuse Saldo insuficiente", "always CNF no-status", "every 3 wrong-id", "crt lost", "every 99999999999999999999 slow", "\xff", "approve\r\n"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		o, err := ParseOrder(line)
		if err != nil {
			return
		}
		if again, err := ParseOrder(o.String()); err != nil || again != o {
			t.Errorf("%q became %+v, then %+v (%v)", line, o, again, err)
		}
	})
}

// TestKilledWithALock is a response that its writer can't let go of any more.
func TestKilledWithALock(t *testing.T) {
	dir := t.TempDir()
	left := filepath.Join(dir, "Resp", "IntPos.001")
	if err := os.Mkdir(filepath.Dir(left), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(left, []byte("999-999 = 0\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := lock(filepath.Dir(left), filepath.Base(left)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := Run(ctx, Config{Dir: dir, Ledger: filepath.Join(dir, "ledger"), Ready: cancel}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(left); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(left); err != nil || info.Mode().Perm() == 0 { // the administrator could read it all the same
		t.Error(info.Mode(), err)
	}
}
