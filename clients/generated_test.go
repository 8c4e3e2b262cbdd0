package clients

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
)

const (
	generator        = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.1"
	generatedModule  = "module generated\n\ngo 1.25\n\nrequire github.com/oapi-codegen/runtime v1.3.0\n"
	generatedProgram = `package main

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
`
)

// A client generated from the description charges the amount that it was given, to the cent. As a float32, which is what generators make
// of a number without a format, it would be 131072.02.
func TestGeneratedGoClient(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	description, err := filepath.Abs("../internal/httpapi/apidoc/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": generatedModule, "main.go": generatedProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"run"}, args...)...)
		cmd.Dir = dir
		var said, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &complaints
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, &complaints)
		}
		return said.String()
	}
	run(generator, "-generate", "types,client", "-include-operation-ids", "pay", "-package", "main", "-o", "client.go", description)
	if said := run("-mod=mod", ".", p.Base, apptest.User, apptest.Password); said != "200 131072.01" {
		t.Errorf("the client says %q", said)
	}
	var charged struct{ Details struct{ Amount json.Number } }
	if p.Call("GET", "/transaction/gerado", "", &charged); charged.Details.Amount != "131072.01" {
		t.Errorf("charged %s", charged.Details.Amount)
	}
}
