package tefsim

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOrders(t *testing.T) {
	for _, c := range Cases {
		for _, o := range []Order{{Case: c}, {Case: c, Message: "duas palavras"}, {Command: "CNC", Case: c}} {
			if got, err := ParseOrder(o.String()); err != nil || got != o {
				t.Errorf("%q: %+v, %v", o, got, err)
			}
		}
	}
	for _, line := range []string{"", "CNF", "nonsense", "CNF nonsense"} {
		if _, err := ParseOrder(line); err == nil {
			t.Errorf("%q was taken", line)
		}
	}
}

func TestControlGivesEachCommandItsOwn(t *testing.T) {
	dir := t.TempDir()
	if _, found, err := controlled(dir, "CRT"); found || err != nil {
		t.Fatal(found, err)
	}
	if err := Steer(dir, Order{Command: "CNF", Case: NoStatus}, Order{Case: Refuse}, Order{Case: Approve}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		command string
		want    Case
	}{{"ATV", ""}, {"CRT", Refuse}, {"CNC", Approve}, {"CRT", ""}, {"CNF", NoStatus}, {"CNF", ""}} {
		if o, _, err := controlled(dir, step.command); err != nil || o.Case != step.want {
			t.Errorf("%s: %+v, %v", step.command, o, err)
		}
	}
}

func TestLedgerOutlivesACutLine(t *testing.T) {
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
	if _, err := l.file.WriteAt([]byte(`{"event":"char`), l.size); err != nil {
		t.Fatal(err)
	}
	l.file.Close()
	if l, err = openLedger(path); err != nil {
		t.Fatal(err)
	}
	defer l.file.Close()
	if err := l.append(Entry{Event: Protest, ID: "300"}); err != nil {
		t.Fatal(err)
	}
	b, err := ReadBalance(path)
	if err != nil || len(b.Accounts) != 2 || len(b.Protests) != 1 || l.nsu != 3 {
		t.Fatalf("%+v, %v", b, err)
	}
	if first, second := b.Accounts[0], b.Accounts[1]; first.Standing() || !first.Confirmed || !first.Open || second.Standing() || second.Open {
		t.Errorf("%+v", b)
	}
	if b, err := ReadBalance(filepath.Join(t.TempDir(), "none")); err != nil || len(b.Accounts) > 0 {
		t.Errorf("%+v, %v", b, err)
	}
	if err := os.WriteFile(path, []byte("nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openLedger(path); err == nil {
		t.Error("nonsense was taken for a ledger")
	}
}
