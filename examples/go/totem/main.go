// Um PIX num totem, em Go: mostra o código numa tela própria, acompanha o terminal e, se o cliente desiste, cancela.
//
//	totem            espera o pagamento
//	totem desistir   cancela quando o código aparece, como faria o botão "Cancelar" do totem
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/maquininha/maquininha/client"
)

func main() {
	if err := cobrar(context.Background(), slices.Contains(os.Args[1:], "desistir")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func cobrar(ctx context.Context, desistir bool) error {
	terminal, err := client.New(
		cmp.Or(os.Getenv("MAQUININHA_URL"), "http://localhost:9050"),
		cmp.Or(os.Getenv("MAQUININHA_USERNAME"), "admin"), os.Getenv("MAQUININHA_PASSWORD"))
	if err != nil {
		return err
	}
	defer terminal.Close()

	// Responde sempre, também com o terminal ocupado.
	agora, err := terminal.Operation(ctx)
	if err != nil {
		return err
	}
	if agora != nil {
		return fmt.Errorf("o terminal está ocupado: %s", agora.Message)
	}

	// Única por cobrança; num totem de verdade, grave-a antes de cobrar.
	reference := fmt.Sprintf("totem-%s-%d", time.Now().Format("20060102150405"), os.Getpid())
	ctx, fim := context.WithCancel(ctx)
	defer fim()
	eventos, err := terminal.StreamOperation(ctx)
	if err != nil {
		return err
	}
	go func() {
		lido, pix := "", ""
		for operacao, err := range eventos {
			if err != nil {
				return // sem o acompanhamento, o pagamento segue
			}
			if operacao == nil || operacao.Reference != reference {
				continue
			}
			if operacao.Message != lido {
				lido = operacao.Message
				fmt.Println("→", lido)
			}
			if operacao.Pix == nil || operacao.Pix.Code == pix {
				continue
			}
			pix = operacao.Pix.Code
			fmt.Println("PIX", pix) // aqui o totem desenha o QR Code
			if desistir {
				// Sempre pela referência, para nunca atingir o próximo cliente. É um pedido; o desfecho é o da cobrança.
				if err := terminal.CancelOperation(ctx, client.Wish{Reference: reference}); err != nil {
					fmt.Fprintln(os.Stderr, err)
				}
			}
		}
	}()

	// Fica esperando até o desfecho. Com Timeout, um cliente que foi embora não prende o totem.
	pago, err := terminal.Pay(ctx, client.Payment{Method: client.PIX, Amount: "20.00", Reference: reference, Timeout: 120})
	switch {
	case errors.Is(err, client.ErrRefused), errors.Is(err, client.ErrCancelled):
		return fmt.Errorf("não pago: %w", err)
	case err != nil:
		return err
	}
	fmt.Printf("Pago: R$ 20,00, NSU %s\n", pago.NSU)
	return nil
}
