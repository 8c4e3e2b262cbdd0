package docpage

import (
	"html"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/maquininha/maquininha/docs/guia"
)

const (
	guideRoot   = "/docs/guia"
	guidePolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// guideWords are what stands around a chapter.
type guideWords struct {
	lang, other, switchTo, guide, contents, skip, links, around, before, after string
}

var (
	inPortuguese = guideWords{
		"pt-BR", "en", "English", "guia", "Capítulos", "Pular para o texto", "Outras páginas", "Capítulos vizinhos", "← ", " →",
	}
	inEnglish = guideWords{
		"en", "pt-BR", "Português", "guide", "Chapters", "Skip to the text", "Other pages", "Chapters beside", "← ", " →",
	}
)

// guideAssets are the guide's pages and pictures by their path. A page is made of its Markdown when somebody first reads it.
func guideAssets() map[string]func() asset {
	all := map[string]func() asset{}
	css := load("page/guide.css", "text/css; charset=utf-8")
	all[guideRoot+"/guia.css"] = func() asset { return css }
	for i, c := range guia.Chapters {
		all[guidePath(c.Portuguese)] = sync.OnceValue(func() asset { return guidePage(i, false) })
		all[guidePath(c.English)] = sync.OnceValue(func() asset { return guidePage(i, true) })
	}
	// A reader may add the slash.
	all[guideRoot+"/"], all[guideRoot+"/en/"] = all[guideRoot], all[guideRoot+"/en"]
	pictures, err := fs.Glob(guia.Pictures, "img/*.png")
	if err != nil {
		panic("docpage: " + err.Error()) // only a malformed pattern
	}
	for _, name := range pictures {
		all[guideRoot+"/"+name] = sync.OnceValue(func() asset { return newAsset(picture(name), "image/png") })
	}
	return all
}

// guidePath is where a chapter is served.
func guidePath(file string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(file, ".md"), "README")
	return strings.TrimSuffix(guideRoot+"/"+name, "/")
}

func picture(name string) []byte {
	b, err := guia.Pictures.ReadFile(name)
	if err != nil {
		panic("docpage: " + err.Error()) // both are in the binary
	}
	return b
}

func fileOf(c guia.Chapter, english bool) string {
	if english {
		return c.English
	}
	return c.Portuguese
}

// guidePage is a chapter with the way to the others around it.
func guidePage(index int, english bool) asset {
	words := inPortuguese
	if english {
		words = inEnglish
	}
	file := fileOf(guia.Chapters[index], english)
	text := renderChapter([]byte(guia.Texts()[file]), path.Dir(file))
	frame, err := files.ReadFile("page/guide.html")
	if err != nil {
		panic("docpage: " + err.Error())
	}
	beside := func(i int, format func(title string) string, class string) string {
		if i < 0 || i >= len(guia.Chapters) {
			return ""
		}
		f := fileOf(guia.Chapters[i], english)
		return `<a class="` + class + `" href="` + guidePath(f) + `">` + html.EscapeString(format(chapterTitle(f))) + `</a>`
	}
	page := strings.NewReplacer(
		"{lang}", words.lang, "{title}", html.EscapeString(text.title), "{other-lang}", words.other,
		"{other}", guidePath(fileOf(guia.Chapters[index], !english)), "{top}", "texto", "{skip}", words.skip,
		"{home}", guidePath(fileOf(guia.Chapters[0], english)), "{guide}", words.guide, "{links}", words.links, "{switch}", words.switchTo,
		"{contents}", words.contents, "{around}", words.around, "{chapters}", chapterList(index, english, text.sections), "{body}", text.html,
		"{before}", beside(index-1, func(t string) string { return words.before + t }, "before"),
		"{after}", beside(index+1, func(t string) string { return t + words.after }, "after"),
	).Replace(string(frame))
	a := newAsset([]byte(page), htmlType)
	a.policy = guidePolicy
	return a
}

// chapterList leads to every chapter, and to the sections of the one that is read.
func chapterList(current int, english bool, sections []section) string {
	var b strings.Builder
	b.WriteString("<ol>\n")
	for i, c := range guia.Chapters {
		f := fileOf(c, english)
		b.WriteString(`<li><a href="` + guidePath(f) + `"`)
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
	for line := range strings.Lines(guia.Texts()[file]) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	panic("docpage: " + file + " has no title") // seen by every test that opens it
}
