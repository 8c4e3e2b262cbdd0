package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"time"
)

// questions that the page can answer too: each has its answer as its default.
var questions = []string{
	`{"type":"CPF","question":"CPF na nota?","defaultValue":"52998224725"}`,
	`{"type":"TEXT","question":"Nome?","defaultValue":"Ana","required":true}`,
	`{"type":"MONEY","question":"Troco para?","defaultValue":"50,00"}`,
	`{"type":"BUTTON","question":"Sacola?","defaultValue":"s","options":[{"id":1,"name":"Sim","value":"s"},{"id":2,"name":"Não","value":"n"}]}`,
}

// ask asks one thing, or a few.
func (s *shop) ask(ctx context.Context, pace func() bool) {
	q := questions[rand.IntN(len(questions))]
	if rand.IntN(3) > 0 {
		if pace() {
			s.call(ctx, "POST", "/ask", `{"question":`+q+`}`)
		}
		return
	}
	if pace() {
		s.call(ctx, "POST", "/ask/form", `{"questions":[`+q+`,`+questions[1]+`]}`)
	}
}

// picture is a photograph's worth of dots.
var picture = func() string {
	img := image.NewGray(image.Rect(0, 0, 320, 240))
	for i := range img.Pix {
		img.SetGray(i%320, i/320, color.Gray{Y: uint8(i * i / 320)})
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(err) // a picture in memory into memory
	}
	return out.String()
}()

// coupon is the invoice of the tests. Campaigns run in the source tree: at its root, or as a test in this folder.
var coupon = func() string {
	const at = "fiscal/testdata/nfce.xml"
	text, err := os.ReadFile("internal/" + at)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = os.ReadFile("../" + at)
	}
	if err != nil {
		panic(err)
	}
	return string(text)
}()

func (s *shop) print(ctx context.Context, pace func() bool) {
	for _, p := range [][2]string{
		{"/print/text", `[{"text":{"value":"Senha 42","size":32,"bold":true,"align":"center"}},{"line":{"divider":true}}]`},
		{"/print/xml", coupon},
		{"/print/image", picture},
	} {
		if !pace() {
			return
		}
		s.call(ctx, "POST", p[0], p[1])
	}
}

var carousel = `{"images":["` + base64.StdEncoding.EncodeToString([]byte(picture)) + `"],"intervalMs":500,"backgroundColor":"#fff"}`

func (s *shop) display(ctx context.Context, pace func() bool) {
	for _, p := range [][2]string{
		{"/display/text", `{"content":[{"text":{"value":"Bom dia","size":24,"align":"center"}}],"backgroundColor":"#102030"}`},
		{"/display/image", picture},
		{"/display/pop", ""},
		{"/display/carousel", carousel},
		{"/display/clear", ""},
	} {
		if !pace() {
			return
		}
		s.call(ctx, "POST", p[0], p[1])
	}
}

// look reads whatever can be read. Lists are asked for by the page: a list of everything grows with the shop's trade.
func (s *shop) look(ctx context.Context, pace func() bool) {
	recent := time.Now().Add(-2 * time.Second).UTC().Format("2006-01-02T15:04:05Z")
	for _, path := range []string{
		"/status", "/info", "/status", "/transaction?limit=20", "/status", "/logs?limit=50", "/status", "/logs?limit=20&search=payment&level=info",
		"/status", "/emulator/screen", "/status", "/logs/zip/download?dateFrom=" + recent, "/status", "/emulator/printer/jobs", "/openapi.bundle.yaml", "/nowhere",
	} {
		if !pace() {
			return
		}
		s.call(ctx, "GET", path, "", http.StatusNotFound)
	}
}

// guess tries a wrong password. The service slows those who do it often, so this has no pace of its own.
func (s *shop) guess(ctx context.Context) {
	began := time.Now()
	r, err := http.NewRequestWithContext(ctx, "GET", s.api+"/sale", nil)
	if err != nil {
		s.failed(err.Error())
		return
	}
	r.SetBasicAuth("caixa", "errada")
	resp, err := s.client.Do(r)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		s.failed("wrong password: " + err.Error())
	case resp.StatusCode != http.StatusUnauthorized:
		s.failed("wrong password: " + resp.Status)
	default:
		s.answered("wrong password", time.Since(began))
	}
	if err == nil {
		resp.Body.Close()
	}
}
