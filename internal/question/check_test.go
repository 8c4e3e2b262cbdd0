package question_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/question"
)

// ask returns a question with the contract's defaults, changed as a test wants.
func ask(t question.Type, changes ...func(*question.Question)) question.Question {
	q := question.DefaultQuestion()
	q.Type = t
	for _, change := range changes {
		change(&q)
	}
	return q
}

func required(q *question.Question) { q.Required = true }

func identified(id int) func(*question.Question) {
	return func(q *question.Question) { q.ID = id }
}

func between(shortest, longest int) func(*question.Question) {
	return func(q *question.Question) { q.MinLength, q.MaxLength = shortest, longest }
}

func mask(mask string) func(*question.Question) {
	return func(q *question.Question) { q.Mask = mask }
}

func regex(pattern string) func(*question.Question) {
	return func(q *question.Question) { q.Regex = pattern }
}

func preset(value string) func(*question.Question) {
	return func(q *question.Question) { q.Default = &value }
}

func options(options ...question.Option) func(*question.Question) {
	return func(q *question.Question) { q.Options = options }
}

func yesOrNo(q *question.Question) {
	q.Options = []question.Option{{ID: 1, Name: "Sim", Value: "S"}, {ID: 2, Name: "Não", Value: "N"}}
}

func newForm(t testing.TB, questions ...question.Question) question.Form {
	t.Helper()
	form, err := question.NewForm(question.DefaultParameters(), questions)
	if err != nil {
		t.Fatal(err)
	}
	return form
}

func TestDefaults(t *testing.T) {
	wantQuestion := question.Question{Type: "TEXT", MinLength: 0, MaxLength: 255}
	if diff := cmp.Diff(wantQuestion, question.DefaultQuestion()); diff != "" {
		t.Error(diff)
	}
	wantParameters := question.Parameters{
		ButtonText: "Confirmar", ButtonCancelText: "Cancelar", SuccessMessageInterval: 3 * time.Second,
	}
	if diff := cmp.Diff(wantParameters, question.DefaultParameters()); diff != "" {
		t.Error(diff)
	}
}

func TestKnown(t *testing.T) {
	for _, known := range []question.Type{
		"TEXT", "NUMBER", "PHONE", "CPF", "CNPJ", "CPFORCNPJ", "EMAIL",
		"CEP", "DATE", "TIME", "MONEY", "REGEX", "LIST", "BUTTON",
	} {
		if !known.Known() {
			t.Errorf("%s is not known", known)
		}
	}
	for _, unknown := range []question.Type{"", "text", "Cpf", "PASSWORD", " TEXT"} {
		if unknown.Known() {
			t.Errorf("%q is known", unknown)
		}
	}
}

func TestFormIDs(t *testing.T) {
	for _, row := range []struct {
		name string
		ids  []int
		want []int // nil: duplicates
	}{
		{"none given", []int{0, 0, 0}, []int{0, 1, 2}},
		{"one question without", []int{0}, []int{0}},
		{"one question with", []int{7}, []int{7}},
		{"all given", []int{3, 1, 2}, []int{3, 1, 2}},
		{"zero beside others", []int{0, 5}, []int{0, 5}},
		{"negative", []int{-1, 0}, []int{-1, 0}},
		{"duplicates", []int{1, 2, 1}, nil},
		{"zero twice beside another", []int{0, 5, 0}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			var questions []question.Question
			for _, id := range row.ids {
				questions = append(questions, ask(question.Text, identified(id)))
			}
			form, err := question.NewForm(question.DefaultParameters(), questions)
			if row.want == nil {
				if !errors.Is(err, question.ErrDuplicateIDs) {
					t.Fatalf("got %v, want ErrDuplicateIDs", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, q := range form.Questions {
				got = append(got, q.ID)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFormWithoutQuestions(t *testing.T) {
	if _, err := question.NewForm(question.DefaultParameters(), nil); !errors.Is(err, question.ErrNoQuestions) {
		t.Errorf("got %v, want ErrNoQuestions", err)
	}
}

func TestFormFaults(t *testing.T) {
	option := func(id int, name, value string) question.Option {
		return question.Option{ID: id, Name: name, Value: value}
	}
	for _, row := range []struct {
		name     string
		question question.Question
		field    string // empty: no fault
		problem  question.Problem
	}{
		{"plain", ask(question.Text), "", ""},
		{"unknown type", ask("PASSWORD"), "type", question.Unknown},
		{"no type", ask(""), "type", question.Unknown},
		{"negative minimum", ask(question.Text, between(-1, 255)), "minLength", question.Negative},
		{"negative maximum", ask(question.Text, between(0, -1)), "maxLength", question.Negative},
		{"maximum of nothing", ask(question.Text, between(0, 0)), "maxLength", question.TooSmall},
		{"minimum over maximum", ask(question.Text, between(6, 5)), "minLength", question.TooLarge},
		{"exact length", ask(question.Text, between(5, 5)), "", ""},
		{"mask", ask(question.Text, mask("##-##")), "", ""},
		{"mask without places", ask(question.Text, mask("99-99")), "mask", question.Malformed},
		{"REGEX without regex", ask(question.Regex), "regex", question.Missing},
		{"REGEX", ask(question.Regex, regex(`\d+`)), "", ""},
		{"broken regex", ask(question.Text, regex(`(`)), "regex", question.Malformed},
		{"regex only whole when wrapped", ask(question.Text, regex(`a)(b`)), "regex", question.Malformed},
		{"regex beyond RE2", ask(question.Text, regex(`(?=a)`)), "regex", question.Malformed},
		{"LIST without options", ask(question.List), "options", question.Missing},
		{"BUTTON with none", ask(question.Button, options()), "options", question.Missing},
		{"LIST", ask(question.List, yesOrNo), "", ""},
		{"one option", ask(question.Button, options(option(0, "Sim", "S"))), "", ""},
		{
			"duplicate option ids",
			ask(question.List, options(option(1, "a", "a"), option(1, "b", "b"))), "options[1].id", question.Duplicate,
		},
		{
			"option without name",
			ask(question.List, options(option(1, "a", "a"), option(2, "", "b"))), "options[1].name", question.Missing,
		},
		{"option without value", ask(question.List, options(option(1, "a", ""))), "options[0].value", question.Missing},
		{"options that do not matter", ask(question.Text, options(option(1, "", ""))), "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := question.NewForm(question.DefaultParameters(), []question.Question{ask(question.Text), row.question})
			if row.field == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			fault, ok := errors.AsType[*question.FieldError](err)
			if !ok {
				t.Fatalf("got %v, want a FieldError", err)
			}
			want := question.FieldError{Index: 1, Field: row.field, Problem: row.problem}
			if diff := cmp.Diff(want, *fault); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFormFaultInParameters(t *testing.T) {
	parameters := question.DefaultParameters()
	parameters.SuccessMessageInterval = -time.Millisecond
	_, err := question.NewForm(parameters, []question.Question{ask(question.Text)})
	fault, ok := errors.AsType[*question.FieldError](err)
	if !ok || fault.Index != question.InParameters || fault.Problem != question.Negative {
		t.Errorf("got %v, want a negative successMessageInterval", err)
	}
}

func TestFormIsACopy(t *testing.T) {
	questions := []question.Question{ask(question.List, yesOrNo)}
	form := newForm(t, questions...)
	questions[0].Options[0].Value = "changed"
	questions[0].Type = question.Text
	if got := form.Questions[0]; got.Type != question.List || got.Options[0].Value != "S" {
		t.Errorf("the form changed with its source: %+v", got)
	}
}
