package question

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What is wrong with a form as a whole.
var (
	ErrNoQuestions  = errors.New("a form without questions")
	ErrDuplicateIDs = errors.New("questions with the same id")
)

// Problem is what is wrong with a field of a question.
type Problem string

// The problems.
const (
	Missing   Problem = "missing"   // the question cannot be asked without it
	Unknown   Problem = "unknown"   // not one of the allowed values
	Duplicate Problem = "duplicate" // must be unique
	Negative  Problem = "negative"  // must be 0 or more
	TooSmall  Problem = "too small" // a maxLength that allows no answer
	TooLarge  Problem = "too large" // a minLength above the maxLength
	Malformed Problem = "malformed" // a regex that does not compile, a mask without #
	// TooComplex is a regex, alone or with the form's others, that would take too much memory or time.
	TooComplex Problem = "too complex"
)

// InParameters is the Index of a FieldError about the form's parameters.
const InParameters = -1

// FieldError says which field of which question cannot be asked as it stands.
type FieldError struct {
	Index   int    // of the question in the form, or InParameters
	Field   string // path inside the question, like options[1].id
	Problem Problem
}

func (e *FieldError) Error() string {
	if e.Index == InParameters {
		return fmt.Sprintf("parameters: %s is %s", e.Field, e.Problem)
	}
	return fmt.Sprintf("question %d: %s is %s", e.Index, e.Field, e.Problem)
}

// NewForm returns the form of these questions, in this order, or the first
// reason not to show it. When no question has an id of its own, they are
// numbered from 0.
func NewForm(parameters Parameters, questions []Question) (Form, error) {
	if len(questions) == 0 {
		return Form{}, ErrNoQuestions
	}
	if parameters.SuccessMessageInterval < 0 {
		return Form{}, &FieldError{InParameters, "successMessageInterval", Negative}
	}
	// The form outlives this call on a screen; the caller's slices may not.
	questions = slices.Clone(questions)
	if !identify(questions) {
		return Form{}, ErrDuplicateIDs
	}
	for i := range questions {
		q := &questions[i]
		if field, problem := q.fault(); problem != "" {
			return Form{}, &FieldError{i, field, problem}
		}
		q.Options = slices.Clone(q.Options)
	}
	if i, problem := patternsFault(questions); problem != "" {
		return Form{}, &FieldError{i, "regex", problem}
	}
	return Form{Parameters: parameters, Questions: questions}, nil
}

// identify numbers the questions if none has an id, and reports whether the
// ids are unique.
func identify(questions []Question) bool {
	own := slices.ContainsFunc(questions, func(q Question) bool { return q.ID != 0 })
	if !own {
		for i := range questions {
			questions[i].ID = i
		}
		return true
	}
	seen := make(map[int]bool, len(questions))
	for _, q := range questions {
		if seen[q.ID] {
			return false
		}
		seen[q.ID] = true
	}
	return true
}

// fault returns the first field that keeps the question from being asked.
func (q Question) fault() (field string, problem Problem) {
	switch {
	case !q.Type.Known():
		return "type", Unknown
	case q.MinLength < 0:
		return "minLength", Negative
	case q.MaxLength < 0:
		return "maxLength", Negative
	case q.MaxLength == 0:
		return "maxLength", TooSmall
	case q.MinLength > q.MaxLength:
		return "minLength", TooLarge
	case q.Mask != "" && !strings.Contains(q.Mask, placeholder):
		return "mask", Malformed
	case q.Type == Regex && q.Regex == "":
		return "regex", Missing
	}
	if q.Type.HasOptions() {
		return optionsFault(q.Options)
	}
	return "", ""
}

func optionsFault(options []Option) (field string, problem Problem) {
	if len(options) == 0 {
		return "options", Missing
	}
	seen := make(map[int]bool, len(options))
	for i, option := range options {
		switch {
		case seen[option.ID]:
			return fmt.Sprintf("options[%d].id", i), Duplicate
		case option.Name == "":
			return fmt.Sprintf("options[%d].name", i), Missing
		case option.Value == "":
			// An empty value could not be told from no answer at all.
			return fmt.Sprintf("options[%d].value", i), Missing
		}
		seen[option.ID] = true
	}
	return "", ""
}
