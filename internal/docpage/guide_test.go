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
	"github.com/maquininha/maquininha/internal/fold"
)

var (
	idForm   = regexp.MustCompile(` id="([^"]*)"`)
	linkForm = regexp.MustCompile(` (?:src|href)="([^"]*)"`)
	fileForm = regexp.MustCompile(`href="[^"]*\.md[#"]`)
	// foreign links leave the terminal: they are followed by a person, never by a page.
	foreign = []string{"https://go.dev/", "https://nodejs.org/", "http://localhost:9051"}
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
			pages[guia.Path(file)] = page(guia.Path(file))
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
			rec := get(h, guia.Path(file), nil)
			text := rec.Body.String()
			if policy := rec.Header().Get("Content-Security-Policy"); policy != guidePolicy {
				t.Errorf("%s: policy %q", file, policy)
			}
			for _, inline := range []string{"<script", "<style", "style=", "<!--", "raw HTML", "{lang}", "{body}", `="` + guia.Outside} {
				if strings.Contains(text, inline) {
					t.Errorf("%s: %s", file, inline)
				}
			}
			if unserved := fileForm.FindString(text); unserved != "" {
				t.Errorf("%s: %s", file, unserved)
			}
			if !strings.Contains(text, `<html lang="`+lang+`">`) {
				t.Errorf("%s is not in %s", file, lang)
			}
			if n := strings.Count(text, "<h1"); n != 1 {
				t.Errorf("%s has %d titles", file, n)
			}
			again := get(h, guia.Path(file), http.Header{"If-None-Match": {rec.Header().Get("ETag")}})
			if again.Code != http.StatusNotModified {
				t.Errorf("%s: status %d when the ETag is known", file, again.Code)
			}
			if !h.Serves(guia.Path(file)) {
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

// What lies in the repository is linked where that has an address, and only there.
func TestLinksToTheRepository(t *testing.T) {
	page := guia.Pages()["clientes.md"]
	if !strings.Contains(page, `<a href="`+guia.Outside+`examples/go/main.go">main.go</a>`) {
		t.Fatal("the chapter of the clients names no example")
	}
	for repository, want := range map[string]string{
		"":                          `<span title="examples/go/main.go">main.go</span>`,
		"https://git.example/a&b$1": `<a href="https://git.example/a&amp;b$1/blob/HEAD/examples/go/main.go">main.go</a>`,
	} {
		if got := withOutside(page, repository); !strings.Contains(got, want) || strings.Contains(got, guia.Outside) {
			t.Errorf("%q: no %s", repository, want)
		}
	}
}

func TestGuideIsSearched(t *testing.T) {
	h := pages()
	for _, c := range []struct{ path, query, first, marked string }{
		{"/docs/guia/busca", "valores mágicos", `<a href="/docs/guia/emulador#valores-mágicos">`, "<mark>Valores</mark> <mark>mágicos</mark>"},
		{"/docs/guia/busca", "VALORES magicos", `<a href="/docs/guia/emulador#valores-mágicos">`, "<mark>mágicos</mark>"},
		{"/docs/guia/en/search", "magic amounts", `<a href="/docs/guia/en/emulator#magic-amounts">`, "<mark>Magic</mark> <mark>amounts</mark>"},
		{"/docs/guia/busca", "prefer respond-async", `<a href="/docs/guia/`, "<mark>respond-async</mark>"},                                          // what stands in code as well
		{"/docs/guia/busca", "localhost:9051 esquerda", `<a href="/docs/guia/`, "Abra http://<mark>localhost:9051</mark>. À <mark>esquerda</mark>"}, // addresses
		{"/docs/guia/busca", "referenceId", `<a href="/docs/guia/`, "<mark>referenceId</mark>"},
	} {
		rec := get(h, c.path+"?q="+url.QueryEscape(c.query), nil)
		text := rec.Body.String()
		_, results, _ := strings.Cut(text, `class="results"`)
		if at := strings.Index(results, "<a href="); at < 0 || !strings.HasPrefix(results[at:], c.first) || !strings.Contains(results, c.marked) {
			t.Errorf("%s: %.300s", c.query, results)
		}
		if policy := rec.Header().Get("Content-Security-Policy"); policy != guidePolicy {
			t.Errorf("policy %q", policy)
		}
		for _, m := range regexp.MustCompile(`<li><a href="([^"#]*)#?([^"]*)"`).FindAllStringSubmatch(results, -1) {
			if page := get(h, m[1], nil); page.Code != 200 || m[2] != "" && !strings.Contains(page.Body.String(), `id="`+m[2]+`"`) {
				t.Errorf("%s leads to %s#%s, which is not there", c.query, m[1], m[2])
			}
		}
	}
}

func TestSearchesThatFindNothing(t *testing.T) {
	h := pages()
	for query, want := range map[string]string{
		"":                            "<h1>Busca</h1>",
		"   ":                         "<h1>Busca</h1>",
		"xyzzy":                       "Nada foi encontrado",
		`"><script>alert(1)</script>`: `value="&#34;&gt;&lt;script&gt;`,
		strings.Repeat("ã", 5000):     `value="` + strings.Repeat("ã", longestQuery) + `"`,
		"\xff\xfe":                    "<h1>Busca</h1>",
	} {
		rec := get(h, "/docs/guia/busca?q="+url.QueryEscape(query), nil)
		if text := rec.Body.String(); rec.Code != 200 || !strings.Contains(text, want) || strings.Contains(text, "<script") || strings.Contains(text, `class="results"`) {
			t.Errorf("%.40q: %d", query, rec.Code)
		}
	}
}

// Whoever searches gets whole words around what was looked for, wherever accents are.
func TestExcerpt(t *testing.T) {
	long := strings.Repeat("ação ", 100) + "Pagamento" + strings.Repeat(" é", 200)
	got := excerpt(long, []string{"pagamento"})
	if !strings.HasPrefix(got, "… ação ") || !strings.Contains(got, " Pagamento é ") || !strings.HasSuffix(got, " é …") || len([]rune(got)) > excerptBefore+excerptAfter+4 {
		t.Errorf("%q", got)
	}
	if got := marked("Ação & ação", []string{"acao"}); got != "<mark>Ação</mark> &amp; <mark>ação</mark>" {
		t.Errorf("%q", got)
	}
}

func FuzzSearch(f *testing.F) {
	for _, query := range []string{"pagamento", "ß ẞ ﬁ", "a a aa", "\x00", "İ"} {
		f.Add(query)
	}
	all := inPortuguese.passages()
	f.Fuzz(func(t *testing.T, query string) {
		sought := strings.Fields(fold.Text(query))
		for _, p := range find(all, sought) {
			if text := excerpt(p.text, sought); strings.Count(marked(text, sought), "<mark>") != strings.Count(marked(text, sought), "</mark>") {
				t.Errorf("%q: %s", query, marked(text, sought))
			}
		}
	})
}
