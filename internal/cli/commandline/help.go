package commandline

import (
	"cmp"
	"fmt"
	"io"
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
	fmt.Fprintf(out, "Uso: %s %s\n\n%s\n", ctx.Model.Name, command, cmp.Or(node.Help, ctx.Model.Help))
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
	detail := node.Detail
	if node.DefaultCmd != nil {
		detail = cmp.Or(detail, node.DefaultCmd.Detail)
	}
	if detail != "" {
		fmt.Fprintln(out, "\n"+detail)
	}
	if node != ctx.Model.Node && len(node.Children) > 0 {
		fmt.Fprintf(out, "\n%s %s COMANDO --help mostra as opções de cada um.\n", ctx.Model.Name, node.Name)
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

func printFlag(out io.Writer, f *kong.Flag) {
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
