//go:build unix && (!race || everything)

package app_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"
)

// carelessProxy stands before an acquirer's API and adds a card's number to what it says.
type carelessProxy struct {
	*httptest.Server
	refuses, fails atomic.Bool
	failed         atomic.Int32
}

func careless(t *testing.T, target, pan string) *carelessProxy {
	t.Helper()
	to, err := url.Parse(target)
	must(t, err)
	c := &carelessProxy{}
	said := fmt.Sprintf(`{"error":"bad_card","message":"cartão %s inválido","errors":[{"code":"card","message":"%s","details":["%s %s %s %s"]}]}`,
		pan, pan, pan[:4], pan[4:8], pan[8:12], pan[12:])
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: func(resp *http.Response) error {
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				return err
			}
			card := fmt.Sprintf(`"card":{"number":"%s","holder":"%s"},"track2":"%s=3012","status_detail":"%s",`, pan, pan, pan, pan)
			body = bytes.Replace(body, []byte(`"payments":[{`), []byte(`"payments":[{`+card), 1)
			body = bytes.Replace(body, []byte(`"payment_method":{`), []byte(`"payment_method":{`+card), 1)
			for _, place := range []string{"453957******1486", "VIA CLIENTE", "VIA ESTABELECIMENTO", "AUTORIZADA"} { // of ControlPay's
				body = bytes.ReplaceAll(body, []byte(place), []byte(place+" "+pan))
			}
			resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
			resp.Header.Set("X-Card", pan)
			return nil
		},
	}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case c.refuses.Load() && r.Method == http.MethodPost:
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, said) //nolint:errcheck // a test
		case c.fails.Load():
			c.failed.Add(1)
			w.WriteHeader(http.StatusInternalServerError)
			io.WriteString(w, said) //nolint:errcheck // a test
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// unpacked is all that is in an archive.
func unpacked(t *testing.T, data []byte) (all []byte) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	must(t, err)
	for _, file := range r.File {
		in, err := file.Open()
		must(t, err)
		content, err := io.ReadAll(in)
		must(t, err)
		all = append(append(all, file.Name...), content...)
	}
	return all
}
