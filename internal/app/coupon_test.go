//go:build unix

package app_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
)

// logoPNG is a black picture.
func logoPNG(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.String()
}

// couponHeight prints the same coupon and says how long it is.
func couponHeight(t *testing.T, c caller) int {
	t.Helper()
	xml, err := os.ReadFile("../fiscal/testdata/nfce.xml")
	must(t, err)
	document := strings.Replace(string(xml), "</enderEmit>", "<fone>4832221234</fone></enderEmit>", 1)
	c.ok(t, "POST", "/print/xml", strings.Replace(document, "</prod></det>", "</prod><infAdProd>Assado na hora</infAdProd></det>", 1))
	return get[[]struct{ HeightDots int }](t, c, "/emulator/printer/jobs")[0].HeightDots
}

type couponSettings struct {
	Logo                        bool
	TradeName, Phone, ItemNotes string
	Fixed                       []string
}

func TestCouponSettingsOnTheScreen(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	term := start(t, unconfigured(data))
	op := operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/first", strings.Replace(firstStart, "virtual-384", "virtual-576", 1))
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	caller := term.as("caixa", "segrêdo-123")
	look := func(op operator) (s couponSettings) {
		t.Helper()
		must(t, json.Unmarshal([]byte(op.want(t, 200, "GET", "/settings", "")), &s))
		return s
	}
	if s := look(op); s.Logo || s.TradeName != "off" || s.Phone != "off" || s.ItemNotes != "off" {
		t.Errorf("at first: %+v", s)
	}
	height := couponHeight(t, caller)
	for _, change := range []string{`{"tradeName":"on"}`, `{"phone":"on"}`, `{"itemNotes":"on"}`} {
		op.want(t, 204, "POST", "/settings", change)
		if now := couponHeight(t, caller); now <= height {
			t.Errorf("%s: %d dots, before %d", change, now, height)
		} else {
			height = now
		}
	}
	op.want(t, 422, "POST", "/settings", `{"phone":"maybe"}`)
	if got := op.want(t, 422, "POST", "/settings/logo", "GIF89a"); !strings.Contains(got, `"field":"logo"`) || !strings.Contains(got, "O logotipo não é uma imagem PNG") {
		t.Error(got)
	}
	bare, logo := height, logoPNG(t, 300, 100)
	op.want(t, 204, "POST", "/settings/logo", logo)
	if now := couponHeight(t, caller); now < bare+100 {
		t.Errorf("with a logo %d dots, before %d", now, bare)
	}
	if got := op.want(t, 200, "GET", "/settings/logo", ""); got != logo {
		t.Errorf("the logo came back as %d bytes, it has %d", len(got), len(logo))
	}
	must(t, term.stop())

	// All of it is there after a restart, and goes when it is taken away.
	term = start(t, unconfigured(data))
	op, caller = operatorOf(t, term), term.as("caixa", "segrêdo-123")
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	if s := look(op); !s.Logo || s.TradeName != "on" || s.Phone != "on" || s.ItemNotes != "on" {
		t.Errorf("after a restart: %+v", s)
	}
	if now := couponHeight(t, caller); now < bare+100 {
		t.Errorf("after a restart %d dots, before %d", now, bare)
	}
	op.want(t, 204, "DELETE", "/settings/logo", "")
	op.want(t, 404, "GET", "/settings/logo", "")
	if now := couponHeight(t, caller); now != bare {
		t.Errorf("without the logo %d dots, before %d", now, bare)
	}
}

// What the start of the service decided wins, and what became of a file stops no service.
func TestCouponDecidedAtStart(t *testing.T) {
	t.Parallel()
	data, folder := t.TempDir(), t.TempDir()
	path := filepath.Join(folder, "logo.png")
	yes, no := true, false
	c := config(data)
	c.SkipSetup, c.Coupon = true, app.Coupon{Logo: path, TradeName: &yes, Phone: &no}
	term := start(t, c)
	if logs := term.ok(t, "GET", "/logs", ""); !strings.Contains(logs, "cupons sem logotipo: --print-logo "+path+" não pode ser lido: não existe") {
		t.Error("the log does not say what became of the logo")
	}
	bare := couponHeight(t, term.caller)
	must(t, term.stop(), os.WriteFile(path, []byte(logoPNG(t, 300, 100)), 0o600))

	term = start(t, c)
	if now := couponHeight(t, term.caller); now < bare+100 {
		t.Errorf("with the logo %d dots, without %d", now, bare)
	}
	op := operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/pin", `{"pin":"1234"}`)
	var s couponSettings
	must(t, json.Unmarshal([]byte(op.want(t, 200, "GET", "/settings", "")), &s))
	if !s.Logo || s.TradeName != "on" || s.Phone != "off" || !strings.HasSuffix(strings.Join(s.Fixed, " "), "logo tradeName phone") {
		t.Errorf("%+v", s)
	}
	op.want(t, 422, "POST", "/settings/logo", logoPNG(t, 10, 10))
	op.want(t, 422, "DELETE", "/settings/logo", "")
	op.want(t, 422, "POST", "/settings", `{"phone":"on"}`)
	op.want(t, 204, "POST", "/settings", `{"itemNotes":"on"}`)
}
