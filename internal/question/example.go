package question

import (
	"iter"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBranches is how many alternatives of a choice are worth trying, maxExamples how many texts: each is matched.
const (
	maxBranches = 16
	maxExamples = 50
)

// regexExamples returns texts of shortest to longest characters that the
// pattern probably matches: whoever asks checks. It follows the pattern and
// varies only how often a part is repeated and which alternative is taken.
func regexExamples(pattern string, shortest, longest int) iter.Seq[string] {
	return func(yield func(string) bool) {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil || shortest > longestSample {
			return
		}
		branches := min(widestAlternative(re), maxBranches)
		last, tried := "", 0
		for repeat := range max(shortest, 3) + 1 {
			for branch := range branches {
				e := example{repeat: repeat, branch: branch, room: min(longest, longestSample), steps: 4 * longestSample}
				e.write(re)
				text := e.text.String()
				length := utf8.RuneCountInString(text)
				if text == last || length < shortest || length > longest {
					continue
				}
				last = text
				if tried++; !yield(text) || tried == maxExamples {
					return
				}
			}
		}
	}
}

// example is one text in the making.
type example struct {
	repeat int // how often to repeat what may be repeated
	branch int // which alternative to take
	room   int // characters left
	steps  int // visits left: repeated empty parts take no room
	text   strings.Builder
}

func (e *example) write(re *syntax.Regexp) {
	if e.steps--; e.steps < 0 || e.room < 0 {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			e.writeRune(r)
		}
	case syntax.OpCharClass:
		e.writeRune(likelyRune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		e.writeRune('a')
	case syntax.OpCapture, syntax.OpConcat:
		for _, part := range re.Sub {
			e.write(part)
		}
	case syntax.OpAlternate:
		e.write(re.Sub[e.branch%len(re.Sub)])
	case syntax.OpStar:
		e.writeTimes(re, e.repeat)
	case syntax.OpPlus:
		e.writeTimes(re, max(e.repeat, 1))
	case syntax.OpQuest:
		e.writeTimes(re, min(e.repeat, 1))
	case syntax.OpRepeat:
		times := max(e.repeat, re.Min)
		if re.Max >= 0 {
			times = min(times, re.Max)
		}
		e.writeTimes(re, times)
	}
	// All other operators match between characters, or nothing at all.
}

func (e *example) writeTimes(re *syntax.Regexp, times int) {
	for range times {
		e.write(re.Sub[0])
	}
}

func (e *example) writeRune(r rune) {
	e.room--
	e.text.WriteRune(r)
}

// likelyRune returns the rune of a class, given as pairs of bounds, that a
// person would most likely type.
func likelyRune(class []rune) rune {
	for _, r := range "1aA0 -." {
		for i := 0; i < len(class); i += 2 {
			if class[i] <= r && r <= class[i+1] {
				return r
			}
		}
	}
	for i := 0; i < len(class); i += 2 {
		if unicode.IsPrint(class[i]) {
			return class[i]
		}
	}
	return utf8.RuneError
}

// widestAlternative returns how many alternatives the widest choice in the
// pattern has, at least one.
func widestAlternative(re *syntax.Regexp) int {
	widest := 1
	if re.Op == syntax.OpAlternate {
		widest = len(re.Sub)
	}
	for _, part := range re.Sub {
		widest = max(widest, widestAlternative(part))
	}
	return widest
}
