package question

import (
	"regexp"
	"regexp/syntax"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// asked is what is wrong with the patterns of a form.
func asked(t *testing.T, patterns ...string) Problem {
	t.Helper()
	var questions []Question
	for _, p := range patterns {
		q := DefaultQuestion()
		q.Type, q.Regex = Regex, p
		questions = append(questions, q)
	}
	_, err := NewForm(DefaultParameters(), questions)
	if err == nil {
		return ""
	}
	return err.(*FieldError).Problem
}

func TestPatternsAreBounded(t *testing.T) {
	for pattern, want := range map[string]Problem{
		`^[a-z]{2,5}\d$`: "", `(a|b)*`: "", `\p{L}[\p{L} '-]{1,100}`: "", `(\d{3}\.){2}\d{3}-\d{2}`: "", `[A-Z0-9]{12}\d{2}`: "", strings.Repeat("a", LongestRegex): "",
		strings.Repeat("(a|b)*", 150):            "",
		`(`:                                      Malformed,
		strings.Repeat("a", LongestRegex+1):      TooComplex,
		strings.Repeat(`\pL`, 300):               TooComplex,
		strings.Repeat(".{1000}", 100):           TooComplex,
		strings.Repeat("(.{1,30}){1,30}", 60):    TooComplex,
		`((((a{0,5}){0,5}){0,5}){0,5}b){0,1}`:    "",
		`(((((x*){1,9}){1,9}){1,9}y{0,1000}|z)*`: Malformed,
	} {
		if got := asked(t, pattern); got != want {
			t.Errorf("%.40s: %q, want %q", pattern, got, want)
		}
	}
	// Patterns that are well alone are too much together.
	for pattern, many := range map[string]int{strings.Repeat("a", 900): 12, "(.{100}){9}": 60, `\pL\pL\pL`: 30} {
		if got := asked(t, pattern); got != "" {
			t.Errorf("%.40s: %q", pattern, got)
		}
		patterns := make([]string, many)
		for i := range patterns {
			patterns[i] = pattern
		}
		if got := asked(t, patterns...); got != TooComplex {
			t.Errorf("%d times %.40s: %q", many, pattern, got)
		}
	}
	// A long answer is as much work as a long pattern.
	q := DefaultQuestion()
	q.Type, q.Regex, q.MaxLength = Regex, "(.{100}){9}", 1<<30
	if _, err := NewForm(DefaultParameters(), []Question{q}); err == nil {
		t.Error("a billion characters for nine hundred steps")
	}
}

// What a pattern takes to be checked and matched is known, whatever is in it.
func TestPatternsTakeLittleMemory(t *testing.T) {
	for _, pattern := range []string{
		strings.Repeat("(a|b)*", 160), strings.Repeat("(a|b)*", 100_000), "[" + strings.Repeat(`\pL`, 330) + "]", strings.Repeat("(", 490) + strings.Repeat(")*", 330),
		strings.Repeat(".{1000}", 140), strings.Repeat("(a?){200}", 100), strings.Repeat("(.{1,30}){1,30}", 60), "(" + strings.Repeat("|a", 490) + "){0,50}",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if asked(t, pattern) == "" {
			matchesWhole(pattern, strings.Repeat("ab", 127))
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
			t.Errorf("%.40s took %d MiB", pattern, took>>20)
		}
	}
}

var genPattern = rapid.StringOfN(rapid.RuneFrom([]rune(`ab1é\dwWsSbBAzQEpL.*+?|()[]{},^$-:i0`)), 0, 20, -1)

// Patterns match as the library says, and are no longer than was thought.
func TestPatternsAgreeWithTheLibrary(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("abAB1é .,-\n")), 0, 12, -1)
	for _, pattern := range []string{`a\b`, `^a$`, `(?m)^a$`, `(?i)É+`, `(|a)*`, `(|a)+`, `\Qa.b`, `a{2,}`, `(a{2}){3}`, `(?s).`, `.`, `\z`, `[^a]`, `(?U)a+`, `$^`, `x*y?`, ``} {
		agree(t, pattern, []string{"", "a", "aa", "aaaaaa", "É", "éÉ", "a.b", "\n", "b", "a\n", "xy"})
	}
	rapid.Check(t, func(rt *rapid.T) {
		agree(rt, genPattern.Draw(rt, "pattern"), rapid.SliceOfN(text, 1, 5).Draw(rt, "texts"))
	})
}

func agree(t rapid.TB, pattern string, texts []string) {
	library, err := regexp.Compile(pattern)
	if err != nil {
		return
	}
	library.Longest()
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		t.Fatal(err)
	}
	if long := len(program.Inst); long > 2*stepsOf(re)+4 {
		t.Fatalf("%q: %d steps, thought to be %d", pattern, long, stepsOf(re))
	}
	for _, text := range texts {
		at := library.FindStringIndex(text)
		if want := at != nil && at[0] == 0 && at[1] == len(text); matchesWhole(pattern, text) != want {
			t.Fatalf("%q on %q: the library says %v", pattern, text, want)
		}
	}
}
