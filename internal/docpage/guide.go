package docpage

import (
	"html"
	"io/fs"
	"net/http"
	"strings"

	"github.com/maquininha/maquininha/docs/guia"
	"github.com/maquininha/maquininha/internal/version"
)

const (
	guideRoot   = guia.Root
	guidePolicy = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

// guideWords are what stands around a chapter.
type guideWords struct {
	lang, other, switchTo, guide, contents, skip, links, around, before, after string
	search, find, found, nothing                                               string
}

var (
	inPortuguese = guideWords{
		"pt-BR", "en", "English", "guia", "Capítulos", "Pular para o texto", "Outras páginas", "Capítulos vizinhos", "← ", " →",
		guideRoot + "/busca", "Buscar no guia", "Busca", "Nada foi encontrado. Tente menos palavras, ou outras.",
	}
	inEnglish = guideWords{
		"en", "pt-BR", "Português", "guide", "Chapters", "Skip to the text", "Other pages", "Chapters beside", "← ", " →",
		guideRoot + "/en/search", "Search the guide", "Search", "Nothing was found. Try fewer words, or others.",
	}
)

// later is a page that is made when somebody first reads it.
type later func() asset

func (l later) ServeHTTP(w http.ResponseWriter, r *http.Request) { l().ServeHTTP(w, r) }

// guidePages are the guide's pages and pictures by their path. A page is put together when somebody first reads it.
func guidePages() map[string]http.Handler {
	all := map[string]http.Handler{guideRoot + "/guia.css": once(source{"page/guide.css", "text/css; charset=utf-8", own}.load)}
	for i, c := range guia.Chapters {
		all[guia.Path(c.Portuguese)] = once(func() asset { return guidePage(i, inPortuguese) })
		all[guia.Path(c.English)] = once(func() asset { return guidePage(i, inEnglish) })
	}
	for _, words := range []guideWords{inPortuguese, inEnglish} {
		all[words.search] = newSearch(words)
	}
	// A reader may add the slash.
	all[guideRoot+"/"], all[guideRoot+"/en/"] = all[guideRoot], all[guideRoot+"/en"]
	pictures, err := fs.Glob(guia.Pictures, "img/*.png")
	if err != nil {
		panic("docpage: " + err.Error()) // only a malformed pattern
	}
	for _, name := range pictures {
		all[guideRoot+"/"+name] = once(func() asset { return newAsset(picture(name), "image/png") })
	}
	return all
}

func picture(name string) []byte {
	b, err := guia.Pictures.ReadFile(name)
	if err != nil {
		panic("docpage: " + err.Error()) // both are in the binary
	}
	return b
}

func (w guideWords) fileOf(c guia.Chapter) string {
	if w.lang == inEnglish.lang {
		return c.English
	}
	return c.Portuguese
}

// opposite are the words of the other language.
func (w guideWords) opposite() guideWords {
	if w.lang == inEnglish.lang {
		return inPortuguese
	}
	return inEnglish
}

// guidePage is a chapter with the way to the others around it.
func guidePage(index int, words guideWords) asset {
	file := words.fileOf(guia.Chapters[index])
	text := readChapter(withOutside(guia.Pages()[file], version.Repository))
	beside := func(i int, format func(title string) string, class string) string {
		if i < 0 || i >= len(guia.Chapters) {
			return ""
		}
		f := words.fileOf(guia.Chapters[i])
		return `<a class="` + class + `" href="` + guia.Path(f) + `">` + html.EscapeString(format(chapterTitle(f))) + `</a>`
	}
	return words.frame(map[string]string{
		"title": html.EscapeString(text.title), "other": guia.Path(words.opposite().fileOf(guia.Chapters[index])), "asked": "",
		"chapters": words.chapterList(index, text.sections), "body": text.html,
		"before": beside(index-1, func(t string) string { return words.before + t }, "before"),
		"after":  beside(index+1, func(t string) string { return t + words.after }, "after"),
	})
}

// frame is a page of the guide: what it shows, in HTML, with what is around every one.
func (w guideWords) frame(parts map[string]string) asset {
	frame, err := files.ReadFile("page/guide.html")
	if err != nil {
		panic("docpage: " + err.Error())
	}
	pairs := []string{
		"{lang}", w.lang, "{other-lang}", w.other, "{top}", "texto", "{skip}", w.skip, "{home}", guia.Path(w.fileOf(guia.Chapters[0])), "{guide}", w.guide,
		"{links}", w.links, "{switch}", w.switchTo, "{contents}", w.contents, "{around}", w.around, "{search}", w.search, "{find}", w.find,
	}
	for name, text := range parts {
		pairs = append(pairs, "{"+name+"}", text)
	}
	a := newAsset([]byte(strings.NewReplacer(pairs...).Replace(string(frame))), htmlType)
	a.policy = guidePolicy
	return a
}

// chapterList leads to every chapter, and to the sections of the one that is read; -1: of none.
func (w guideWords) chapterList(current int, sections []section) string {
	var b strings.Builder
	b.WriteString("<ol>\n")
	for i, c := range guia.Chapters {
		f := w.fileOf(c)
		b.WriteString(`<li><a href="` + guia.Path(f) + `"`)
		if i == current {
			b.WriteString(` aria-current="page"`)
		}
		b.WriteString(">" + html.EscapeString(chapterTitle(f)) + "</a>")
		if i == current && i > 0 && len(sections) > 0 {
			b.WriteString("<ul>\n")
			for _, s := range sections {
				b.WriteString(`<li><a href="#` + html.EscapeString(s.id) + `">` + html.EscapeString(s.title) + "</a></li>\n")
			}
			b.WriteString("</ul>")
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ol>\n")
	return b.String()
}

// chapterTitle is the first heading of a chapter.
func chapterTitle(file string) string {
	title := headingForm.FindStringSubmatch(guia.Pages()[file])
	if title == nil {
		panic("docpage: " + file + " has no title") // seen by every test that opens it
	}
	return plainText(title[3])
}
