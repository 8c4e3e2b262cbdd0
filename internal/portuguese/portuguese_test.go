package portuguese

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// english are words that Portuguese does not have.
var english = strings.Fields(`the is are was were not of and or with without for from must has have had can't cannot does this that it its an by than too more
	unknown reading opening writing asking keeping missing already another failed failure error invalid expected unexpected entry entries printer printing paper
	answer answered charge refund payment payments request stopped stopping empty wrong found such`)

// kept are English words in their own right: names of options, files, protocols and fields.
var kept = regexp.MustCompile(`--[a-z-]+|MAQUININHA_[A-Z_]+|[A-Za-z]+://\S*|/[a-z/{}]+|` + "`[^`]*`" + `|"[^"]*"|log-days|service (?:password|link|pin|install)|not-made|error, warning|app, router|print-item-notes`)

// exempt are rooms that only developers enter, or meet the errors of, and what stays inside.
var exempt = regexp.MustCompile(`^(bench|counter|crash|fleetbench|fleetcrash|packed|pagekit|pgcluster|soak|rig|dist|testrun|typecheck|browsertest|systemdtest|apptest|archtest|waittest|thorough|portuguese|cli/clitest)(/|$)|test$|powerloss`)

// message tells whether a call makes a message that can leave the program, and which of its arguments is the text.
func message(call *ast.CallExpr) (index int, is bool) {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
		if x, ok := f.X.(*ast.Ident); ok {
			name = x.Name + "." + name
		}
	case *ast.Ident:
		name = f.Name
	}
	switch name {
	case "errors.New", "fmt.Errorf", "invalid", "refused", "log.Info", "log.Warn", "log.Error", "a.warn", "c.warn", "console.Aside":
		return 0, true
	case "configfile.Refuse", "i.Wrong", "i.Doubtful", "i.Right", "f.wrong", "o.wrong":
		return 1, true
	case "Logs.Add", "book.Add", "b.Add":
		return 2, true
	}
	if strings.HasSuffix(name, ".Add") && len(call.Args) == 4 {
		return 2, true
	}
	return 0, false
}

// Every message that can leave the program is Portuguese, or has words here.
func TestEveryMessageIsPortuguese(t *testing.T) {
	count := 0
	root := ".."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		dir, _ := filepath.Rel(root, path)
		if d.IsDir() && (exempt.MatchString(filepath.ToSlash(dir)) || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			index, is := message(call)
			if !is || index >= len(call.Args) {
				return true
			}
			for _, text := range literals(call.Args[index]) {
				count++
				if word := englishIn(Text(text)); word != "" && !slices.Contains(inside, text) {
					t.Errorf("%s: %q says %q: %q", path, text, word, Text(text))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 400 {
		t.Errorf("only %d messages were found", count)
	}
}

// inside are errors that no text is ever made of: the interface's own table has the words for each.
var inside = []string{"no image", "no text", "no XML", "found", "missing"}

// literals are the texts that an expression is made of.
func literals(e ast.Expr) (texts []string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}

// englishIn is the first English word of a text.
func englishIn(text string) string {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }
	for _, word := range strings.FieldsFunc(kept.ReplaceAllString(text, ""), notLetter) {
		if slices.Contains(english, strings.ToLower(word)) {
			return word
		}
	}
	return ""
}

func TestWords(t *testing.T) {
	pairs := slices.Concat(ofAcquirers, ofDesks, ofPaper, ofStore, ofService, ofTunnel, ofRelay, ofHub, ofSystem)
	for pair := range slices.Chunk(pairs, 2) {
		if got := Text(pair[1]); got != pair[1] {
			t.Errorf("the words %q are taken for English: %q", pair[1], got)
		}
		if word := englishIn(pair[1]); word != "" {
			t.Errorf("%q has the words %q, with %q in them", pair[0], pair[1], word)
		}
	}
	for text, want := range map[string]string{
		"the TEF manager took the request without saying so":                  "o gerenciador de TEF pegou o pedido sem acusar",
		"the PSP answered 503: Indisponível":                                  "o PSP respondeu 503: Indisponível",
		"confirmada ao adquirente":                                            "confirmada ao adquirente",
		"mkdir /proc/Req: operation not permitted":                            "criando a pasta /proc/Req: não permitido",
		"opening dados.db: data unreadable: database or disk is full":         "abrindo dados.db: os dados não podem ser lidos: não há espaço no disco",
		"printing failed: printer is out of paper":                            "a impressão falhou: impressora sem papel",
		"proxyconnect tcp: dial tcp 127.0.0.1:1: connect: connection refused": "pelo proxy: conectando a 127.0.0.1:1: conexão recusada",
		"dial tcp 127.0.0.1:1: connect: connection refused":                   "conectando a 127.0.0.1:1: conexão recusada",
		"feche-o com: chmod 600 /etc/x":                                       "feche-o com: chmod 600 /etc/x",
		"Saldo insuficiente, remove o cartão":                                 "Saldo insuficiente, remove o cartão",
		"http: TLS handshake error from 10.0.0.7:51234: unexpected EOF":       "falha ao iniciar TLS com 10.0.0.7:51234: a conexão caiu",
		`pix: a URL must be https: "base URL"`:                                "--pix-url deve começar com https://",
		"image cannot be decoded: decoding the png image: it is cut short":    "a imagem não pode ser lida: lendo a imagem png: ela está cortada",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Error(fmt.Errorf("%w: panic: %v\n%s", errors.New("outcome unknown"), "x", "goroutine 1")); got != "desfecho desconhecido: falha do programa: x" {
		t.Error(got)
	}
}
