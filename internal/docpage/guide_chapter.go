package docpage

import (
	"html"
	"regexp"
	"strings"

	"github.com/maquininha/maquininha/docs/guia"
)

// section is a heading of the second level.
type section struct{ id, title string }

// chapter is a page of the guide, taken apart.
type chapter struct {
	title    string
	html     string
	sections []section
	passages []passage
}

// The pages are made of our own Markdown, so that they have no other forms than these.
var (
	headingForm = regexp.MustCompile(`<h([1-6]) id="([^"]*)">(.*?)</h[1-6]>`)
	selfForm    = regexp.MustCompile(`<a href="[^"]*" class="anchor"[^>]*>#</a>`)
	blockForm   = regexp.MustCompile(`</(?:p|li|td|th|tr|pre|blockquote)>`)
	outsideForm = regexp.MustCompile(`<a href="` + guia.Outside + `([^"]*)">(.*?)</a>`)
	tagForm     = regexp.MustCompile(`<[^>]*>`)
)

// readChapter finds what a page has, by its headings.
func readChapter(page string) chapter {
	c := chapter{html: page}
	all := headingForm.FindAllStringSubmatchIndex(page, -1)
	for i, at := range all {
		end := len(page)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		level, id := page[at[2]:at[3]], html.UnescapeString(page[at[4]:at[5]])
		p := passage{id: id, title: plainText(selfForm.ReplaceAllString(page[at[6]:at[7]], "")), text: plainText(page[at[1]:end])}
		switch level {
		case "1":
			p.id, c.title = "", p.title
		case "2":
			c.sections = append(c.sections, section{id, p.title})
		}
		c.passages = append(c.passages, p)
	}
	return c
}

// withOutside has the links to files of the repository lead to its address. Without one only the file's name is told.
func withOutside(page, repository string) string {
	if repository == "" {
		return outsideForm.ReplaceAllString(page, `<span title="$1">$2</span>`)
	}
	return outsideForm.ReplaceAllString(page, `<a href="`+strings.ReplaceAll(html.EscapeString(repository), "$", "$$")+`/blob/HEAD/$1">$2</a>`)
}

// plainText is what is read of HTML, code too, with a blank between its parts.
func plainText(text string) string {
	text = tagForm.ReplaceAllString(blockForm.ReplaceAllString(text, " "), "")
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}
