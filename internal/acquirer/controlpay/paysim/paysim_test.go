package paysim

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

func open(t *testing.T, ledger string) *Account {
	t.Helper()
	a, err := New(Config{Key: "k", Ledger: ledger})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ask is a request of a till's; key and name of the program are right unless it says otherwise.
func ask(a *Account, path, body string, change ...func(*http.Request)) (int, string) {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("User-Agent", "caixa/1.0")
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	said, _ := io.ReadAll(w.Body)
	return w.Code, string(said)
}

const sell = `{"formaPagamentoId":21,"terminalId":314,"referencia":"%s","iniciarTransacaoAutomaticamente":true,"aVista":true,"parcelamentoAdmin":false,"quantidadeParcelas":1,"valorTotalVendido":"10,00"}`

// Who breaks a rule is refused, and that is kept; two sales of one reference are two, and told of.
func TestRules(t *testing.T) {
	t.Parallel()
	a := open(t, filepath.Join(t.TempDir(), "ledger"))
	defer a.Close()
	good := fmt.Sprintf(sell, "a")
	for i, c := range []struct {
		path, body string
		change     func(*http.Request)
		want       int
	}{
		{"/Venda/Vender/?key=x", good, nil, 401},
		{"/Venda/Vender/?key=k", good, func(r *http.Request) { r.Header.Set("User-Agent", "caixa") }, 400},
		{"/Venda/Vender/?key=k", strings.Replace(good, "10,00", "10.00", 1), nil, 400},
		{"/Venda/Vender/?key=k", strings.Replace(good, `"terminalId":314`, `"terminalId":1`, 1), nil, 400},
		{"/Venda/Vender/?key=k", strings.Replace(good, `"quantidadeParcelas":1`, `"quantidadeParcelas":2`, 1), nil, 400},
		{"/Venda/Vender/?key=k", strings.Replace(good, "{", `{"x":1,`, 1), nil, 400},
		{"/Venda/Outra/?key=k", "{}", nil, 404},
		{"/IntencaoVenda/GetByFiltros/?key=k", "{}", nil, 400},
		{"/IntencaoVenda/GetById/?key=k&intencaoVendaId=x", "{}", nil, 400},
		{"/Venda/CancelarVenda/?key=k", `{"intencaoVendaId":9,"terminalId":314}`, nil, 404},
	} {
		if c.change == nil {
			c.change = func(*http.Request) {}
		}
		status, said := ask(a, c.path, c.body, c.change)
		if status != c.want || len(a.Violations()) != i+1 {
			t.Errorf("%s: %d %s, %q", c.path, status, said, a.Violations())
		}
	}
	before := len(a.Violations())
	for range 2 {
		if status, said := ask(a, "/Venda/Vender/?key=k", good); status != 200 {
			t.Fatalf("%d %s", status, said)
		}
	}
	if _, said := ask(a, "/IntencaoVenda/GetByFiltros/?key=k", `{"referencia":"a"}`); strings.Count(said, `"referencia":"a"`) != 2 || len(a.Violations()) != before+1 {
		t.Errorf("%s, %q", said, a.Violations())
	}
}

// The books outlive the process, and a sale is cancelled once, with the password.
func TestBooks(t *testing.T) {
	t.Parallel()
	ledger := filepath.Join(t.TempDir(), "ledger")
	a := open(t, ledger)
	ask(a, "/Venda/Vender/?key=k", fmt.Sprintf(sell, "a"))
	if err := a.Pay(0); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a = open(t, ledger)
	defer a.Close()
	cancel := `{"intencaoVendaId":1,"terminalId":314,"aguardarTefIniciarTransacao":true,"senhaTecnica":"%s"}`
	if status, said := ask(a, "/Venda/CancelarVenda/?key=k", fmt.Sprintf(cancel, "1")); status != 400 {
		t.Errorf("with a wrong password: %d %s", status, said)
	}
	if status, said := ask(a, "/Venda/CancelarVenda/?key=k", fmt.Sprintf(cancel, Password)); status != 200 || !strings.Contains(said, `"Cancelado"`) {
		t.Errorf("%d %s", status, said)
	}
	if status, said := ask(a, "/Venda/CancelarVenda/?key=k", fmt.Sprintf(cancel, Password)); status != 400 {
		t.Errorf("twice: %d %s", status, said)
	}
	b, err := ReadBalance(ledger)
	if err != nil || len(b.Sums) != 1 || b.Sums[0].Standing().Sign() != 0 || b.Sums[0].Open() || len(b.Violations) != 0 {
		t.Errorf("%+v, %v", b, err)
	}
}
