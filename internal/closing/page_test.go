package closing

import (
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/receipt"
)

var update = flag.Bool("update", false, "write the golden files anew")

var imprint = Imprint{Shop: "Padaria São João", Terminal: "caixa-2", Program: "maquininha 0.1.0 (build 42)", At: day(16, 8, 30)}

// busy is a day with something of everything.
func busy() *Report {
	r := New(Period{day(15, 0, 0), day(16, 0, 0)})
	open := made(3, day(13, 17, 2), "75.5", payment.Credit, 1, "02", payment.Pending)
	unsure := made(18, day(15, 21, 7), "120.00", payment.Credit, 1, "06", payment.Pending)
	unsure.Reversals = []payment.Reversal{{Amount: unsure.Request.Amount}}
	nameless := made(19, day(15, 21, 40), "33.33", payment.AnyMethod, 1, "", payment.Pending)
	nameless.Request.Reference = ""
	long := made(20, day(15, 22, 15), "8.90", payment.Pix, 1, "", payment.Pending)
	long.Request.Reference = "loja-17/caixa-02/2026-11-15/3f2b8c1e-98aa-4d5c-b1fe-6f0f3a7d2c44"
	for _, t := range []payment.Transaction{
		open,
		givenBack(made(7, day(14, 20, 11), "249.90", payment.Credit, 3, "02", payment.Approved), day(15, 9, 5)),
		made(8, day(15, 8, 1), "18.40", payment.Debit, 1, "01", payment.Approved),
		made(9, day(15, 8, 20), "54.24", payment.Credit, 1, "01", payment.Approved),
		made(10, day(15, 9, 12), "1234.56", payment.Credit, 10, "03", payment.Approved),
		made(11, day(15, 10, 0), "0.51", payment.Credit, 1, "01", payment.Refused),
		givenBack(made(12, day(15, 10, 30), "39.90", payment.Credit, 1, "02", payment.Approved), day(15, 11, 0)),
		givenBack(made(13, day(15, 12, 30), "60.00", payment.Pix, 1, "", payment.Approved), day(16, 7, 0)),
		made(14, day(15, 13, 30), "9999999.99", payment.Pix, 1, "", payment.Approved),
		made(15, day(15, 14, 0), "12.00", payment.Debit, 1, "", payment.Cancelled),
		made(16, day(15, 15, 0), "7.00", payment.Debit, 1, "99", payment.Approved),
		unsure, nameless, long,
	} {
		r.Add(t)
	}
	return r
}

func TestGolden(t *testing.T) {
	for name, r := range map[string]*Report{"busy": busy(), "empty": New(Period{day(15, 0, 0), day(16, 0, 0)})} {
		page := r.Page(imprint)
		golden := filepath.Join("testdata", "golden", name+".txt")
		if *update {
			if err := os.WriteFile(golden, []byte(page.Plain()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), page.Plain()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, paper := range []receipt.Paper{receipt.Paper58, receipt.Paper80} {
			dots, err := page.Raster(paper)
			if err != nil {
				t.Fatal(err)
			}
			checkPicture(t, filepath.Join("testdata", "golden", fmt.Sprintf("%s-%d.png", name, paper.Width)), dots)
		}
	}
}

// checkPicture compares dots with those of a picture that somebody has looked at.
func checkPicture(t *testing.T, golden string, got *receipt.Bitmap) {
	t.Helper()
	if *update {
		file, err := os.Create(golden)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := png.Encode(file, got.Image()); err != nil {
			t.Fatal(err)
		}
		return
	}
	file, err := os.Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != got.Image().Bounds() {
		t.Fatalf("%s: %v, want %v", golden, got.Image().Bounds(), want.Bounds())
	}
	for y := range got.Height {
		for x := range got.Width {
			if r, _, _, _ := want.At(x, y).RGBA(); got.Black(x, y) != (r == 0) {
				t.Fatalf("%s differs at %d, %d", golden, x, y)
			}
		}
	}
}

func TestPeriodInWords(t *testing.T) {
	now := day(15, 18, 30)
	for want, p := range map[string]Period{
		"15/11/2026\nparcial, até as 18:30":                        {day(15, 0, 0), day(16, 0, 0)},
		"14/11/2026":                                               {day(14, 0, 0), day(15, 0, 0)},
		"De 01/11/2026 a 14/11/2026":                               {day(1, 0, 0), day(15, 0, 0)},
		"De 01/11/2026 00:00\naté agora, 15/11/2026 18:30":         {day(1, 0, 0), day(16, 0, 0)},
		"De 14/11/2026 22:00:00\naté antes de 15/11/2026 06:00:00": {day(14, 22, 0), day(15, 6, 0)},
		"De 13/11/2026 22:00:00\naté o fim de 14/11/2026":          {day(13, 22, 0), day(15, 0, 0)},
		"De 14/11/2026 22:00\naté agora, 15/11/2026 18:30":         {day(14, 22, 0), time.Time{}},
		"Até 14/11/2026":                                           {time.Time{}, day(15, 0, 0)},
		"Antes de 15/11/2026 06:00:00":                             {time.Time{}, day(15, 6, 0)},
		"Até 15/11/2026 18:30":                                     {},
		"De 14/11/2026 00:00:00\naté antes de 15/11/2026 18:29:00": {day(14, 0, 0), day(15, 18, 29)},
	} {
		if got := p.words(now); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}

// A day without zero hours is a day.
func TestPeriodOfDaysWithoutMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	sixth, seventh := time.Date(2026, 9, 6, 1, 0, 0, 0, zone), time.Date(2026, 9, 7, 0, 0, 0, 0, zone)
	now := time.Date(2026, 9, 8, 18, 30, 0, 0, zone)
	for want, p := range map[string]Period{
		"05/09/2026":                 {time.Date(2026, 9, 5, 0, 0, 0, 0, zone), sixth},
		"06/09/2026":                 {sixth, seventh},
		"De 06/09/2026 a 07/09/2026": {sixth, time.Date(2026, 9, 8, 0, 0, 0, 0, zone)},
		"Até 06/09/2026":             {time.Time{}, seventh},
	} {
		if got := p.words(now); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}
