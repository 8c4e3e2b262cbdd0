package pagekit

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// edition is how the paths begin that are good for ever.
func edition(p *Page) string {
	for name, file := range p.files {
		if before, ok := strings.CutSuffix(name, "/js/initial.js"); ok && file.forever {
			return before
		}
	}
	return ""
}

// Files are named by their edition, and kept for ever by it: with any other file they are another edition. Without it a browser asks each time.
func TestFilesHaveAnEdition(t *testing.T) {
	files := map[string]string{"index.html": `<script type="module" src="/js/begin.js"></script>`, "js/begin.js": "1;", "js/initial.js": ""}
	page := New(files)
	first := edition(page)
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		page.Protect(w.Header())
		if !page.Serve(w, httptest.NewRequest("GET", path, nil)) {
			w.Code = 404
		}
		return w
	}
	for path, want := range map[string]string{"/": "no-cache", "/js/begin.js": "no-cache", first + "/js/begin.js": "private, max-age=31536000, immutable"} {
		if w := get(path); w.Code != 200 || w.Header().Get("Cache-Control") != want {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	for _, path := range []string{first, first + "/", first + "/index.html", first + "/js/other.js", "/00000000/js/begin.js"} {
		if w := get(path); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if index := get("/").Body.String(); index != `<script type="module" src="`+first+`/js/begin.js"></script>` {
		t.Error(index)
	}
	files["js/begin.js"] = "2;"
	if again := edition(New(files)); again == first || again == "" {
		t.Errorf("another file, and the edition %q after %q", again, first)
	}
}

// A browser names what it has as it likes: one of several, or by the weak tag that a proxy made of it when it packed the file.
func TestWhatABrowserHasIsNotSentAgain(t *testing.T) {
	page := New(map[string]string{"index.html": "1", "js/initial.js": ""})
	ask := func(known string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("If-None-Match", known)
		w := httptest.NewRecorder()
		page.Serve(w, r)
		return w
	}
	tag := ask("").Header().Get("ETag")
	for known, want := range map[string]int{tag: 304, "W/" + tag: 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200, "": 200} {
		if w := ask(known); w.Code != want || (w.Body.Len() > 0) != (want == 200) {
			t.Errorf("%s: %d %q", known, w.Code, w.Body)
		}
	}
}
