package pull

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/tunnel"
)

const fuzzEpoch = "0b9e4fd4-3c6b-4b0a-9f6e-0a1b2c3d4e5f"

var fuzzPlace = fleet.Place{Account: "a", Tenant: "t", Shop: "s"}

// keepable tells of a text that every database takes.
func keepable(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// Whatever a terminal sends: what is taken of it goes forwards, and can be kept.
func FuzzLedgerPage(f *testing.F) {
	for _, seed := range []string{
		`{"epoch":"` + fuzzEpoch + `","last":2,"steps":[{"number":1,"attempt":1,"at":"2026-11-16T10:00:00Z","operation":"payment","state":"sent","method":"credit","amount":"1.00","status":"pending","answer":{}},` +
			`{"number":2,"attempt":1,"at":"2026-11-16T10:00:00Z","operation":"payment","state":"approved","reference":"r","method":"credit","amount":"1.00","status":"approved","answer":{"details":{"reversals":[{"amount":1,"at":"2026-11-16T10:00:00.000-03:00"}]}}}]}`,
		`{"epoch":"x"}`, `{}`, `{"epoch":"` + fuzzEpoch + `","steps":[{"number":-1}]}`, `[]`, `{} {}`,
	} {
		f.Add([]byte(seed), int64(0))
	}
	f.Fuzz(func(t *testing.T, page []byte, after int64) {
		before := records.Cursor{Terminal: "x", Epoch: fuzzEpoch, Kind: records.Ledger, Number: after}
		b, err := ledgerBatch(before, fuzzPlace, page)
		if err != nil {
			return
		}
		if b.After < after || len(b.Steps) != len(b.Transactions) {
			t.Fatalf("from %d to %d with %d steps of %d transactions", after, b.After, len(b.Steps), len(b.Transactions))
		}
		last := after
		for i, s := range b.Steps {
			if s.Number <= last || s.Number > b.After || !keepable(s.Note+s.Operation+s.State) {
				t.Fatalf("step %+v after %d", s, last)
			}
			last = s.Number
			if x := b.Transactions[i]; !keepable(x.Reference+x.Method+x.Status+x.NSU) || x.Place != fuzzPlace || x.Attempt != s.Attempt {
				t.Fatalf("transaction %+v", x)
			}
		}
	})
}

// Whatever a caller called a payment, those after it are read: the text is kept as any database takes it.
func TestReferencesHoldNothingUp(t *testing.T) {
	for reference, want := range map[string]string{`a\u0000b`: "a\uFFFDb", `\ud800`: "\uFFFD", strings.Repeat("x", 5000): strings.Repeat("x", longestReference)} {
		page := `{"epoch":"` + fuzzEpoch + `","steps":[{"number":1,"attempt":1,"at":"2026-11-16T10:00:00Z","operation":"payment","state":"sent","reference":"` + reference +
			`","method":"credit","amount":"1.00","status":"pending","answer":{}}]}`
		b, err := ledgerBatch(records.Cursor{Epoch: fuzzEpoch, Kind: records.Ledger}, fuzzPlace, []byte(page))
		if err != nil || len(b.Transactions) != 1 || b.Transactions[0].Reference != want {
			t.Errorf("%.20q: %.80v %v", reference, b.Transactions, err)
		}
	}
}

// A page that is far longer than any terminal's is refused while it is read, not afterwards.
func TestPagesOfVeryManyRecords(t *testing.T) {
	many := func(name, one string) []byte {
		return []byte(`{"epoch":"` + fuzzEpoch + `","` + name + `":[` + strings.Repeat(one+",", mostRecords) + one + `]}`)
	}
	if _, err := ledgerBatch(records.Cursor{Epoch: fuzzEpoch, Kind: records.Ledger}, fuzzPlace, many("steps", "{}")); !errors.Is(err, errBadPage) || !strings.Contains(err.Error(), "more than 1000") {
		t.Error(err)
	}
	if _, err := logBatch(records.Cursor{Epoch: fuzzEpoch, Kind: records.Log}, fuzzPlace, many("entries", "{}")); !errors.Is(err, errBadPage) || !strings.Contains(err.Error(), "more than 1000") {
		t.Error(err)
	}
	if _, _, err := said([]byte(`{"details":` + string(many("reversals", `{"amount":1,"at":"2026-11-16T10:00:00Z"}`)) + `}`)); !errors.Is(err, errBadPage) {
		t.Error(err)
	}
}

func FuzzLogPage(f *testing.F) {
	for _, seed := range []string{
		`{"epoch":"` + fuzzEpoch + `","first":1,"last":1,"entries":[{"id":1,"at":"2026-11-16T10:00:00Z","level":"info","source":"app","message":"a\u0000b"}]}`,
		`{"epoch":"` + fuzzEpoch + `","first":9,"last":9}`, `{}`, `null`,
	} {
		f.Add([]byte(seed), int64(0))
	}
	f.Fuzz(func(t *testing.T, page []byte, after int64) {
		b, err := logBatch(records.Cursor{Terminal: "x", Epoch: fuzzEpoch, Kind: records.Log, Number: after}, fuzzPlace, page)
		if err != nil {
			return
		}
		last := after
		for _, e := range b.Entries {
			if e.ID <= last || !keepable(e.Level+e.Source+e.Message+e.Details) || len(e.Message) > longestText {
				t.Fatalf("entry %+v after %d", e, last)
			}
			last = e.ID
		}
		if b.After < last {
			t.Fatalf("from %d to %d", after, b.After)
		}
	})
}

// Whatever a terminal says of how it is: what is taken of it is short, and can be kept and shown.
func FuzzPosition(f *testing.F) {
	f.Add([]byte(`{"epoch":"` + fuzzEpoch + `","ledger":1,"log":2,"state":{"version":"1","clock":"2026-11-16T10:00:00Z","busy":true,"running":"payment","printer":"ok","trouble":["tef"],"unresolved":1}}`))
	f.Add([]byte(`{"epoch":"\u0000","ledger":-1,"log":9223372036854775807,"state":{"clock":"0001-01-01T00:00:00Z","unresolved":-5,"version":"a\u0000b"},"origins":[{"epoch":"x","ledger":-1}]}`))
	f.Add([]byte(`{"state":{"trouble":["","","","","","","","","","","","","","","","","","","","","",""]}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var pos tunnel.Position
		if decode(line, &pos) != nil {
			return
		}
		s := cleanState(pos.State)
		for _, text := range append([]string{s.Version, s.Running, s.Printer}, s.Trouble...) {
			if !keepable(text) || len(text) > longestWord {
				t.Errorf("%q", text)
			}
		}
		if len(s.Trouble) > 20 || s.Unresolved < 0 || !s.Clock.IsZero() && !sane(s.Clock) {
			t.Errorf("%+v", s)
		}
		if _, err := json.Marshal(s); err != nil {
			t.Error(err)
		}
	})
}
