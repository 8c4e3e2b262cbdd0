package question

import (
	"regexp/syntax"
	"slices"
)

// What patterns may ask for. A few bytes of one can become megabytes when it is compiled, and hours when it is matched.
const (
	// LongestRegex is how many bytes a pattern may have, longestRegexes all those of a form together.
	LongestRegex   = 1_000
	longestRegexes = 10 * LongestRegex
	// mostSteps is how long the programs of a form's patterns may be together, mostWork how many of their steps may be taken to
	// match one answer.
	mostSteps = 50_000
	mostWork  = 20_000_000
)

// patternsFault finds the first pattern that a form can't be asked with: each alone, and all of them together.
func patternsFault(questions []Question) (index int, problem Problem) {
	length, steps := 0, 0
	for i, q := range questions {
		if q.Regex == "" {
			continue
		}
		if length += len(q.Regex); len(q.Regex) > LongestRegex || length > longestRegexes {
			return i, TooComplex
		}
		re, err := syntax.Parse(q.Regex, syntax.Perl)
		if err != nil {
			return i, Malformed
		}
		size := stepsOf(re) + ranges(re)
		if steps += size; steps > mostSteps || size*min(q.MaxLength, mostWork) > mostWork {
			return i, TooComplex
		}
	}
	return 0, ""
}

// stepsOf is how many steps the program of a pattern has, about, without making it: a repetition is written out in it.
func stepsOf(re *syntax.Regexp) int {
	inside := 0
	for _, part := range re.Sub {
		inside = min(inside+stepsOf(part), mostSteps+1)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCapture:
		return inside + 2
	case syntax.OpAlternate:
		return inside + len(re.Sub)
	case syntax.OpRepeat:
		return min((inside+1)*max(re.Min, re.Max, 1), mostSteps+1)
	}
	return inside + 1
}

// ranges is how many ranges of characters a pattern names. A repetition has them once.
func ranges(re *syntax.Regexp) (n int) {
	if re.Op == syntax.OpCharClass {
		n = len(re.Rune) / 2
	}
	for _, part := range re.Sub {
		n += ranges(part)
	}
	return n
}

// matchesWhole reports whether the pattern matches all of the value. The library's own matcher takes memory for each group at each
// step; this one only knows at which steps it is.
func matchesWhole(pattern, value string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false // NewForm refuses such a question
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return false
	}
	characters := append([]rune(value), end)
	now, next := newPlaces(program), newPlaces(program)
	now.add(uint32(program.Start), syntax.EmptyOpContext(end, characters[0]))
	for i, r := range characters[:len(characters)-1] {
		around := syntax.EmptyOpContext(r, characters[i+1])
		for _, at := range now.reached {
			if step := &program.Inst[at]; takes(step, r) {
				next.add(step.Out, around)
			}
		}
		now, next = next, now
		next.clear()
	}
	return slices.ContainsFunc(now.reached, func(at uint32) bool { return program.Inst[at].Op == syntax.InstMatch })
}

// end is what stands before and behind a text.
const end rune = -1

func takes(step *syntax.Inst, r rune) bool {
	switch step.Op {
	case syntax.InstRune, syntax.InstRune1:
		return step.MatchRune(r)
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	}
	return false
}

// places are the steps of a program that the characters so far lead to.
type places struct {
	program *syntax.Prog
	reached []uint32
	seen    []bool
}

func newPlaces(program *syntax.Prog) *places {
	return &places{program: program, seen: make([]bool, len(program.Inst))}
}

// add reaches a step, and those to which no character is needed from there.
func (p *places) add(at uint32, around syntax.EmptyOp) {
	next := len(p.reached)
	for p.reach(at); next < len(p.reached); next++ {
		switch step := &p.program.Inst[p.reached[next]]; step.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			p.reach(step.Out)
			p.reach(step.Arg)
		case syntax.InstCapture, syntax.InstNop:
			p.reach(step.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(step.Arg)&^around == 0 {
				p.reach(step.Out)
			}
		}
	}
}

func (p *places) reach(at uint32) {
	if !p.seen[at] {
		p.seen[at] = true
		p.reached = append(p.reached, at)
	}
}

func (p *places) clear() {
	for _, at := range p.reached {
		p.seen[at] = false
	}
	p.reached = p.reached[:0]
}
