package docpage

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// pages are those of a program with a small description.
func pages() *Pages {
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	io.WriteString(zw, "openapi: 3.1.0\n") //nolint:errcheck // it goes into memory
	zw.Close()                             //nolint:errcheck // as above
	return New("programa", packed.Bytes(), teapot)
}

func TestHandlerServesEveryFile(t *testing.T) {
	h := pages()
	for path, contentType := range map[string]string{
		"/docs":                                  "text/html; charset=utf-8",
		"/docs/":                                 "text/html; charset=utf-8",
		"/docs/init.js":                          "text/javascript; charset=utf-8",
		"/docs/landing.css":                      "text/css; charset=utf-8",
		"/docs/docs.css":                         "text/css; charset=utf-8",
		"/docs/favicon-32x32.png":                "image/png",
		"/docs/swagger-ui.css":                   "text/css; charset=utf-8",
		"/docs/swagger-ui-bundle.js":             "text/javascript; charset=utf-8",
		"/docs/LICENSE":                          "text/plain; charset=utf-8",
		"/docs/NOTICE":                           "text/plain; charset=utf-8",
		"/docs/swagger-ui-bundle.js.LICENSE.txt": "text/plain; charset=utf-8",
		"/openapi.bundle.yaml":                   "application/yaml; charset=utf-8",
	} {
		plain := get(h, path, nil)
		packed := get(h, path, http.Header{"Accept-Encoding": {"br, gzip"}})
		if plain.Code != 200 || packed.Code != 200 {
			t.Errorf("%s: status %d plain, %d with gzip", path, plain.Code, packed.Code)
			continue
		}
		if got := plain.Header().Get("Content-Type"); got != contentType {
			t.Errorf("%s: Content-Type %q", path, got)
		}
		if plain.Header().Get("Content-Encoding") != "" || plain.Body.Len() == 0 {
			t.Errorf("%s: not plain, or empty", path)
		}
		if !bytes.Equal(unpack(t, packed), plain.Body.Bytes()) {
			t.Errorf("%s: gzip and plain differ", path)
		}
		for _, rec := range []*httptest.ResponseRecorder{plain, packed} {
			accept := http.Header{
				"If-None-Match":   {rec.Header().Get("ETag")},
				"Accept-Encoding": {rec.Header().Get("Content-Encoding")},
			}
			if again := get(h, path, accept); again.Code != http.StatusNotModified {
				t.Errorf("%s: status %d when the ETag is known", path, again.Code)
			}
		}
	}
}

// Anybody may ask for the large files without gzip, in any number: each is unpacked once and shared. What is counted is
// the memory that is taken, of which another copy would be the most.
func TestFilesAreUnpackedOnce(t *testing.T) {
	h := pages()
	for _, path := range []string{"/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"} {
		size := get(h, path, nil).Body.Len()
		for _, method := range []string{"GET", "HEAD"} {
			answer := &sink{header: http.Header{}}
			taken := allocated(func() {
				for range 20 {
					answer.bytes = 0
					h.ServeHTTP(answer, httptest.NewRequest(method, path, nil))
				}
			})
			if taken >= uint64(size) {
				t.Errorf("20 times %s %s of %d bytes took %d bytes of memory", method, path, size, taken)
			}
			if got := answer.header.Get("Content-Length"); got != strconv.Itoa(size) {
				t.Errorf("%s %s: Content-Length %q of %d bytes", method, path, got, size)
			}
			if want := map[string]int64{"GET": int64(size)}[method]; answer.bytes != want {
				t.Errorf("%s %s: a body of %d bytes, want %d", method, path, answer.bytes, want)
			}
		}
	}
}

// allocated is how many bytes of memory a function asks for.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// sink is an answer of which only the length is kept. Like a real one it takes a body without a buffer for each.
type sink struct {
	header http.Header
	bytes  int64
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}

func (s *sink) Write(b []byte) (int, error) {
	s.bytes += int64(len(b))
	return len(b), nil
}

func (s *sink) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(io.Discard, r)
	s.bytes += n
	return n, err
}

// What the two pages ask for must be there, and nothing may be inline: the policy would refuse it.
func TestPagesLoadOnlyWhatIsServed(t *testing.T) {
	h := pages()
	link := regexp.MustCompile(`(?:src|href)="([^"]*)"`)
	landing := Landing([]byte(`<html lang="pt-BR"><link href="/docs/landing.css"><a href="/docs">`), func(*http.Request) map[string]string { return nil })
	for name, page := range map[string]*httptest.ResponseRecorder{
		"/docs": get(h, "/docs", nil),
		"/":     get(landing, "/", nil),
	} {
		html := page.Body.String()
		if !strings.Contains(html, `<html lang="pt-BR">`) {
			t.Errorf("%s: language missing", name)
		}
		if strings.Contains(html, "<style") || strings.Contains(html, "style=") || strings.Contains(html, "<script>") {
			t.Errorf("%s: something inline", name)
		}
		policy := page.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", name, policy)
		}
		for _, m := range link.FindAllStringSubmatch(html, -1) {
			if got := get(h, m[1], nil).Code; got != 200 && m[1] != "/" { // which is not one of these
				t.Errorf("%s: %s answers %d", name, m[1], got)
			}
		}
	}
}

func TestUnknownPathGoesToNotFound(t *testing.T) {
	for _, path := range []string{"/docs/x", "/docs/page/docs.html", "/docs/swagger-ui.css.gz", "/docs/a/b", "/"} {
		if got := get(pages(), path, nil).Code; got != http.StatusTeapot {
			t.Errorf("%s: status %d", path, got)
		}
	}
}

func TestAcceptsGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"":                    false,
		"gzip":                true,
		"deflate, GZIP;q=0.5": true,
		"gzip;q=0":            false,
		"gzip; q=0.0, *":      false,
		"*":                   true,
		"*;q=0":               false,
		"*;q=0, gzip":         true,
		"br, identity":        false,
	} {
		if got := acceptsGzip([]string{header}); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
}

var teapot = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })

func get(h http.Handler, path string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", path, nil)
	for name, values := range header {
		r.Header[name] = values
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

func unpack(t *testing.T, rec *httptest.ResponseRecorder) []byte {
	t.Helper()
	if rec.Header().Get("Content-Encoding") != "gzip" {
		return rec.Body.Bytes()
	}
	zr, err := gzip.NewReader(bytes.NewReader(rec.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
