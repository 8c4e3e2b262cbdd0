package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

// help prints the commands and flags in Portuguese; the library's own page is English.
func help(_ kong.HelpOptions, ctx *kong.Context) error {
	out := ctx.Stdout
	node := ctx.Selected()
	command := "[comando] [opções]"
	if node == nil {
		node = ctx.Model.Node
	} else {
		command = usage(node)
	}
	fmt.Fprintf(out, "Uso: maquininha %s\n\n%s\n", command, orText(node.Help, ctx.Model.Help))
	for _, p := range node.Positional {
		fmt.Fprintf(out, "\n  %-28s %s\n", strings.ToUpper(p.Name), p.Help)
	}
	if len(node.Children) > 0 {
		fmt.Fprintln(out, "\nComandos:")
		for _, c := range node.Children {
			fmt.Fprintf(out, "  %-12s %s\n", c.Name, c.Help)
		}
	}
	flags := node.AllFlags(true)
	if node.DefaultCmd != nil {
		fmt.Fprintf(out, "\nOpções (de %s):\n", node.DefaultCmd.Name)
		flags = node.DefaultCmd.AllFlags(true)
	} else {
		fmt.Fprintln(out, "\nOpções:")
	}
	for _, group := range flags {
		for _, f := range group {
			printFlag(out, f)
		}
	}
	if node.Detail != "" {
		fmt.Fprintln(out, "\n"+node.Detail)
	}
	if node != ctx.Model.Node && len(node.Children) > 0 {
		fmt.Fprintf(out, "\nmaquininha %s COMANDO --help mostra as opções de cada um.\n", node.Name)
	}
	if node == ctx.Model.Node || node == ctx.Model.DefaultCmd {
		fmt.Fprintln(out, "\nCredenciais dos chamadores: MAQUININHA_USERNAME e MAQUININHA_PASSWORD, no ambiente, ou [api] no arquivo de configuração.")
	}
	return nil
}

// usage is how a command is called, with those it belongs to.
func usage(node *kong.Node) string {
	words := []string{node.Name}
	for up := node.Parent; up != nil && up.Type == kong.CommandNode; up = up.Parent {
		words = append([]string{up.Name}, words...)
	}
	if len(node.Children) > 0 {
		words = append(words, "COMANDO")
	}
	for _, p := range node.Positional {
		word := strings.ToUpper(p.Name)
		if p.IsCumulative() {
			word += "…"
		}
		words = append(words, word)
	}
	return strings.Join(append(words, "[opções]"), " ")
}

func printFlag(out interface{ Write([]byte) (int, error) }, f *kong.Flag) {
	if f.Name == "help" {
		fmt.Fprintf(out, "  %-28s Mostra esta ajuda.\n", "-h, --help")
		return
	}
	name := "--" + f.Name
	if f.Short != 0 {
		name = "-" + string(f.Short) + ", " + name
	}
	if !f.IsBool() {
		name += " " + f.PlaceHolder
	}
	text := f.Help
	if f.HasDefault && !strings.Contains(text, "padrão") {
		text += " Padrão: " + f.Default + "."
	}
	if len(f.Envs) > 0 {
		text += " [" + f.Envs[0] + "]"
	}
	const column = 28
	if len([]rune(name)) > column {
		fmt.Fprintf(out, "  %s\n  %-*s %s\n", name, column, "", text)
		return
	}
	fmt.Fprintf(out, "  %s%s %s\n", name, strings.Repeat(" ", column-len([]rune(name))), text)
}

func orText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// ofVariable is how the library says where a wrong value is from.
var ofVariable = regexp.MustCompile(` \(from envar (\w+)=(?s:.*)\)`)

// inPortuguese says what is wrong with the command line in the words of the rest; other errors have them already.
func inPortuguese(err error) string {
	var parse *kong.ParseError
	if !errors.As(err, &parse) {
		return strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	text, see := err.Error(), " (veja maquininha --help)"
	if node := parse.Context.Selected(); node != nil && node.Parent.Type == kong.CommandNode {
		see = fmt.Sprintf(" (veja maquininha %s %s --help)", node.Parent.Name, node.Name)
	}
	if found := ofVariable.FindStringSubmatch(text); found != nil {
		text, see = ofVariable.ReplaceAllLiteralString(text, ""), " (é o que diz a variável "+found[1]+")"
	}
	if flag, _, found := strings.Cut(text, ": expected"); found {
		return flag + ": valor ausente ou inválido" + see
	}
	for _, r := range [][2]string{
		{"expected \"<arquivo> ...\"", "informe ao menos um arquivo"},
		{"expected \"<pasta>\"", "informe a pasta"},
		{"expected one of", "informe um de"},
		{"expected \"<número|referência>\"", "informe o número ou a referência"},
		{"unknown flag", "opção desconhecida"},
		{"unexpected argument", "argumento inesperado"},
		{"(short flag); perhaps try", "; talvez"},
		{"bool value must be true, 1, yes, false, 0 or no", "deve ser true ou false"},
		{"must be one of", "deve ser um de"},
		{"but got", "e não"},
		{"missing flags", "faltam as opções"},
		{"did you mean one of", "quis dizer um de"},
		{"did you mean", "quis dizer"},
	} {
		text = strings.Replace(text, r[0], r[1], 1)
	}
	return text + see
}
