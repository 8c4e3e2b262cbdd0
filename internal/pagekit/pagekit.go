// Package pagekit is what the pages of the terminal and of the hub have in common: the library that draws them, the look, the small
// parts, and how the files of a page are served. A page's own files lie over those of the kit, so that its modules import both by
// the same short paths; each page brings a js/initial.js, which the kit's store.js begins with.
package pagekit

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"rsc.io/qr"
)

//go:embed all:files
var embedded embed.FS

// File is one of the kit's, as pages of other kinds take it. It panics where there is none: the files are part of the program.
func File(name string) []byte {
	content, err := embedded.ReadFile("files/" + name)
	if err != nil {
		panic(err)
	}
	return content
}

// asset is one file of a page.
type asset struct {
	text []byte
	kind string
	etag string

	forever bool // it never changes under this path
}

// Page is the files of a page, by path; there is no other.
type Page struct {
	files  map[string]asset
	policy string
}

// New reads a page's own files, by their paths, and those of the kit. It panics on error: the files are part of the program.
func New(own map[string]string) *Page {
	p := &Page{files: map[string]asset{}}
	err := p.addKit()
	for name, text := range own {
		p.add("/"+name, []byte(text))
	}
	if err := errors.Join(err, p.join()); err != nil {
		panic(err)
	}
	p.nameEdition()
	p.policy = contentPolicy(string(p.files["/index.html"].text))
	p.files["/"] = p.files["/index.html"]
	return p
}

// nameEdition has the page name its files by their edition, which is another when one of them is: a browser keeps them, and asks for none
// again until then. What they name relative to themselves is of the same edition.
func (p *Page) nameEdition() {
	all := sha256.New()
	names := slices.Sorted(maps.Keys(p.files))
	for _, name := range names {
		all.Write([]byte(name + p.files[name].etag))
	}
	edition := "/" + hex.EncodeToString(all.Sum(nil)[:4])
	index := string(p.files["/index.html"].text)
	for _, folder := range []string{"/css/", "/js/", "/vendor/"} {
		index = strings.ReplaceAll(index, `"`+folder, `"`+edition+folder)
		for _, name := range names {
			if file := p.files[name]; strings.HasPrefix(name, folder) {
				file.forever = true
				p.files[edition+name] = file
			}
		}
	}
	p.add("/index.html", []byte(index))
}

func (p *Page) addKit() error {
	return fs.WalkDir(embedded, "files", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			file := strings.TrimPrefix(name, "files/")
			p.add("/"+file, File(file))
		}
		return err
	})
}

func (p *Page) add(name string, text []byte) {
	sum := sha256.Sum256(text)
	p.files[name] = asset{text: text, kind: contentType(name), etag: `"` + hex.EncodeToString(sum[:12]) + `"`}
}

// contentType knows the page's kinds of file by itself: systems differ in what they say of them.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	case ".webmanifest":
		return "application/manifest+json"
	case ".md", ".txt", "":
		return "text/plain; charset=utf-8"
	default:
		return mime.TypeByExtension(ext)
	}
}

// contentPolicy lets the page load from here alone, and run no script within its text but the map of its modules.
func contentPolicy(index string) string {
	script := "'self'"
	if _, rest, ok := strings.Cut(index, `<script type="importmap">`); ok {
		inline, _, _ := strings.Cut(rest, "</script>")
		sum := sha256.Sum256([]byte(inline))
		script += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'self'; script-src " + script + "; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// Protect sets what keeps a page to itself: it loads from here alone, and stands in no other's frame.
func (p *Page) Protect(h http.Header) {
	h.Set("Content-Security-Policy", p.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
}

// Serve answers with a file; false: there is none. What a browser has already it need not fetch again.
func (p *Page) Serve(w http.ResponseWriter, r *http.Request) bool {
	file, ok := p.files[r.URL.Path]
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", file.kind)
	h.Set("ETag", file.etag)
	if file.forever {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.text))
	return true
}

// QR draws a code as an SVG picture that stays sharp at any size, with the margin that readers need. Its error: the text is too
// long for any code.
func QR(text string) ([]byte, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil, err
	}
	const margin = 4
	side := code.Size + 2*margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, side, side, side, side)
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+margin, y+margin, x-from, x-from)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return b.Bytes(), nil
}
