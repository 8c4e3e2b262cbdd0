//go:build !windows

package simulate

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/cli/clitest"
)

// payee is a program that speaks with the PSP by hand.
type payee struct {
	t           *testing.T
	base, token string
	headers     map[string]string // of every request, besides
}

const (
	pixCharge = `{"calendario":{"expiracao":300},"valor":{"original":"10.00"},"chave":"loja@example.com"}`
	pixTxID   = "abcdefghijklmnopqrstuvwxyz0123"
)

// pixProgram starts the PSP and asks it for a token.
func pixProgram(t *testing.T, ledger string, more ...string) (*clitest.Running, *payee) {
	t.Helper()
	p, base := clitest.StartPIX(t, ledger, more...)
	c := &payee{t: t, base: base}
	r, err := http.NewRequest(http.MethodPost, c.base+"/oauth/token", strings.NewReader("grant_type=client_credentials&scope=cob.write+cob.read+pix.write+pix.read"))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth("simulador", "segredo-do-simulador")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	_, body := c.send(r)
	c.token, _ = body["access_token"].(string)
	p.Sees("POST /oauth/token  200  token entregue")
	return p, c
}

func (c *payee) send(r *http.Request) (int, map[string]any) {
	c.t.Helper()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, nil
	}
	var body map[string]any
	if err := json.Unmarshal(raw, &body); err != nil && len(raw) > 0 {
		c.t.Fatalf("%s: %v", raw, err)
	}
	return res.StatusCode, body
}

func (c *payee) want(status int, method, path, body string) map[string]any {
	c.t.Helper()
	r, err := http.NewRequest(method, c.base+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if !strings.HasPrefix(path, "/sim") { // curl sends neither there
		r.Header.Set("Authorization", "Bearer "+c.token)
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
	}
	got, answer := c.send(r)
	if got != status {
		c.t.Fatalf("%s %s: %d %v, want %d", method, path, got, answer, status)
	}
	return answer
}

// TestSimulatePIXRefuses is what the rules of the API forbid.
func TestSimulatePIXRefuses(t *testing.T) {
	t.Parallel()
	p, c := pixProgram(t, filepath.Join(t.TempDir(), "ledger.jsonl"), "--chaos", "0%")
	for _, bad := range []struct {
		status                   int
		method, path, body, says string
	}{
		{400, "PUT", "/cob/short", pixCharge, "o txid não é"},
		{400, "PUT", "/cob/" + pixTxID, strings.Replace(pixCharge, "10.00", "10", 1), "valor.original não é um valor"},
		{400, "PUT", "/cob/" + pixTxID, strings.Replace(pixCharge, "loja", "outra", 1), "a chave não é deste cliente"},
		{405, "DELETE", "/cob/" + pixTxID, "", "o caminho não tem este método"},
		{404, "GET", "/nowhere", "", "o caminho não existe"},
	} {
		c.want(bad.status, bad.method, bad.path, bad.body)
		p.Sees("VIOLAÇÃO: " + bad.says)
	}
	c.token = "another"
	c.want(401, "GET", "/cob/"+pixTxID, "")
	p.Sees("recusado: token desconhecido")
	if n := len(c.want(200, "GET", "/sim/violations", "")["violations"].([]any)); n != 5 {
		t.Errorf("%d violations", n)
	}
	p.Stop(os.Interrupt)
}

func TestSimulatePIXOutlivesAKill(t *testing.T) {
	t.Parallel()
	ledger := filepath.Join(t.TempDir(), "deep", "ledger.jsonl")
	p, c := pixProgram(t, ledger)
	c.want(201, "PUT", "/cob/"+pixTxID, pixCharge)
	p.Sees("PUT /cob/" + pixTxID + "  201  cobrança de R$ 10,00 criada, vale 300 s")
	c.want(400, "PUT", "/cob/short", pixCharge)
	p.Sees("VIOLAÇÃO: o txid não é")
	e2eid := c.want(200, "POST", "/sim/pay", "")["endToEndId"].(string)
	p.Sees("pagamento de R$ 10,00 da cobrança " + pixTxID)
	c.want(200, "POST", "/sim/next", `{"misbehaviour":"drop-after","on":"refund"}`)
	c.want(0, "PUT", "/pix/"+e2eid+"/devolucao/a", `{"valor":"4.00"}`)
	p.Sees("sem resposta  devolução a de R$ 4,00: DEVOLVIDO  [drop-after]")
	if said, code := clitest.Start(t, "simulate", "pix", "--listen", "127.0.0.1:0", "--ledger", ledger).Ends(); code != 1 || !strings.Contains(said, "outro simulador já usa o livro") {
		t.Errorf("a second one ended with %d: %s", code, said)
	}
	p.Kill()

	p, c = pixProgram(t, ledger, "--auto-pay", "1ms")
	if r := c.want(200, "GET", "/pix/"+e2eid+"/devolucao/a", ""); r["status"] != "DEVOLVIDO" {
		t.Errorf("%v", r)
	}
	c.want(400, "PUT", "/pix/"+e2eid+"/devolucao/b", `{"valor":"6.01"}`)
	c.want(201, "PUT", "/cob/"+pixTxID+"2", pixCharge)
	p.Sees("pagamento de R$ 10,00 da cobrança " + pixTxID + "2")
	p.Stop(syscall.SIGTERM)
	b, err := pixsim.ReadBalance(ledger)
	if err != nil || len(b.Accounts) != 2 || len(b.Violations) != 1 || len(b.Double()) != 0 {
		t.Fatalf("%+v, %v", b, err)
	}
	if b.Accounts[0].Standing().Cents() != "6.00" || b.Accounts[1].Standing().Cents() != "10.00" {
		t.Errorf("%+v", b)
	}
	if info, err := os.Stat(ledger); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
