package docpage

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/docs/guia"
)

var (
	idForm   = regexp.MustCompile(` id="([^"]*)"`)
	linkForm = regexp.MustCompile(` (?:src|href)="([^"]*)"`)
	// foreign links leave the terminal: they are followed by a person, never by a page.
	foreign = []string{repository, "https://go.dev/", "https://nodejs.org/", "https://github.com/maquininha/maquininha", "http://localhost:9051"}
)

// Every page must be whole without the internet: what it shows is served here, and every link of it leads somewhere.
func TestGuideLinksLeadSomewhere(t *testing.T) {
	h := pages()
	ids := map[string][]string{}
	page := func(path string) string {
		rec := get(h, path, nil)
		if rec.Code != http.StatusOK {
			t.Errorf("%s answers %d", path, rec.Code)
		}
		text := rec.Body.String()
		for _, m := range idForm.FindAllStringSubmatch(text, -1) {
			ids[path] = append(ids[path], html.UnescapeString(m[1]))
		}
		return text
	}
	pages := map[string]string{}
	for _, c := range guia.Chapters {
		for _, file := range []string{c.Portuguese, c.English} {
			pages[guidePath(file)] = page(guidePath(file))
		}
	}
	for from, text := range pages {
		for _, m := range linkForm.FindAllStringSubmatch(text, -1) {
			to := html.UnescapeString(m[1])
			if slices.ContainsFunc(foreign, func(f string) bool { return strings.HasPrefix(to, f) }) {
				if strings.Contains(m[0], "src=") {
					t.Errorf("%s loads %s", from, to)
				}
				continue
			}
			path, fragment, _ := strings.Cut(to, "#")
			if path == "" {
				path = from
			}
			if !strings.HasPrefix(path, "/") || get(h, path, nil).Code != http.StatusOK {
				t.Errorf("%s: %s leads nowhere", from, to)
			}
			if name, err := url.PathUnescape(fragment); err != nil || fragment != "" && !slices.Contains(ids[path], name) {
				t.Errorf("%s: there is no %s", from, to)
			}
		}
	}
}

func TestGuidePagesAreStrict(t *testing.T) {
	h := pages()
	for _, c := range guia.Chapters {
		for file, lang := range map[string]string{c.Portuguese: "pt-BR", c.English: "en"} {
			rec := get(h, guidePath(file), nil)
			text := rec.Body.String()
			if policy := rec.Header().Get("Content-Security-Policy"); policy != guidePolicy {
				t.Errorf("%s: policy %q", file, policy)
			}
			for _, inline := range []string{"<script", "<style", "style=", "<!--", "raw HTML", "{lang}", "{body}", ".md\"", ".md#"} {
				if strings.Contains(text, inline) && !(strings.HasPrefix(inline, ".md") && strings.Contains(text, repository)) {
					t.Errorf("%s: %s", file, inline)
				}
			}
			if !strings.Contains(text, `<html lang="`+lang+`">`) {
				t.Errorf("%s is not in %s", file, lang)
			}
			if n := strings.Count(text, "<h1"); n != 1 {
				t.Errorf("%s has %d titles", file, n)
			}
			again := get(h, guidePath(file), http.Header{"If-None-Match": {rec.Header().Get("ETag")}})
			if again.Code != http.StatusNotModified {
				t.Errorf("%s: status %d when the ETag is known", file, again.Code)
			}
			if !h.Serves(guidePath(file)) {
				t.Errorf("%s is not public", file)
			}
		}
	}
	for _, path := range []string{"/docs/guia/README.md", "/docs/guia/img", "/docs/guia/img/", "/docs/guia/nada", "/docs/guia/en/nada", "/docs/guia/guia.go"} {
		if h.Serves(path) || get(h, path, nil).Code != http.StatusTeapot {
			t.Errorf("%s is served", path)
		}
	}
}

func TestServedLinks(t *testing.T) {
	for _, c := range []struct{ to, dir, want string }{
		{"inicio-rapido.md", ".", "/docs/guia/inicio-rapido"},
		{"erros.md#venda", ".", "/docs/guia/erros#venda"},
		{"en/README.md", ".", "/docs/guia/en"},
		{"../README.md", "en", "/docs/guia"},
		{"quick-start.md", "en", "/docs/guia/en/quick-start"},
		{"../img/pix.png", "en", "/docs/guia/img/pix.png"},
		{"#venda", ".", "#venda"},
		{"../security.md", ".", repository + "docs/security.md"},
		{"../../../examples/README.md#go", "en", repository + "examples/README.md#go"},
		{"http://localhost:9050/docs", ".", "/docs"},
		{"http://localhost:9051", ".", "http://localhost:9051"},
		{"https://go.dev/dl/", ".", "https://go.dev/dl/"},
	} {
		if got := servedLink(c.to, c.dir); got != c.want {
			t.Errorf("%s in %s is %s, want %s", c.to, c.dir, got, c.want)
		}
	}
}
