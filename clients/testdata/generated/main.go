// A program with a client that was generated from the description: TestGeneratedGoClient makes client.go.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	client, err := NewClientWithResponses(os.Args[1], WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.SetBasicAuth(os.Args[2], os.Args[3])
		return nil
	}))
	if err != nil {
		panic(err)
	}
	reference := "gerado"
	paid, err := client.PayWithResponse(context.Background(), TransactionRequest{TPag: "03", Amount: 131072.01, ReferenceId: &reference})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d %.2f", paid.StatusCode(), paid.JSON200.Details.Amount)
}
