// Package tef has what the shop does with its payment manager besides payments, through the terminal that is running.
package tef

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// Command is maquininha tef.
type Command struct {
	Admin Admin `cmd:"" help:"Abre o menu administrativo do gerenciador (ADM): reimpressão, relatórios, cancelamentos."`
}

// Admin is maquininha tef admin.
type Admin struct {
	options.Place `embed:""`
}

// Help is the rest of the page.
func (Admin) Help() string {
	return `Pede ao terminal que está no ar, nesta máquina, que abra o menu do gerenciador TEF, e espera que alguém saia dele. Enquanto isso o terminal
está ocupado. Os comprovantes são impressos como os dos pagamentos e mostrados aqui; uma venda cancelada no menu fica estornada no
terminal. O mesmo está na tela, em Configurações, com o PIN do operador. O que o gerenciador não fez, ou que
alguém cancelou nele, termina em erro.`
}

// Run opens the menu and says how it was left.
func (a Admin) Run(ctx context.Context) error {
	data, err := a.Folder()
	if err != nil {
		return err
	}
	end, err := app.OpenMenu(ctx, data, func() {
		console.Aside("o terminal abre o menu do gerenciador TEF, e fica ocupado até alguém sair dele")
	})
	if err != nil {
		return err
	}
	for _, text := range end.Receipts {
		fmt.Fprintln(os.Stdout, strings.TrimRight(text, "\n")+"\n")
	}
	word := map[string]string{"approved": "Concluído", "refused": "Não foi feito", "cancelled": "Encerrado sem operação"}[end.Verdict]
	if word == "" {
		return errors.New("o gerenciador não disse o que foi feito; o terminal está verificando: veja maquininha logs")
	}
	if end.Message != "" {
		word += ": " + end.Message
	}
	if end.Verdict != "approved" {
		return errors.New(word)
	}
	fmt.Println(word)
	return nil
}
