package guia_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

type page struct {
	name     string
	headings []heading
	blocks   []block
	links    []link
	shape    []string // kinds of what stands one below the other
	flags    []string // that the service is started with for its commands
}

type heading struct {
	level int
	id    string
}

type block struct {
	lang, text string
	remark     string // of the comment before it
	line       int
}

type link struct {
	text, to string
	picture  bool
}

var (
	linkForm  = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)\s]+)(?: "[^"]*")?\)|<(https?://[^>]+)>`)
	codeForm  = regexp.MustCompile("`[^`]*`")
	orderForm = regexp.MustCompile(`^[0-9]+\. `)
)

func read(t *testing.T, name string) page {
	t.Helper()
	return parse(t, name, written(t, name))
}

// written is the text of a document.
func written(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parse takes a document apart. It knows the Markdown that the guide uses: what it does not know is an error.
func parse(t *testing.T, name, text string) page {
	t.Helper()
	p := page{name: name}
	remark, open := "", false
	ids := map[string]bool{}
	prose := strings.Builder{}
	for i, line := range strings.Split(text, "\n") {
		switch fence, isFence := strings.CutPrefix(line, "```"); {
		case open && line == "```":
			open = false
		case open:
			last := &p.blocks[len(p.blocks)-1]
			last.text += line + "\n"
		case isFence:
			open = true
			p.blocks = append(p.blocks, block{lang: fence, remark: remark, line: i + 1})
			p.shape = append(p.shape, "code")
			remark = ""
		case strings.HasPrefix(line, "<!--"):
			remark = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(line, "<!--"), "-->"))
			if flags, ok := strings.CutPrefix(remark, "service:"); ok {
				p.flags, remark = strings.Fields(flags), ""
			}
		case strings.HasPrefix(line, "#"):
			marks, title, _ := strings.Cut(line, " ")
			h := heading{len(marks), slug(title)}
			if ids[h.id] {
				t.Errorf("%s: two headings #%s", name, h.id)
			}
			ids[h.id] = true
			p.headings = append(p.headings, h)
			p.shape = append(p.shape, marks)
		default:
			if remark != "" {
				t.Errorf("%s:%d: a remark before no code: %s", name, i+1, remark)
				remark = ""
			}
			p.note(line)
			prose.WriteString(line + "\n")
		}
	}
	if open {
		t.Errorf("%s: code that does not end", name)
	}
	for _, m := range linkForm.FindAllStringSubmatch(codeForm.ReplaceAllString(prose.String(), ""), -1) {
		p.links = append(p.links, link{m[2], m[3] + m[4], m[1] == "!"})
	}
	if strings.Contains(codeForm.ReplaceAllString(prose.String(), ""), "</") {
		t.Errorf("%s: HTML", name)
	}
	return p
}

// note keeps what kind of thing a line belongs to. How many lines a paragraph has is the language's business.
func (p *page) note(line string) {
	kind := "text"
	switch {
	case strings.TrimSpace(line) == "":
		kind = ""
	case strings.HasPrefix(line, "|"):
		kind = "row"
	case strings.HasPrefix(line, "- "), orderForm.MatchString(line):
		kind = "point"
	case strings.HasPrefix(line, "> "):
		kind = "note"
	case strings.HasPrefix(line, "!["):
		kind = "picture"
	case strings.HasPrefix(line, "  ") && len(p.shape) > 0:
		return // goes on
	}
	one := kind == "" || kind == "text" || kind == "note"
	if one && len(p.shape) > 0 && p.shape[len(p.shape)-1] == kind {
		return
	}
	p.shape = append(p.shape, kind)
}

// slug is the name that the repository's pages give a heading.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, title)
}
