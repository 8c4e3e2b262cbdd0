//go:build !race || everything

package printer_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/printing/printingtest"
	"github.com/maquininha/maquininha/internal/receipt"
)

func open(t *testing.T, dir string) *printer.Virtual {
	t.Helper()
	v, err := printer.NewVirtual(dir, receipt.Paper58)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func mustPrint(t *testing.T, v *printer.Virtual, kind printing.Kind, value string) {
	t.Helper()
	page := receipt.Page{Elements: []receipt.Element{receipt.Text{Value: value, Size: 8}}}
	if err := v.Print(t.Context(), printing.OnePage(kind, page)); err != nil {
		t.Fatal(err)
	}
}

func TestVirtualConforms(t *testing.T) {
	printingtest.Conformance(t, func(t *testing.T) printingtest.Device {
		v := open(t, t.TempDir())
		return printingtest.Device{
			Printer: v, Paper: receipt.Paper58, Break: v.SetState, Sheets: func() []*receipt.Bitmap { return pictures(t, v) },
		}
	})
}

// pictures are what the printer kept, oldest first.
func pictures(t *testing.T, v *printer.Virtual) (sheets []*receipt.Bitmap) {
	t.Helper()
	jobs := v.Jobs()
	slices.Reverse(jobs)
	for _, job := range jobs {
		data, err := v.Picture(job.N)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		sheet := receipt.NewBitmap(job.Width, job.Height)
		for y := range job.Height {
			for x := range job.Width {
				if r, _, _, _ := picture.At(x, y).RGBA(); r == 0 {
					sheet.Bits[y*sheet.Stride()+x/8] |= 0x80 >> (x % 8)
				}
			}
		}
		sheets = append(sheets, sheet)
	}
	return sheets
}

func TestNoneHasNoPaper(t *testing.T) {
	var none printing.Printer = printer.None{}
	if err := none.Print(t.Context(), printing.Job{}); !errors.Is(err, printing.ErrNoPrinter) {
		t.Errorf("got %v, want ErrNoPrinter", err)
	}
	if _, err := none.Picture(1); none.State() != printing.NoPrinter || len(none.Jobs()) != 0 || !errors.Is(err, printing.ErrNoJob) {
		t.Errorf("state %s, jobs %v, picture %v", none.State(), none.Jobs(), err)
	}
}

func TestJobsAreListedNewestFirstWithTheirPictures(t *testing.T) {
	v := open(t, t.TempDir())
	before := time.Now().Add(-time.Second)
	mustPrint(t, v, printing.Text, "um")
	mustPrint(t, v, printing.XML, "dois\nlinhas")

	jobs := v.Jobs()
	if len(jobs) != 2 || jobs[0].N != 2 || jobs[1].N != 1 || jobs[0].Kind != printing.XML || jobs[1].Kind != printing.Text {
		t.Fatalf("jobs: %+v", jobs)
	}
	for _, job := range jobs {
		if job.CreatedAt.Before(before) || job.CreatedAt.After(time.Now()) {
			t.Errorf("job %d was printed at %v", job.N, job.CreatedAt)
		}
		data, err := v.Picture(job.N)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if size := picture.Bounds().Size(); size.X != 384 || size.X != job.Width || size.Y != job.Height {
			t.Errorf("job %d is %dx%d, its picture %v", job.N, job.Width, job.Height, size)
		}
	}
	for _, n := range []int{0, 3, -1} {
		if _, err := v.Picture(n); !errors.Is(err, printing.ErrNoJob) {
			t.Errorf("picture %d: got %v, want ErrNoJob", n, err)
		}
	}
}

func TestJobsOutliveARestart(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	mustPrint(t, v, printing.Image, "um")
	mustPrint(t, v, printing.Text, "dois")
	for _, name := range []string{"printing-123.png", "recado.txt", "000009_xml_ontem_384x10.png"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}

	again := open(t, dir)
	if diff := cmp.Diff(v.Jobs(), again.Jobs()); diff != "" {
		t.Errorf("jobs after a restart (-before +after):\n%s", diff)
	}
	mustPrint(t, again, printing.Text, "três")
	if n := again.Jobs()[0].N; n != 3 {
		t.Errorf("the number after a restart is %d, want 3", n)
	}
	if _, err := os.Stat(filepath.Join(dir, "printing-123.png")); !errors.Is(err, os.ErrNotExist) {
		t.Error("an interrupted print is still there")
	}
	if _, err := os.Stat(filepath.Join(dir, "recado.txt")); err != nil {
		t.Errorf("somebody else's file: %v", err)
	}
}

func TestOnlyTheNewestJobsAreKept(t *testing.T) {
	dir := t.TempDir()
	for n := 1; n <= 250; n++ {
		name := fmt.Sprintf("%06d_text_20261115T120000.000Z_384x1.png", n)
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := open(t, dir)
	mustPrint(t, v, printing.Text, "mais um")
	jobs := v.Jobs()
	if len(jobs) != 200 || jobs[0].N != 251 || jobs[199].N != 52 {
		t.Errorf("%d jobs, %d to %d; want 200, 251 to 52", len(jobs), jobs[0].N, jobs[len(jobs)-1].N)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 200 {
		t.Errorf("%d files, want 200", len(files))
	}
}

func TestBrokenPrinterKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	v.SetState(printing.CoverOpen)
	if v.State() != printing.CoverOpen {
		t.Errorf("state %s", v.State())
	}
	if err := v.Print(t.Context(), printing.Job{Kind: printing.Text}); !errors.Is(err, printing.ErrCoverOpen) {
		t.Errorf("got %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("%d files were kept", len(files))
	}
}

func TestPaperHasWidth(t *testing.T) {
	if _, err := printer.NewVirtual(t.TempDir(), receipt.Paper{}); err == nil {
		t.Error("paper without width was accepted")
	}
}
