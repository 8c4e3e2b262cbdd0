package pull

import (
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
)

// A payment's beginning is its first step. Where that is not in the page, and may be forgotten here, the answer has it; what makes no sense
// there holds nothing up.
func TestBeginnings(t *testing.T) {
	const line = `{"number":%,"attempt":1,"at":"2026-11-16T10:00:0%.123456Z","operation":"payment","state":"&","method":"credit","amount":"1.00","status":"approved","answer":{"details":{"createdAt":#}}}`
	step := func(number, state, created string) string {
		return strings.NewReplacer("%", number, "&", state, "#", created).Replace(line)
	}
	const begun = `"2026-11-16T10:00:01.123Z"`
	for name, c := range map[string]struct{ steps, want string }{
		"whole":           {step("1", "begun", begun) + "," + step("2", "confirmed", begun), "2026-11-16T10:00:01.123456Z"},
		"the end":         {step("2", "confirmed", begun) + "," + step("3", "reversed", begun), "2026-11-16T10:00:01.123Z"},
		"nothing said":    {step("2", "confirmed", "null"), "2026-11-16T10:00:02.123456Z"},
		"nonsense":        {step("2", "confirmed", `"ontem"`), "2026-11-16T10:00:02.123456Z"},
		"of another kind": {step("2", "confirmed", `7`), "2026-11-16T10:00:02.123456Z"},
		"to come":         {step("2", "confirmed", `"2026-11-17T10:00:00Z"`), "2026-11-16T10:00:02.123456Z"},
		"of no calendar":  {step("2", "confirmed", `"0001-01-01T00:00:00Z"`), "2026-11-16T10:00:02.123456Z"},
	} {
		b, err := ledgerBatch(records.Cursor{Epoch: "e"}, fleet.Place{}, []byte(`{"epoch":"e","steps":[`+c.steps+`]}`))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, x := range b.Transactions {
			if got := x.CreatedAt.UTC().Format(time.RFC3339Nano); got != c.want {
				t.Errorf("%s: begun %s, want %s", name, got, c.want)
			}
		}
	}
}
