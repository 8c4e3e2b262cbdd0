package ledger

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// A payment given back in parts is told as such wherever people and programs read of it.
func TestPartsInReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tx := clitest.Approved(clitest.At(t, "2025-11-15 10:00:00"), "100", "venda-1")
	tx.State, tx.Reversals = payment.StateReturned, []payment.Reversal{
		{ID: "troca-7", Amount: money.MustParse("30"), NSU: "8", At: clitest.At(t, "2025-11-15 11:00:00")},
		{Amount: money.MustParse("50")}, // refused
		{Amount: money.MustParse("20.50"), NSU: "9", At: clitest.At(t, "2025-11-16 09:00:00")},
	}
	clitest.Keep(t, dir, tx)

	sheet := csv.NewReader(strings.NewReader(strings.TrimPrefix(clitest.Output(t, "transactions", "--data", dir, "--format", "csv"), "\ufeff")))
	sheet.Comma = ';'
	rows, err := sheet.ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%q, %v", rows, err)
	}
	row := map[string]string{}
	for i, name := range rows[0] {
		row[name] = rows[1][i]
	}
	for name, want := range map[string]string{
		"Situação": "aprovada", "Valor": "100,00", "Estornada em": "", "NSU do estorno": "8 9", "Valor estornado": "50,50",
	} {
		if row[name] != want {
			t.Errorf("%s is %q, want %q", name, row[name], want)
		}
	}

	shown := clitest.Output(t, "transactions", "show", "--data", dir, "venda-1")
	for _, want := range []string{"Estornos pedidos 3", "Valor do estorno R$ 30,00", "troca-7", "Valor do estorno R$ 20,50", "Resta            R$ 49,50", "estornada em parte"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
	listed := clitest.Output(t, "transactions", "--data", dir)
	for _, want := range []string{"aprovada*", "* estornada em parte", "estornos R$ 50,50 · líquido R$ 49,50"} {
		if !strings.Contains(listed, want) {
			t.Errorf("no %q in\n%s", want, listed)
		}
	}

	type sum struct {
		Count  int
		Amount json.Number
	}
	for day, want := range map[string][3]sum{ // given back, in parts, of earlier days
		"2025-11-15": {{1, "30.00"}, {1, "30.00"}, {0, "0.00"}}, "2025-11-16": {{1, "20.50"}, {0, "0.00"}, {1, "20.50"}},
	} {
		var got struct {
			Total                              struct{ Reversed sum }
			PartialReversals, EarlierReversals sum
		}
		text := clitest.Output(t, "closing", "--data", dir, "--since", day, "--until", day, "--format", "json")
		if err := json.Unmarshal([]byte(text), &got); err != nil || [3]sum{got.Total.Reversed, got.PartialReversals, got.EarlierReversals} != want {
			t.Errorf("%s: %+v, %v; want %v", day, got, err, want)
		}
	}
}
