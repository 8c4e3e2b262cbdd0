//go:build !race || everything

package httpapi

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// errorChapters are where the guide explains errors, in both languages.
var errorChapters = []string{"erros.md", "en/errors.md"}

// Whoever adds an error writes down what causes it and what helps.
func TestEveryErrorIsInTheGuide(t *testing.T) {
	rows := map[string]int{"Erro interno": 500, "Transação negada": 403, "Transação cancelada": 403, "Estorno negado": 403, "Estorno cancelado": 403}
	for _, f := range failures {
		rows[f.message] = f.status
	}
	var texts []string // that stand in any row
	for _, w := range whyNotPrinted {
		texts = append(texts, w.text)
	}
	for _, table := range []map[error]string{rules} {
		for _, text := range table {
			texts = append(texts, text)
		}
	}
	for _, text := range problems {
		texts = append(texts, text)
	}
	for _, text := range reasons {
		texts = append(texts, text)
	}
	texts = append(texts, said(t, ".")...)
	texts = append(texts, said(t, "../fiscal")...)
	texts = append(texts, said(t, "../acquirer/tef")...)
	for _, name := range errorChapters {
		chapter := chapterText(t, name)
		for message, status := range rows {
			if !strings.Contains(chapter, fmt.Sprintf("\n| %d | `%s` |", status, message)) {
				t.Errorf("%s has no row for %d %s", name, status, message)
			}
		}
		spans := inTables(chapter)
		for _, text := range texts {
			if !slices.ContainsFunc(spans, func(span string) bool { return covers(span, text) }) {
				t.Errorf("%s does not explain %q", name, text)
			}
		}
	}
}

func chapterText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs/guia", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// inTables are the pieces of code that stand in the first columns of a table.
func inTables(chapter string) (spans []string) {
	for line := range strings.Lines(chapter) {
		if strings.HasPrefix(line, "| ") {
			for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
				spans = append(spans, m[1])
			}
		}
	}
	return spans
}

var verb = regexp.MustCompile(`%[a-z]`)

// covers tells whether a piece of the guide is about a text of the service; … is what differs each time.
func covers(span, text string) bool {
	begin, _, open := strings.Cut(span, "…")
	if open {
		return begin != "" && strings.HasPrefix(text, strings.TrimRight(begin, " "))
	}
	return span == strings.TrimSpace(text)
}

// said are the literal words that a package's files answer with: arguments of what refuses, texts of such an error, constants
// named say, and what a function returns as a problem. A format is kept up to its first verb.
func said(t *testing.T, dir string) (texts []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	keep := func(e ast.Expr) {
		if text, ok := literal(e); ok && text != "" {
			texts = append(texts, text)
		}
	}
	argument := map[string]int{"invalid": 1, "wrong": 1, "refused": 0, "refuse": 1}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := goparser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if at, ok := argument[nameOf(n.Fun)]; ok && len(n.Args) > at {
					keep(n.Args[at])
				}
			case *ast.KeyValueExpr:
				if nameOf(n.Key) == "message" {
					keep(n.Value)
				}
			case *ast.ValueSpec:
				for i, v := range n.Values {
					if strings.HasPrefix(n.Names[i].Name, "say") {
						keep(v)
					}
				}
			case *ast.FuncDecl:
				if returnsProblem(n) {
					ast.Inspect(n, func(n ast.Node) bool {
						if r, ok := n.(*ast.ReturnStmt); ok {
							keep(r.Results[len(r.Results)-1])
						}
						return true
					})
				}
			}
			return true
		})
	}
	return texts
}

func returnsProblem(f *ast.FuncDecl) bool {
	return f.Type.Results != nil && slices.ContainsFunc(f.Type.Results.List, func(r *ast.Field) bool {
		return len(r.Names) > 0 && r.Names[len(r.Names)-1].Name == "problem" && nameOf(r.Type) == "string"
	})
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// literal is the text of an expression as far as it is written down.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		text = verb.ReplaceAllString(text, "…")
		return text, err == nil
	case *ast.BinaryExpr:
		return literal(e.X)
	case *ast.CallExpr:
		if nameOf(e.Fun) == "Sprintf" {
			return literal(e.Args[0])
		}
	}
	return "", false
}

// Every route has its place in the guide: a reader finds what there is to be found.
func TestEveryRouteIsInTheGuide(t *testing.T) {
	for _, part := range []struct {
		routes   []route
		chapters [2][]string // in each language
	}{
		{(&API{}).emulatorRoutes(), [2][]string{{"emulador.md"}, {"en/emulator.md"}}},
		{(&API{}).routes(), [2][]string{{"tarefas.md", "espera.md"}, {"en/tasks.md", "en/waiting.md"}}},
	} {
		for _, chapters := range part.chapters {
			var all string
			for _, name := range chapters {
				all += chapterText(t, name)
			}
			for _, r := range part.routes {
				method, path, _ := strings.Cut(r.pattern, " ")
				// As a command has it, or as the text does.
				asCommand := regexp.QuoteMeta("API") + inExamples.ReplaceAllString(path, `/[a-z0-9-]+$1`) + `\b`
				if method != "GET" {
					asCommand = "-X " + method + ` "?\$` + asCommand
				}
				if !strings.Contains(all, "`"+r.pattern) && !regexp.MustCompile(asCommand).MatchString(all) {
					t.Errorf("%q do not show %s", chapters, r.pattern)
				}
			}
		}
	}
}

var inExamples = regexp.MustCompile(`/\{[a-zA-Z]+\}()`)
