//go:build !race || everything

package screenui_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// logoFile is a picture for somebody to choose.
func logoFile(t *testing.T) string {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 240, 80))
	for x := range 240 {
		for y := range 80 {
			if (x/20+y/20)%2 == 0 {
				picture.Set(x, y, color.Black)
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "logo.png")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// chooseFile answers the browser's own dialogue, which a test can't see.
func (p *page) chooseFile(selector, path string) {
	p.t.Helper()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		field, problem, err := runtime.Evaluate("document.querySelector(" + quoted(selector) + ")").Do(ctx)
		if err == nil && problem != nil {
			err = problem
		}
		if err != nil {
			return err
		}
		return dom.SetFileInputFiles([]string{path}).WithObjectID(field.ObjectID).Do(ctx)
	}))
}

func TestBrowserSettingsOfTheCoupon(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered)
	p := openSettings(t, m, browsertest.Window(320, 480), browsertest.Touch)
	p.agree(422, "/settings/logo")
	for _, field := range []string{"tradeName", "phone", "itemNotes"} {
		p.reads("[data-do=edit-"+field+"] .setup-row-value", "Não imprimir")
		p.tap("[data-do=edit-" + field + "]")
		p.setupStep(field)
		p.fits(field)
		p.do(browsertest.Resize(browsertest.Window(320, 480), browsertest.Touch))
		p.tap("[data-do="+field+"-on]", "[data-do=next]")
		p.setupStep("settings")
		p.reads("[data-do=edit-"+field+"] .setup-row-value", "Imprimir")
	}

	p.reads("[data-do=edit-logo] .setup-row-value", "Nenhum")
	p.tap("[data-do=edit-logo]")
	p.setupStep("logo")
	p.fits("logo")
	p.do(browsertest.Resize(browsertest.Window(320, 480), browsertest.Touch))
	notes := filepath.Join(t.TempDir(), "logo.png")
	if err := os.WriteFile(notes, []byte("isto não é um PNG"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.chooseFile("[data-field=logo]", notes)
	p.reads(".setup-error", "Use um PNG de até 512 KB e um milhão de pontos, que não seja todo claro")
	p.chooseFile("[data-field=logo]", logoFile(t))
	p.wait(`document.querySelector(".setup-logo img")?.naturalWidth === 240`)
	p.reads(".setup-error", "")
	p.fits("logo chosen")
	p.do(browsertest.Resize(browsertest.Window(320, 480), browsertest.Touch))
	p.tap("[data-do=back]")
	p.setupStep("settings")
	p.reads("[data-do=edit-logo] .setup-row-value", "Definido")
	p.reads("[data-do=edit-logo] .setup-row-note", "Salvo")
	shown := browsertest.Eval[string](t, p.ctx, `fetch("/settings").then(r => r.json()).then(s => [s.logo, s.tradeName, s.phone, s.itemNotes].join())`)
	if shown != "true,on,on,on" {
		t.Errorf("kept: %s", shown)
	}

	p.tap("[data-do=edit-logo]")
	p.setupStep("logo")
	p.tap("[data-do=remove]")
	p.reads(".setup-logo-paper", "Nenhum")
	p.tap("[data-do=back]")
	p.setupStep("settings")
	p.reads("[data-do=edit-logo] .setup-row-value", "Nenhum")
}
