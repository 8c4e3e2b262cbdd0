package docpage

import (
	"cmp"
	"html"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/maquininha/maquininha/docs/guia"
	"github.com/maquininha/maquininha/internal/fold"
)

const (
	longestQuery = 100 // letters
	mostResults  = 30
	// Letters of a result's text: before the first word that was looked for, and from there on.
	excerptBefore, excerptAfter = 60, 180
)

// passage is what stands under one heading of the guide.
type passage struct {
	id, title, text string
	chapter, href   string
	words           string // all that it is found by, folded
	name            string // the title, folded
}

// search finds passages of the guide in one language. It works without a script, as the guide does.
type search struct {
	words    guideWords
	passages func() []passage // made when somebody first searches
}

func newSearch(words guideWords) search {
	return search{words, sync.OnceValue(words.passages)}
}

// passages are those of all chapters.
func (w guideWords) passages() (all []passage) {
	for _, c := range guia.Chapters {
		file := w.fileOf(c)
		text := readChapter(guia.Pages()[file])
		for _, p := range text.passages {
			p.chapter, p.href = text.title, guia.Path(file)
			if p.id != "" {
				p.href += "#" + p.id
			}
			p.name = fold.Text(p.title)
			p.words = fold.Text(p.title + "\n" + p.chapter + "\n" + p.text)
			all = append(all, p)
		}
	}
	return all
}

func (s search) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked := strings.TrimSpace(strings.ToValidUTF8(r.URL.Query().Get("q"), ""))
	if letters := []rune(asked); len(letters) > longestQuery {
		asked = string(letters[:longestQuery])
	}
	var body strings.Builder
	body.WriteString("<h1>" + html.EscapeString(s.words.found) + "</h1>\n")
	sought := strings.Fields(fold.Text(asked))
	found := find(s.passages(), sought)
	switch {
	case len(sought) == 0:
	case len(found) == 0:
		body.WriteString("<p>" + html.EscapeString(s.words.nothing) + "</p>\n")
	default:
		body.WriteString("<ol class=\"results\">\n")
		for _, p := range found {
			body.WriteString(`<li><a href="` + html.EscapeString(p.href) + `">` + marked(p.title, sought) + `</a> <span class="where">` + html.EscapeString(p.chapter) +
				"</span><p>" + marked(excerpt(p.text, sought), sought) + "</p></li>\n")
		}
		body.WriteString("</ol>\n")
	}
	s.words.frame(map[string]string{
		"title": html.EscapeString(s.words.found), "other": s.words.opposite().search, "asked": html.EscapeString(asked),
		"chapters": s.words.chapterList(-1, nil), "body": body.String(), "before": "", "after": "",
	}).ServeHTTP(w, r)
}

// find are the passages that have all words, those first that have them in their titles, then those that have them most often.
func find(all []passage, sought []string) []passage {
	if len(sought) == 0 {
		return nil
	}
	type hit struct {
		passage
		worth int
	}
	var hits []hit
	for _, p := range all {
		worth := 0
		for _, word := range sought {
			n := strings.Count(p.words, word)
			if n == 0 {
				worth = 0
				break
			}
			worth += min(n, 9)
			if strings.Contains(p.name, word) {
				worth += 100
			}
		}
		if worth > 0 {
			hits = append(hits, hit{p, worth})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.worth, a.worth) })
	found := []passage{}
	for _, h := range hits[:min(len(hits), mostResults)] {
		found = append(found, h.passage)
	}
	return found
}

// folded has a letter for each of a text, so that a place in the one is the same place in the other.
func folded(letters []rune) []rune {
	same := make([]rune, len(letters))
	for i, r := range letters {
		same[i] = []rune(fold.Text(string(r)))[0]
	}
	return same
}

// indexOf is where a word begins in folded letters, from a place on; -1: nowhere.
func indexOf(letters, word []rune, from int) int {
	for i := from; i+len(word) <= len(letters); i++ {
		if slices.Equal(letters[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

// excerpt is the part of a text around the first of the words, in whole words.
func excerpt(text string, sought []string) string {
	letters := []rune(strings.Join(strings.Fields(text), " "))
	same, first := folded(letters), len(letters)
	for _, word := range sought {
		if at := indexOf(same, []rune(word), 0); at >= 0 {
			first = min(first, at)
		}
	}
	if first == len(letters) { // they are in the titles only
		first = 0
	}
	from, to := max(first-excerptBefore, 0), min(first+excerptAfter, len(letters))
	for from > 0 && from < first && letters[from-1] != ' ' {
		from++
	}
	for to < len(letters) && to > first && letters[to] != ' ' {
		to--
	}
	part := string(letters[from:to])
	if from > 0 {
		part = "… " + part
	}
	if to < len(letters) {
		part += " …"
	}
	return part
}

// marked is a text in HTML, with the words marked that were looked for.
func marked(text string, sought []string) string {
	letters := []rune(text)
	same, inside := folded(letters), make([]bool, len(letters)+1)
	for _, word := range sought {
		for at := indexOf(same, []rune(word), 0); at >= 0; at = indexOf(same, []rune(word), at+1) {
			for i := range []rune(word) {
				inside[at+i] = true
			}
		}
	}
	var b strings.Builder
	for i, r := range letters {
		if inside[i] && (i == 0 || !inside[i-1]) {
			b.WriteString("<mark>")
		}
		b.WriteString(html.EscapeString(string(r)))
		if inside[i] && !inside[i+1] {
			b.WriteString("</mark>")
		}
	}
	return b.String()
}
