package docpage

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
)

// repository is where what the guide names outside itself can be read.
const repository = "https://github.com/maquininha/maquininha/blob/main/"

// section is a heading of the second level.
type section struct{ id, title string }

// chapter is Markdown made into HTML.
type chapter struct {
	title    string
	html     string
	sections []section
	passages []passage
}

// renderChapter makes a page of Markdown that lies in dir of the guide. Links between files become links between pages.
func renderChapter(source []byte, dir string) chapter {
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	ids := parser.NewContext(parser.WithIDs(&headingIDs{taken: map[string]int{}}))
	doc := md.Parser().Parse(text.NewReader(source), parser.WithContext(ids))
	var c chapter
	c.collect(doc, source)
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
		case *ast.Heading:
			c.heading(n, source)
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
	if err != nil {
		panic(fmt.Sprintf("docpage: %v", err)) // the text is in the binary, and a buffer takes everything
	}
	c.html = reachable.Replace(out.String())
	return c
}

// reachable lets who has no mouse scroll what is wider than a telephone.
var reachable = strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<table tabindex="0">`)

// collect takes the text apart at its headings, for who searches.
func (c *chapter) collect(doc ast.Node, source []byte) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			p := passage{title: plainText(h, source)}
			if id, has := h.AttributeString("id"); has && h.Level > 1 {
				p.id = string(id.([]byte))
			}
			c.passages = append(c.passages, p)
		} else if last := len(c.passages) - 1; last >= 0 {
			c.passages[last].text += readText(n, source)
		}
	}
}

// readText is what is read of a block, code too, each part with a blank behind it.
func readText(n ast.Node, source []byte) string {
	switch n := n.(type) {
	case *ast.HTMLBlock:
		return "" // remarks, as below
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return string(n.Lines().Value(source)) + " "
	case *ast.Text:
		text := string(n.Segment.Value(source))
		if n.SoftLineBreak() {
			text += " "
		}
		return text
	}
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		b.WriteString(readText(child, source))
	}
	if n.Type() == ast.TypeBlock {
		b.WriteByte(' ')
	}
	return b.String()
}

// heading notes a heading, and gives it a link to itself.
func (c *chapter) heading(h *ast.Heading, source []byte) {
	title := plainText(h, source)
	if h.Level == 1 {
		c.title = title
		return
	}
	id, _ := h.AttributeString("id")
	name := string(id.([]byte))
	if h.Level == 2 {
		c.sections = append(c.sections, section{name, title})
	}
	self := ast.NewLink()
	self.Destination = []byte("#" + name)
	self.SetAttributeString("class", []byte("anchor"))
	self.SetAttributeString("title", []byte("#"+name))
	self.AppendChild(self, ast.NewString([]byte("#")))
	h.AppendChild(h, self)
}

// plainText is what is read of a node, without its markup.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
		} else {
			b.WriteString(plainText(child, source))
		}
	}
	return b.String()
}

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
		return repository + file + fragment
	case strings.HasSuffix(file, ".md"):
		return guidePath(strings.TrimPrefix(file, "docs/guia/")) + fragment
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
