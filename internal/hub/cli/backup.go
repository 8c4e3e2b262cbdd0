package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Backup is maquininha-hub backup.
type Backup struct {
	Options `embed:""`
	File    string `arg:"" name:"arquivo" missing:"diga em que arquivo gravar a cópia" help:"Onde gravar a cópia, um .tar.gz; - é a saída padrão."`
	Force   bool   `help:"Grava por cima de um arquivo que já existe."`
}

// Help is the rest of the page.
func (Backup) Help() string {
	return `Grava em um arquivo o que o hub precisa para continuar em outro lugar: os registros, como estão em um só momento, a chave do hub e o
certificado próprio. O hub pode estar no ar, e ninguém espera. Quem tem o arquivo pode fazer-se passar pelo hub: guarde-o como um segredo.
Um certificado de --tls-cert e o arquivo de configuração não vão nele.`
}

// Run writes the copy. The file takes its place only when it is whole.
func (b Backup) Run(ctx context.Context, version commandline.Version) error {
	data, err := b.Folder()
	if err != nil {
		return err
	}
	if _, err := os.Lstat(b.File); err == nil && !b.Force && b.File != "-" {
		return fmt.Errorf("%s já existe; --force grava por cima dele", b.File)
	}
	config := b.Configured(data)
	config.Version = version.Number
	var made app.Contents
	var failed error
	var unwritten *output.Error
	err = output.Put(b.File, func(w io.Writer) error {
		made, failed = app.Backup(ctx, config, w)
		return failed
	})
	switch {
	case failed != nil:
		return failed
	case errors.As(err, &unwritten):
		return errors.New(unwritten.Words())
	case err != nil:
		return fmt.Errorf("o arquivo %s não pôde ser gravado: %w", b.File, syserror.OfFile(err))
	}
	said := io.Writer(os.Stdout)
	if b.File == "-" {
		said = os.Stderr
	}
	fmt.Fprintf(said, "Cópia de %s em %s.\nGuarde-a em outro computador, como um segredo: nela está a chave do hub.\n", amounts(made), b.File)
	return nil
}

// amounts tell whether it is the hub that was meant.
func amounts(c app.Contents) string {
	return console.Amount(c.Terminals, "terminal", "terminais") + " e " + console.Amount(c.Transactions, "transação", "transações")
}

// Restore is maquininha-hub restore.
type Restore struct {
	Options `embed:""`
	File    string `arg:"" name:"arquivo" missing:"diga de que arquivo restaurar" help:"Cópia feita por maquininha-hub backup."`
}

// Help is the rest of the page.
func (Restore) Help() string {
	return `Põe uma cópia em uma pasta de dados vazia e, com --database, em um banco vazio; em qualquer outro lugar, recusa. A cópia é conferida inteira
antes de algo ser gravado. A que foi feita com SQLite serve no PostgreSQL, e o contrário. Iniciado depois, o hub lê de novo, dos terminais, o que
veio depois da cópia. O que foi revogado depois dela vale de novo: revogue outra vez.`
}

// Run restores.
func (r Restore) Run(ctx context.Context) error {
	data, err := r.Folder()
	if err != nil {
		return err
	}
	f, err := os.Open(r.File)
	if err != nil {
		return fmt.Errorf("%s não pode ser lido: %w", r.File, syserror.OfFile(err))
	}
	defer f.Close()
	done, err := app.Restore(ctx, r.Configured(data), f)
	if err != nil {
		return err
	}
	fmt.Printf("Restaurado em %s: %s, como estavam em %s.\n", kong.ExpandPath(data), amounts(done), done.At.Local().Format("02/01/2006 15:04:05"))
	if done.KeyKept {
		fmt.Println("A pasta já tinha a chave deste hub: ela e o certificado ficaram como estavam.")
	}
	fmt.Println("Inicie o hub, confira com maquininha-hub check, e revogue de novo o que foi revogado depois da cópia.")
	return nil
}
