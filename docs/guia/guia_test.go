package guia_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/docs/guia"
	"github.com/maquininha/maquininha/docs/guia/render"
)

// hosts that the guide may name: they will be there in ten years, and nobody asks them in a test.
var hosts = []string{
	"https://go.dev/", "https://nodejs.org/", "http://localhost:9050", "http://localhost:9051",
}

// readme is how the repository begins: not part of the guide, but held to the same.
var readme = guia.Chapter{Portuguese: "../../README.pt-BR.md", English: "../../README.md"}

// documents are all that is written in two languages.
var documents = append(slices.Clone(guia.Chapters), readme)

func TestEveryFileIsAChapterOrAPicture(t *testing.T) {
	var named []string
	for _, c := range guia.Chapters {
		named = append(named, c.Portuguese, c.English)
	}
	for _, f := range chapters(t) {
		if !slices.Contains(named, f) {
			t.Errorf("%s is not among the chapters", f)
		}
	}
}

// chapters are the files of the guide.
func chapters(t *testing.T) []string {
	t.Helper()
	in := os.DirFS(".")
	portuguese, err := fs.Glob(in, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	english, err := fs.Glob(in, "en/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(portuguese, english)
}

func TestPackedChaptersAreTheWritten(t *testing.T) {
	pages := map[string]string{}
	for _, name := range chapters(t) {
		var err error
		if pages[name], err = render.Chapter([]byte(written(t, name)), path.Dir(name)); err != nil {
			t.Fatal(err)
		}
	}
	if !maps.Equal(guia.Pages(), pages) {
		t.Error("the chapters are packed otherwise than written: run go generate ./docs/guia")
	}
}

// A translation says the same: its skeleton is the original's.
func TestTranslationsHaveTheSameShape(t *testing.T) {
	for _, c := range documents {
		for what, diff := range differences(t, read(t, c.Portuguese), read(t, c.English)) {
			t.Errorf("%s and %s differ in %s (-pt +en):\n%s", c.Portuguese, c.English, what, diff)
		}
	}
}

func differences(t *testing.T, pt, en page) map[string]string {
	t.Helper()
	levels := func(p page) (all []int) {
		for _, h := range p.headings {
			all = append(all, h.level)
		}
		return all
	}
	found := map[string]string{}
	same := func(what string, pt, en any) {
		if diff := cmp.Diff(pt, en); diff != "" {
			found[what] = diff
		}
	}
	same("headings", levels(pt), levels(en))
	same("code", codes(pt), codes(en))
	same("links", targets(t, pt), targets(t, en))
	same("shape", pt.shape, en.shape)
	same("flags", pt.flags, en.flags)
	return found
}

// What one language has and the other lacks is seen.
func TestDifferencesAreSeen(t *testing.T) {
	text, err := os.ReadFile(readme.English)
	if err != nil {
		t.Fatal(err)
	}
	whole := read(t, readme.English)
	for what, change := range map[string][2]string{
		"code":     {"make test\n", "make test\nmake bench\n"},
		"headings": {"## Test it", "### Test it"},
		"links":    {"(client)", "(testserver)"},
		"shape":    {"- it **prints**", "it **prints**"},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if found := differences(t, whole, parse(t, readme.English, changed)); found[what] == "" {
			t.Errorf("%q in the place of %q is no difference in %s", change[1], change[0], what)
		}
	}
}

type code struct{ Lang, Text, Remark string }

func codes(p page) (all []code) {
	for _, b := range p.blocks {
		kind, _, _ := strings.Cut(b.remark, ":") // the reason is in words
		all = append(all, code{b.lang, b.text, kind})
	}
	return all
}

// targets are where the links go, without the language.
func targets(t *testing.T, p page) (all []string) {
	t.Helper()
	for _, l := range p.links {
		all = append(all, target(t, p.name, l.to))
	}
	return all
}

func target(t *testing.T, from, to string) string {
	t.Helper()
	if strings.Contains(to, "://") {
		return strings.Replace(to, "/docs/guia/en", "/docs/guia", 1) // the guide as the service shows it
	}
	file, fragment, _ := strings.Cut(to, "#")
	if file == "" {
		file = path.Base(from)
	}
	file = path.Join("docs/guia", path.Dir(from), file)
	for _, c := range documents {
		for _, name := range []string{c.Portuguese, c.English} {
			if file != path.Join("docs/guia", name) {
				continue
			}
			where := "document " + c.Portuguese
			if fragment != "" {
				at := slices.IndexFunc(read(t, name).headings, func(h heading) bool { return h.id == fragment })
				if at < 0 {
					t.Errorf("%s: no heading for %s", from, to)
				}
				where += " heading " + string(rune('A'+at))
			}
			return where
		}
	}
	return file
}

func TestLinksLeadSomewhere(t *testing.T) {
	for _, c := range documents {
		for _, name := range []string{c.Portuguese, c.English} {
			p := read(t, name)
			for _, l := range p.links {
				if strings.Contains(l.to, "://") {
					if !slices.ContainsFunc(hosts, func(h string) bool { return strings.HasPrefix(l.to, h) }) {
						t.Errorf("%s: %s is not among the sites that may be linked", name, l.to)
					}
					continue
				}
				to := target(t, name, l.to)
				if strings.HasPrefix(to, "document ") {
					continue
				}
				if _, err := os.Stat(filepath.Join("..", "..", to)); err != nil {
					t.Errorf("%s: %s leads nowhere: %v", name, l.to, err)
				}
			}
		}
	}
}

func TestPicturesAreUsed(t *testing.T) {
	used := map[string]bool{}
	for _, c := range guia.Chapters {
		for _, l := range read(t, c.Portuguese).links {
			used[l.to] = used[l.to] || l.picture
			if l.picture && l.text == "" {
				t.Errorf("%s: %s has no text for those who can't see it", c.Portuguese, l.to)
			}
		}
	}
	const most = 3 << 19 // they are in the binary
	var size int64
	err := fs.WalkDir(guia.Pictures, "img", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !used[name] {
			t.Errorf("no chapter shows %s", name)
		}
		info, err := d.Info()
		size += info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > most {
		t.Errorf("the pictures have %d bytes", size)
	}
}
