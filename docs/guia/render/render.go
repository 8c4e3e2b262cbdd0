// Package render makes the guide's Markdown into the HTML that programs carry: what reads Markdown has no place in them.
package render

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/maquininha/maquininha/docs/guia"
)

// Chapter makes a page of Markdown that lies in dir of the guide. Links between files become links between pages.
func Chapter(source []byte, dir string) (string, error) {
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	ids := parser.NewContext(parser.WithIDs(&headingIDs{taken: map[string]int{}}))
	doc := md.Parser().Parse(text.NewReader(source), parser.WithContext(ids))
	var comments []ast.Node
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock: // remarks for those who test the guide
			comments = append(comments, n)
		case *ast.Link:
			n.Destination = []byte(servedLink(string(n.Destination), dir))
		case *ast.Image:
			n.Destination = []byte(servedLink(string(n.Destination), dir))
			if string(n.Title) == film {
				n.Title = nil
				n.Parent().SetAttributeString("class", []byte("film"))
				n.Parent().SetAttributeString("tabindex", []byte("0"))
			}
		case *ast.Heading:
			linkHeading(n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range comments {
		n.Parent().RemoveChild(n.Parent(), n)
	}
	var out bytes.Buffer
	if err == nil {
		err = md.Renderer().Render(&out, source, doc)
	}
	return reachable.Replace(out.String()), err
}

// reachable lets who has no mouse scroll what is wider than a telephone.
var reachable = strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<table tabindex="0">`)

// linkHeading gives a heading below the title a link to itself.
func linkHeading(h *ast.Heading) {
	id, _ := h.AttributeString("id")
	name := "#" + string(id.([]byte))
	if h.Level == 1 {
		return
	}
	self := ast.NewLink()
	self.Destination = []byte(name)
	self.SetAttributeString("class", []byte("anchor"))
	self.SetAttributeString("title", []byte(name))
	self.AppendChild(self, ast.NewString([]byte("#")))
	h.AppendChild(h, self)
}

// film is the title of a picture that is wider than a telephone: it is scrolled there, by keys as well.
const film = "filme"

// servedLink is a link of a file in dir as the page of that file must have it.
func servedLink(to, dir string) string {
	if local, ok := strings.CutPrefix(to, "http://localhost:9050"); ok {
		return local // whoever reads the page is there already, perhaps by another name
	}
	if strings.HasPrefix(to, "#") || strings.Contains(to, "://") {
		return to
	}
	file, fragment, found := strings.Cut(to, "#")
	if found {
		fragment = "#" + fragment
	}
	switch file = path.Join("docs/guia", dir, file); {
	case !strings.HasPrefix(file, "docs/guia/") && file != "docs/guia":
		return guia.Outside + file + fragment
	case strings.HasSuffix(file, ".md"):
		return guia.Path(strings.TrimPrefix(file, "docs/guia/")) + fragment
	}
	return "/" + file + fragment
}

// headingIDs names headings as the repository's pages do, so that a link works in both places.
type headingIDs struct{ taken map[string]int }

func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.TrimSpace(string(value)))
	n := h.taken[id]
	h.taken[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

func (h *headingIDs) Put(value []byte) { h.taken[string(value)]++ }
