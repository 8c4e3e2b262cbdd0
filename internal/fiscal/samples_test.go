package fiscal

import (
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/receipt"
)

// TestSamples runs against a folder of other people's documents, and leaves
// pictures of them for a person to look at.
func TestSamples(t *testing.T) {
	folder := os.Getenv("MAQUININHA_FISCAL_SAMPLES")
	if folder == "" {
		t.Skip("MAQUININHA_FISCAL_SAMPLES names no folder")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.xml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents in %s (%v)", folder, err)
	}
	pictures, err := os.MkdirTemp("", "coupons")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("pictures in %s", pictures)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".xml")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d, err := Parse(data)
			var refused *Refusal
			if errors.As(err, &refused) {
				t.Logf("refused: %v", refused)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, warning := range d.Warnings {
				t.Logf("warning: %s", warning)
			}
			for roll, paper := range rolls {
				dots := rasterised(t, d, paper)
				checkCodes(t, d, dots)
				writePNG(t, filepath.Join(pictures, name+"-"+roll+".png"), dots)
			}
		})
	}
}

func writePNG(t *testing.T, path string, dots *receipt.Bitmap) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, dots.Image()); err != nil {
		t.Fatal(err)
	}
}
