//go:build !race || everything

package screenui_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
)

// The shop's own pictures are shown in turn while nobody buys, by their names; what is no picture is left out.
func TestIdlePictures(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, content := range map[string][]byte{"b.png": plain(green, 300, 200), "a.png": plain(red, 200, 300), "leia-me.txt": []byte("Promoções")} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := start(t, func(c *app.Config) { c.Look.Pictures = folder })
	p := handheld(t, m)
	p.sees(`document.querySelector(".has-pictures .slide.is-now")?.naturalWidth === 200`)
	p.says(".idle-strip", "Próximo cliente, por favor")
	p.sees(`document.querySelector(".slide.is-now")?.naturalWidth === 300`)
	for path, status := range map[string]int{"/idle/0": 200, "/idle/1": 200, "/idle/2": 404, "/idle/-1": 404, "/idle/..%2fleia-me.txt": 404} {
		if a := m.do("GET", m.screen+path, nil, func(*http.Request) {}); a.status != status {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	p.fits("idle with pictures")
	p.accessible("idle with pictures")
	m.must("POST", "/sale", object{})
	p.view("sale")
}

// A folder that can't be read leaves the screen as it is without one.
func TestIdleWithoutItsPictures(t *testing.T) {
	t.Parallel()
	m := start(t, func(c *app.Config) { c.Look.Pictures = filepath.Join(t.TempDir(), "nada") })
	p := handheld(t, m)
	p.finds(".idle-now")
	if m.logged("tela de espera sem imagens") == 0 {
		t.Error("the log does not say so")
	}
}
