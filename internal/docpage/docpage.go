// Package docpage has the pages that show the description of an HTTP interface, and the guide: the terminal serves them for its own, and
// the hub for its own.
//
// Everything is inside the binary: a terminal in a shop may have no way to the internet, so the documentation page
// must not need one, and its Content-Security-Policy makes sure that it never asks.
package docpage

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/pagekit"
)

//go:embed page swagger-ui-5.34.1
var files embed.FS

const vendored = "swagger-ui-5.34.1/"

const (
	// Swagger UI draws its icons from data: addresses, and shows a picture it was answered from a blob: one.
	docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
		"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	landingPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// Pages are the documentation page at /docs, what it loads under /docs/, the guide at /docs/guia, and the description at
// /openapi.bundle.yaml.
type Pages struct {
	served   map[string]http.Handler // by path
	notFound http.Handler
}

// New returns the pages of a program, whose description is given as it lies in the binary, compressed. Any other path goes to
// notFound, so that a wrong address is answered like everywhere else.
func New(program string, description []byte, notFound http.Handler) *Pages {
	const (
		css   = "text/css; charset=utf-8"
		js    = "text/javascript; charset=utf-8"
		plain = "text/plain; charset=utf-8"
	)
	const font = "font/woff2"
	index := once(func() asset {
		a := newAsset(bytes.ReplaceAll(own("page/docs.html"), []byte("{program}"), []byte(program)), htmlType)
		a.policy = docsPolicy
		return a
	})
	served := map[string]http.Handler{
		"/docs": index, "/docs/": index,
		"/openapi.bundle.yaml": once(func() asset { return newPacked(description, "application/yaml; charset=utf-8") }),
	}
	for path, s := range map[string]source{
		"/docs/init.js":               {"page/init.js", js, own},
		"/docs/look.css":              {"page/look.css", css, own},
		"/docs/landing.css":           {"page/landing.css", css, own},
		"/docs/inter.woff2":           {"vendor/inter.woff2", font, pagekit.File},
		"/docs/LICENSE-inter.txt":     {"vendor/LICENSE-inter.txt", plain, pagekit.File},
		"/docs/icon.svg":              {"icon.svg", "image/svg+xml", pagekit.File},
		"/docs/docs.css":              {"page/docs.css", css, own},
		"/docs/favicon-32x32.png":     {vendored + "favicon-32x32.png", "image/png", own},
		"/docs/swagger-ui.css":        {vendored + "swagger-ui.css.gz", css, own},
		"/docs/swagger-ui-bundle.js":  {vendored + "swagger-ui-bundle.js.gz", js, own},
		"/docs/LICENSE":               {vendored + "LICENSE", plain, own},
		"/docs/NOTICE":                {vendored + "NOTICE", plain, own},
		"/docs/" + bundleLicenceNotes: {vendored + bundleLicenceNotes, plain, own},
	} {
		served[path] = once(s.load)
	}
	maps.Copy(served, guidePages())
	return &Pages{served, notFound}
}

// Serves tells whether the path, as it was sent, is one of the pages.
func (p *Pages) Serves(path string) bool {
	_, ok := p.served[path]
	return ok
}

func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if page, ok := p.served[r.URL.Path]; ok {
		page.ServeHTTP(w, r)
	} else {
		p.notFound.ServeHTTP(w, r)
	}
}

// The bundle's first line points its readers to a file of this name beside it.
const bundleLicenceNotes = "swagger-ui-bundle.js.LICENSE.txt"

// Landing serves the page at a root: what this is, how it is, and where to read on. fill tells what stands in the page's {places} at the
// moment, in HTML.
func Landing(page []byte, fill func(*http.Request) map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var pairs []string
		for place, text := range fill(r) {
			pairs = append(pairs, "{"+place+"}", text)
		}
		a := newAsset([]byte(strings.NewReplacer(pairs...).Replace(string(page))), htmlType)
		a.policy = landingPolicy
		a.ServeHTTP(w, r)
	})
}

const htmlType = "text/html; charset=utf-8"

// An asset is one file as it lies in the binary, compressed or not.
type asset struct {
	body        []byte
	unpacked    func() []byte // of a compressed one; nil: it is not
	contentType string
	tag         string
	policy      string
}

// once makes an asset when somebody first asks for it: at the start nobody has, and the largest are half a megabyte.
func once(build func() asset) http.Handler { return later(sync.OnceValue(build)) }

// source is a file in the binary, and who reads it.
type source struct {
	name, contentType string
	read              func(name string) []byte
}

func (s source) load() asset {
	if strings.HasSuffix(s.name, ".gz") {
		return newPacked(s.read(s.name), s.contentType)
	}
	return newAsset(s.read(s.name), s.contentType)
}

// own reads a file of this package. It panics on a missing one: the name and the file are both here, so only a broken build lacks one.
func own(name string) []byte {
	body, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("docpage: %v", err))
	}
	return body
}

func newAsset(body []byte, contentType string) asset {
	sum := sha256.Sum256(body)
	return asset{body: body, contentType: contentType, tag: hex.EncodeToString(sum[:12])}
}

// newPacked is unpacked once, when somebody first asks for it: anybody may ask, as often as they like, and most browsers never do.
func newPacked(body []byte, contentType string) asset {
	a := newAsset(body, contentType)
	a.unpacked = sync.OnceValue(func() []byte { return Unpack(body) })
	return a
}

func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	// Names carry no version, so a browser must ask again after an update; the ETag makes asking cheap.
	h.Set("Cache-Control", "no-cache")
	if a.policy != "" {
		h.Set("Content-Security-Policy", a.policy)
		h.Set("Referrer-Policy", "no-referrer")
	}
	body, tag := a.body, a.tag
	if a.unpacked != nil {
		h.Add("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Values("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			tag += "-gz"
		} else {
			body = a.unpacked()
		}
	}
	h.Set("ETag", strconv.Quote(tag))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// Unpack panics on damaged data, for the reason own does.
func Unpack(b []byte) []byte {
	zr, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		b, err = io.ReadAll(zr)
	}
	if err != nil {
		panic(fmt.Sprintf("docpage: %v", err))
	}
	return b
}

// acceptsGzip reads Accept-Encoding: a coding named outweighs "*", and a weight of zero forbids it.
func acceptsGzip(headers []string) bool {
	star := false
	for part := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		coding, params, _ := strings.Cut(part, ";")
		ok := true
		if q, found := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(params, " ", "")), "q="); found {
			weight, err := strconv.ParseFloat(q, 64)
			ok = err == nil && weight > 0
		}
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			return ok
		case "*":
			star = ok
		}
	}
	return star
}
