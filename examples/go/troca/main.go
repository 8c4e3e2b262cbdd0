// Uma troca em Go: o cliente pagou R$ 54,24 e devolve um café; R$ 18,90 voltam para ele, no máximo uma vez.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/maquininha/maquininha/client"
)

func main() {
	if err := trocar(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func trocar(ctx context.Context) error {
	terminal, err := client.New(
		cmp.Or(os.Getenv("MAQUININHA_URL"), "http://localhost:9050"),
		cmp.Or(os.Getenv("MAQUININHA_USERNAME"), "admin"), os.Getenv("MAQUININHA_PASSWORD"))
	if err != nil {
		return err
	}
	defer terminal.Close()

	reference := fmt.Sprintf("pedido-%s-%d", time.Now().Format("20060102150405"), os.Getpid())
	if _, err := terminal.Pay(ctx, client.Payment{Method: client.Credit, Amount: "54.24", Reference: reference}); err != nil {
		return fmt.Errorf("pagamento não aprovado: %w", err)
	}

	// O ID é único por devolução; num PDV de verdade, grave-o antes de devolver. O cliente repete com ele enquanto for preciso.
	troca := client.Refund{Amount: "18.90", ID: "troca-" + reference + "-1"}
	devolvido, err := terminal.ReversePart(ctx, reference, troca)
	switch {
	case errors.Is(err, client.ErrUnknownOutcome):
		return fmt.Errorf("ninguém sabe ainda; repita mais tarde com o mesmo ID: %w", err)
	case err != nil: // negada, cancelada, mais do que resta, ou um adquirente que só devolve tudo
		return fmt.Errorf("não devolvido: %w", err)
	}
	for _, estorno := range devolvido.Details.Reversals {
		if estorno.ID == troca.ID {
			fmt.Printf("Troca concluída: R$ %s de R$ 54,24 devolvidos, NSU %s\n", strings.ReplaceAll(string(devolvido.Details.Reversed), ".", ","), estorno.NSU)
		}
	}
	return nil
}
