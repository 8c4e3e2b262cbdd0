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

// A client generated from the description charges the amount that it was given, to the cent. As a float32, which is what generators make
// of a number without a format, it would be 131072.02.
func TestGeneratedGoClient(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	description, err := filepath.Abs("../internal/httpapi/apidoc/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := filepath.Abs("../tools/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/generated")); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		var said, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &complaints
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, &complaints)
		}
		return said.String()
	}
	run("tool", "-modfile="+tools, "oapi-codegen", "-generate", "types,client", "-include-operation-ids", "pay", "-package", "main", "-o", "client.go", description)
	if said := run("run", ".", p.Base, apptest.User, apptest.Password); said != "200 131072.01" {
		t.Errorf("the client says %q", said)
	}
	var charged struct{ Details struct{ Amount json.Number } }
	if p.Call("GET", "/transaction/gerado", "", &charged); charged.Details.Amount != "131072.01" {
		t.Errorf("charged %s", charged.Details.Amount)
	}
}
