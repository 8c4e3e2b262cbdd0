// Uma venda inteira em Go: abre, lança itens, pergunta o CPF, cobra, finaliza e imprime.
//
// O cliente espera enquanto o terminal está ocupado e recupera respostas perdidas pela referência.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/maquininha/maquininha/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := vender(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func vender(ctx context.Context) error {
	terminal, err := client.New(
		cmp.Or(os.Getenv("MAQUININHA_URL"), "http://localhost:9050"),
		cmp.Or(os.Getenv("MAQUININHA_USERNAME"), "admin"), os.Getenv("MAQUININHA_PASSWORD"))
	if err != nil {
		return err
	}
	defer terminal.Close()

	if err := terminal.StartSale(ctx, client.Sale{SellerName: "Bruno"}); err != nil {
		return err
	}
	for _, item := range []client.Item{
		{ID: "1", Code: "7891000100103", Description: "Café 500 g", Quantity: "2", UnitPrice: "18.90", Total: "37.80"},
		{ID: "2", Code: "7896004000855", Description: "Pão de queijo kg", Quantity: "0.412", UnitPrice: "39.90", Total: "16.44"},
	} {
		if _, err := terminal.AddItem(ctx, item); err != nil {
			return err
		}
	}
	total := client.Cents(3780 + 1644) // some em centavos, nunca em ponto flutuante

	// Fica esperando até a pessoa responder.
	cpf := "não informado"
	answer, err := terminal.Ask(ctx, client.Parameters{ShowCancelButton: true, ButtonCancelText: "Sem CPF"},
		client.Question{Type: client.AskCPF, Text: "CPF na nota?"})
	switch {
	case err == nil:
		cpf = answer.Value
	case !errors.Is(err, client.ErrQuestionCancelled):
		return err
	}

	// Única por cobrança; num PDV de verdade, grave-a antes de cobrar.
	reference := fmt.Sprintf("pedido-%s-%d", time.Now().Format("20060102150405"), os.Getpid())
	paid, err := terminal.Pay(ctx, client.Payment{Method: client.Credit, Amount: total, Reference: reference})
	switch {
	case errors.Is(err, client.ErrUnknownOutcome):
		return fmt.Errorf("confira mais tarde, não cobre com outra referência: %w", err)
	case err != nil:
		_, cancelled := terminal.CancelSale(ctx, client.Closing{})
		return errors.Join(fmt.Errorf("pagamento não aprovado: %w", err), cancelled)
	}

	if _, err := terminal.AddPayment(ctx, client.SalePayment{Type: client.TypeCredit, Value: total}); err != nil {
		return err
	}
	if _, err := terminal.FinalizeSale(ctx, client.Closing{Message: "Obrigado, volte sempre!"}); err != nil {
		return err
	}
	err = terminal.PrintText(ctx,
		client.Write(client.Text{Value: "Recibo", Size: 24, Bold: true, Align: client.Center}), client.Divide(),
		client.Write(client.Text{Value: "Total R$ 54,24"}), client.Write(client.Text{Value: "CPF " + cpf}), client.Write(client.Text{Value: "NSU " + paid.NSU}))
	if err != nil {
		return err
	}
	fmt.Printf("Venda concluída: R$ 54,24, NSU %s, CPF %s\n", paid.NSU, cpf)
	return nil
}
