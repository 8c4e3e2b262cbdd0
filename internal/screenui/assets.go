package screenui

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed all:page
var embedded embed.FS

// asset is one file of the page.
type asset struct {
	text []byte
	kind string
	etag string
}

// assetFiles are the page, by path; there is no other.
type assetFiles map[string]asset

// assets are the page and its content security policy, made when somebody first opens it: a program that only prints
// does not pay for their hashes.
var assets = sync.OnceValues(loadAssets)

// loadAssets reads the embedded page. It panics on error: the files are part of the program.
func loadAssets() (files assetFiles, policy string) {
	files = assetFiles{}
	root, err := fs.Sub(embedded, "page")
	if err != nil {
		panic(err)
	}
	err = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		sum := sha256.Sum256(text)
		files["/"+name] = asset{text, contentType(name), `"` + hex.EncodeToString(sum[:12]) + `"`}
		return err
	})
	if err != nil {
		panic(err)
	}
	index := files["/index.html"]
	files["/"] = index
	return files, contentPolicy(string(index.text))
}

// contentType knows the page's kinds of file by itself: systems differ in what they say of them.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js":
		return "text/javascript; charset=utf-8"
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

// serveAsset answers with a file, or 404. What a browser has already it need not fetch again.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	files, _ := assets()
	file, ok := files[r.URL.Path]
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, http.StatusNotFound, "Não encontrado")
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.kind)
	h.Set("ETag", file.etag)
	if r.Header.Get("If-None-Match") == file.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write(file.text) //nolint:errcheck // the page may be gone
}
