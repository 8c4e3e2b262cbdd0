package ledger

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/payment"
)

// overMidnight are two days' payments, and a reversal on the second of one of the first.
func overMidnight(t *testing.T) []payment.Transaction {
	t.Helper()
	given := clitest.Stand(clitest.Approved(clitest.At(t, "2025-11-14 23:59:59.999"), "100", "a"), payment.Reversed)
	given.Reversals = []payment.Reversal{{NSU: "9", Amount: given.Request.Amount, At: clitest.At(t, "2025-11-15 00:00:00")}}
	pix := clitest.Approved(clitest.At(t, "2025-11-15 23:59:59.999"), "0.3", "c")
	pix.Request.Method, pix.Outcome.Brand = payment.Pix, ""
	return []payment.Transaction{
		clitest.Stand(clitest.Approved(clitest.At(t, "2025-11-10 10:00:00"), "5", "aberta"), payment.Pending), given, clitest.Approved(clitest.At(t, "2025-11-15 00:00:00"), "0.1", "b"), pix,
		clitest.Approved(clitest.At(t, "2025-11-16 00:00:00"), "7", "d"),
	}
}

func TestClosingAroundMidnight(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Keep(t, dir, overMidnight(t)...)
	type sum struct {
		Count  int
		Amount json.Number
	}
	type balance struct {
		Gross, Reversed sum
		Net             json.Number
	}
	var got struct {
		Since, Until string
		Total        balance
		Types        []struct {
			Type string
			balance
		}
		Brands []struct {
			TBand *string
			balance
		}
		EarlierReversals sum
		Pending          []struct {
			ReferenceID string
			Amount      json.Number
			Operation   string
		}
		First, Last struct{ ReferenceID string }
	}
	text := clitest.Output(t, "closing", "--data", dir, "--since", "2025-11-15", "--until", "2025-11-15", "--format", "json")
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if got.Since != "2025-11-15T00:00:00.000-03:00" || got.Until != "2025-11-16T00:00:00.000-03:00" ||
		got.Total != (balance{sum{2, "0.40"}, sum{1, "100.00"}, "-99.60"}) || got.EarlierReversals != (sum{1, "100.00"}) ||
		len(got.Types) != 2 || got.Types[0].Type != "credit" || got.Types[0].Net != "-99.90" || got.Types[1].Gross.Amount != "0.30" ||
		len(got.Brands) != 2 || *got.Brands[0].TBand != "01" || got.Brands[1].TBand != nil ||
		len(got.Pending) != 1 || got.Pending[0].ReferenceID != "aberta" || got.Pending[0].Operation != "payment" ||
		got.First.ReferenceID != "b" || got.Last.ReferenceID != "c" {
		t.Errorf("%+v\n%s", got, text)
	}
	for _, c := range []struct{ flags, want string }{
		{"--since 2025-11-14 --until 2025-11-14", "LÍQUIDO R$                                100,00\n"},
		{"--since 2025-11-15 --until 2025-11-15", "LÍQUIDO R$                                −99,60\n"},
		{"--since 2025-11-14 --until 2025-11-16", "LÍQUIDO R$                                  7,40\n"},
		{"--since 2025-11-15 --until 2025-11-15", "PENDENTES: VERIFIQUE                           1\naberta                                      5,00\n"},
		{"--since 2025-11-01 --until 2025-11-01", "Nenhuma transação feita no período."},
		{"", "parcial, até as "},
		{"--yesterday", "FECHAMENTO"},
	} {
		if text := clitest.Output(t, append([]string{"closing", "--data", dir}, strings.Fields(c.flags)...)...); !strings.Contains(text, c.want) {
			t.Errorf("%s: no %q in\n%s", c.flags, c.want, text)
		}
	}
}

func TestClosingOnPaper(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Keep(t, dir, overMidnight(t)...)
	fake := escpostest.Listen(t, 384)
	picture := filepath.Join(t.TempDir(), "fechamento.png")
	out := clitest.Output(t, "closing", "--data", dir, "--since", "2025-11-15", "--width", "384", "--printer", "tcp://"+fake.Address, "--png", picture)
	if out != "" || len(fake.Sheets()) != 1 {
		t.Fatalf("%d sheets, and wrote %q", len(fake.Sheets()), out)
	}
	file, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	drawn, err := png.Decode(file)
	if err != nil || drawn.Bounds().Dx() != 384 || drawn.Bounds().Dy() < 400 {
		t.Errorf("%v, %v", drawn.Bounds(), err)
	}
	if words := clitest.Complaint(t, "closing", "--data", dir, "--printer", "file:"+filepath.Join(dir, "falta")); !strings.Contains(words, "falta não existe") {
		t.Error(words)
	}
}
