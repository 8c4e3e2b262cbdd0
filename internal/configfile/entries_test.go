package configfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var repeating = []Setting{
	{Key: "delay", Kind: Duration},
	{Table: "payment", Key: "amount", Kind: Amount, Repeats: true},
	{Table: "payment", Key: "outcome", Choices: []string{"approve", "refuse"}, Repeats: true},
	{Table: "payment", Key: "message", Repeats: true},
	{Table: "busy", Key: "times", Kind: Number, Repeats: true},
	{Table: "printer", Key: "state"},
}

func TestTablesThatRepeat(t *testing.T) {
	f := Parse([]byte("delay = '1s'\n[[payment]]\namount = 54.240\noutcome = 'refuse'\n[[busy]]\ntimes = 2\n[[payment]]\nmessage = ''\noutcome = 'approve'\n[[payment]]\n[printer]\nstate = 'ok'\n"), repeating)
	want := []Entry{
		{"payment", 2, map[string]Value{"amount": {"54.240", 3}, "outcome": {"refuse", 4}}},
		{"busy", 5, map[string]Value{"times": {"2", 6}}},
		{"payment", 7, map[string]Value{"message": {"", 8}, "outcome": {"approve", 9}}},
		{"payment", 10, map[string]Value{}},
	}
	if diff := cmp.Diff(want, f.Entries); diff != "" || f.Problems != nil {
		t.Error(diff, f.Problems)
	}
	if diff := cmp.Diff(map[string]Value{"delay": {"1s", 1}, "printer.state": {"ok", 12}}, f.Values); diff != "" {
		t.Error(diff)
	}
}

func TestProblemsInTablesThatRepeat(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"once only", "[payment]\noutcome = 'approve'\n", "x.toml:1: [payment]: escreva [[payment]], uma vez para cada"},
		{"dotted", "payment.outcome = 'approve'\n", "x.toml:1: [payment] outcome: escreva [[payment]], uma vez para cada"},
		{"inline", "payment = { outcome = 'approve' }\n", "x.toml:1: [payment] outcome: escreva [[payment]], uma vez para cada"},
		{"an unknown key", "[[payment]]\nammount = 1\n", `x.toml:2: [payment] ammount: chave desconhecida; quis dizer "amount"?`},
		{"an unknown table", "[[paiment]]\namount = 1\n", `x.toml:1: [paiment]: tabela desconhecida; quis dizer "payment"?`},
		{"a key twice in one", "[[payment]]\namount = 1\n[[payment]]\namount = 1\namount = 2\n", "x.toml:5: [payment] amount: chave repetida; já está na linha 4"},
		{"an amount as text", "[[payment]]\namount = '54.24'\n", "x.toml:2: [payment] amount: deve ser um valor como 54.24, sem aspas"},
		{"an amount below zero", "[[payment]]\namount = -1\n", "x.toml:2: [payment] amount: deve ser um valor como 54.24, sem aspas"},
		{"an amount that is none", "[[payment]]\namount = inf\n", "x.toml:2: [payment] amount: deve ser um valor como 54.24, sem aspas"},
		{"outside the list", "[[payment]]\noutcome = 'no'\n", "x.toml:2: [payment] outcome: deve ser um de approve, refuse"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := Parse([]byte(test.text), repeating)
			f.Path = "x.toml"
			if diff := cmp.Diff(test.want, strings.Join(f.Complaints(), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
