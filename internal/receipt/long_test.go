package receipt

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// longPage is a coupon of n items.
func longPage(n int) (page Page) {
	page.Add(Text{Value: "Padaria São João", Bold: true, Align: Center, Size: 10}, Rule{})
	for range n {
		page.Add(
			table(false, "7891000100103", "Leite condensado integral 395 g", "2", "UN", "12,98"),
			Pair{Left: "2 UN × 6,49", Right: "12,98", Size: 8},
		)
	}
	page.Add(Rule{Dashed: true}, QR{Text: qrTexts["v3 on-line"]})
	return page
}

func TestALongPageIsDrawnInLittleMemory(t *testing.T) {
	page := longPage(500)
	if err := page.Check(Paper80); err != nil {
		t.Fatal(err)
	}
	var before, during runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rows, most := 0, uint64(0)
	for band := range page.Bands(Paper80) {
		if rows += band.Height; rows%5000 < band.Height {
			runtime.GC()
			runtime.ReadMemStats(&during)
			most = max(most, during.HeapAlloc)
		}
	}
	if rows < 20_000 {
		t.Errorf("only %d rows", rows)
	}
	if most > before.HeapAlloc+1<<20 {
		t.Errorf("%d kB taken while drawing", (most-before.HeapAlloc)>>10)
	}
}

func TestCheckMeasuresWhatIsDrawn(t *testing.T) {
	page := longPage(20)
	page.Elements = append(page.Elements, everything().Elements...)
	for _, paper := range papers {
		drawn, err := page.Raster(paper)
		if err != nil {
			t.Fatal(err)
		}
		measured := 0
		page.set(setter{paper: paper, width: paper.Width, cases: newTypeCase(paper), measured: &measured})
		if measured != drawn.Height {
			t.Errorf("%v: measured %d, drawn %d", paper, measured, drawn.Height)
		}
		if rough := page.roughHeight(paper); rough < drawn.Height {
			t.Errorf("%v: roughly %d, drawn %d", paper, rough, drawn.Height)
		}
	}
}

func TestCheckRefusesTooMuchPaper(t *testing.T) {
	for name, page := range map[string]Page{
		"feeds":   {Elements: []Element{Text{Value: strings.Repeat("\n", MaxHeight), Size: MaxSize}}},
		"words":   {Elements: []Element{Text{Value: strings.Repeat("palavra ", 100_000)}}},
		"columns": {Elements: []Element{Columns{Cells: []Cell{{Value: strings.Repeat("9", 10_000), Weight: 1}, {Value: "9", Weight: 40}}}}},
		"items":   longPage(5000),
	} {
		if err := page.Check(Paper58); !errors.Is(err, ErrTooLong) {
			t.Errorf("%s: got %v, want ErrTooLong", name, err)
		}
	}
	// The rough look takes this one for too long; it is not.
	if err := (Page{Elements: []Element{Text{Value: strings.Repeat("i", 60_000), Size: 8}}}).Check(Paper80); err != nil {
		t.Errorf("a page that fits: %v", err)
	}
	if err := (Page{}).Check(Paper{}); err == nil {
		t.Error("paper without width was accepted")
	}
}

func BenchmarkLongPage(b *testing.B) {
	page := longPage(500)
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if err := page.Check(Paper80); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bands", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for range page.Bands(Paper80) {
			}
		}
	})
}
