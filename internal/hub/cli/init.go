package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Init is maquininha-hub init. It takes the flags of serve: what they say is set in the file.
type Init struct {
	Output  string `short:"o" placeholder:"ARQUIVO" help:"Onde gravar; sem ele, maquininha-hub.toml na pasta dos dados; - mostra sem gravar."`
	Force   bool   `help:"Grava por cima de um arquivo que já existe."`
	Options `embed:""`
}

// Validate refuses what serve would; kong calls it.
func (i Init) Validate() error { return i.Check() }

// Run writes the file.
func (i Init) Run(ctx *kong.Context) error {
	data, err := i.Folder()
	if err != nil {
		return err
	}
	output := cmp.Or(i.Output, i.Config, filepath.Join(data, Name+".toml"))
	if _, err := os.Lstat(output); err == nil && !i.Force && output != "-" {
		return fmt.Errorf("%s já existe; --force grava por cima dele", output)
	}
	values := settings.Given(ctx)
	if delete(values, "data"); i.Data != "" && kong.ExpandPath(filepath.Dir(output)) != kong.ExpandPath(data) {
		values["data"] = kong.ExpandPath(i.Data)
	}
	text := configfile.Write(preamble, sections, Settings(), values)
	file := configfile.Parse(text, Settings())
	if try(file); len(file.Problems) > 0 {
		p := file.Problems[0]
		return errors.New(p.Where + ": " + p.What)
	}
	if output == "-" {
		_, err := os.Stdout.Write(text)
		return err
	}
	if err := settings.WriteFile(output, text, i.Force); err != nil {
		return fmt.Errorf("%s não pode ser gravado: %w", output, syserror.OfFile(err))
	}
	where := i.where(output, data)
	fmt.Printf("Gravado em %s, que só este usuário pode ler.\nConfira:  %s check%s\nInicie:   %s%s\n", output, Name, where, Name, where)
	return nil
}

// where is what the other commands need so that they find the file.
func (i Init) where(output, data string) string {
	switch {
	case i.Output != "" || i.Config != "":
		return " --config " + console.ShellWord(kong.ExpandPath(output))
	case i.Data != "":
		return " --data " + console.ShellWord(kong.ExpandPath(data))
	}
	return ""
}
