package receipt

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// samePicture compares dots with those of a picture in testdata/golden that somebody
// has looked at. The paper's width becomes part of the name.
func samePicture(t *testing.T, name string, got *Bitmap) {
	t.Helper()
	path := filepath.Join("testdata", "golden", fmt.Sprintf("%s-%d.png", name, got.Width))
	if *update {
		writePNG(t, path, got)
		return
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if size := want.Bounds().Size(); size.X != got.Width || size.Y != got.Height {
		t.Fatalf("%s: %d×%d dots, want %v", name, got.Width, got.Height, size)
	}
	wrong := 0
	for y := range got.Height {
		for x := range got.Width {
			if r, _, _, _ := want.At(x, y).RGBA(); got.Black(x, y) != (r == 0) {
				if wrong == 0 {
					t.Errorf("%s: dot %d, %d is black: %v", name, x, y, got.Black(x, y))
				}
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d dots differ from %s", name, wrong, path)
	}
}

func writePNG(t *testing.T, path string, b *Bitmap) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, b.Image()); err != nil {
		t.Fatal(err)
	}
}
