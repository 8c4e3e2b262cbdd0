package ledger

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/payment"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// awkward are transactions whose texts are no spreadsheet's or terminal's friends.
func awkward(t *testing.T) (all []payment.Transaction) {
	t.Helper()
	for i, reference := range []string{
		"pedido-1", "", "=1+1", "+55", "-1", "@SOMA(A1)", " =1", "＝1", "a;b", `aspas "duplas"`, "linha\nquebrada", "tab\t=1", "\x1b[2Jlimpa", "vírgula, ponto",
		"3f2b8c1e-98aa-4d5c-b1fe-6f0f3a7d2c44", strings.Repeat("comprida-", 30), "<b>&",
	} {
		all = append(all, clitest.Approved(clitest.At(t, "2025-11-15 10:00:00").Add(time.Duration(i)*time.Minute), "1234.5", reference))
	}
	return all
}

func TestCSVIsReadBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := awkward(t)
	clitest.Keep(t, dir, all...)
	for separator, c := range map[string]struct {
		comma  rune
		amount string
	}{";": {';', "1234,50"}, ",": {',', "1234.50"}, "tab": {'\t', "1234,50"}} {
		text, marked := strings.CutPrefix(clitest.Output(t, "transactions", "--data", dir, "--format", "csv", "--csv-separator", separator), "\ufeff")
		if !marked || strings.Count(text, "\r\n") != strings.Count(text, "\n") {
			t.Errorf("%s: no mark, or other ends of lines", separator)
		}
		r := csv.NewReader(strings.NewReader(text))
		r.Comma = c.comma
		rows, err := r.ReadAll()
		if err != nil || len(rows) != len(all)+1 {
			t.Fatalf("%s: %d rows, %v", separator, len(rows), err)
		}
		column := map[string]int{}
		for i, name := range rows[0] {
			column[name] = i
		}
		for i, row := range rows[1:] {
			reference := all[i].Request.Reference
			got := row[column["Referência"]]
			if got != reference && got != "'"+reference && !strings.Contains(got, "·") {
				t.Errorf("%q became %q", reference, got)
			}
			for _, cell := range row {
				if cell = strings.TrimSpace(cell); cell != "" && strings.ContainsAny(cell[:1], "=+-@") || strings.HasPrefix(cell, "＝") {
					t.Errorf("a spreadsheet would compute %q", cell)
				}
			}
			if row[column["Valor"]] != c.amount || row[column["Data"]] != all[i].CreatedAt.Format(time.DateTime) || row[column["Situação"]] != "aprovada" ||
				row[column["Bandeira"]] != "Visa" || row[column["CNPJ do adquirente"]] != "11.222.333/0001-81" || row[column["Tipo"]] != "Crédito à vista" {
				t.Errorf("row %q", row)
			}
		}
	}
}

func TestJSONIsReadBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := awkward(t)
	given := clitest.Stand(all[0], payment.Reversed)
	given.Reversals = []payment.Reversal{{NSU: "9", Amount: given.Request.Amount, At: clitest.At(t, "2025-11-16 00:00:00")}}
	all = append(all, given)
	clitest.Keep(t, dir, all...)
	file := filepath.Join(t.TempDir(), "saida.json")
	if out := clitest.Output(t, "transactions", "--data", dir, "--format", "json", "--output", file); out != "" {
		t.Errorf("written to the standard output: %q", out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []struct {
		ID          int64
		Status      payment.Status
		ReferenceID *string
		TPag        string
		Amount      json.RawMessage
		CreatedAt   time.Time
		TBand       string
		Reversal    *struct {
			NSU string
			At  time.Time
		}
	}
	if err := json.Unmarshal(text, &got); err != nil || len(got) != len(all) {
		t.Fatalf("%d of %d, %v", len(got), len(all), err)
	}
	for i, g := range got {
		reference := ""
		if g.ReferenceID != nil {
			reference = *g.ReferenceID
		}
		if reference != all[i].Request.Reference || g.ID != int64(i+1) || string(g.Amount) != "1234.5" || g.TPag != "03" || g.TBand != "01" ||
			!g.CreatedAt.Equal(all[i].CreatedAt) {
			t.Errorf("%d: %+v", i, g)
		}
	}
	if last := got[len(got)-1]; last.Status != payment.Reversed || last.Reversal == nil || last.Reversal.NSU != "9" || !last.Reversal.At.Equal(given.LastReversal().At) {
		t.Errorf("the reversed one: %+v", last)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}

func TestTableFits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Keep(t, dir, awkward(t)...)
	text := clitest.Output(t, "transactions", "--data", dir)
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > tableWidth || strings.ContainsAny(line, "\x1b\t\r") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	for _, want := range []string{" 3f2b8c1e-98aa-4d5c-b1fe-6f0f3a7d2c44\n", "15/11/25 10:00", "1.234,50", "17 transações: 17 aprovadas 20.986,50\n", "líquido R$ 20.986,50"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// listedReferences are those that a listing with these flags has.
func listedReferences(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	var got []struct{ ReferenceID string }
	text := clitest.Output(t, append([]string{"transactions", "--data", dir, "--format", "json"}, flags...)...)
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	all := make([]string, len(got))
	for i, g := range got {
		all[i] = g.ReferenceID
	}
	return strings.Join(all, " ")
}

func TestFiltersInTheDevicesZone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	debit := clitest.Approved(clitest.At(t, "2025-11-15 23:59:59.999"), "2", "d")
	debit.Request.Method = payment.Debit
	clitest.Keep(t, dir,
		clitest.Approved(clitest.At(t, "2025-11-14 23:59:59.999"), "1", "a"), clitest.Approved(clitest.At(t, "2025-11-15 00:00:00"), "1", "b"),
		clitest.Stand(clitest.Approved(clitest.At(t, "2025-11-15 12:30:00"), "1", "c"), payment.Refused), debit, clitest.Approved(clitest.At(t, "2025-11-16 00:00:00"), "1", "e"), clitest.Approved(time.Now(), "1", "now"))
	for flags, want := range map[string]string{
		"":                                      "a b c d e now",
		"--since 2025-11-15 --until 2025-11-15": "b c d",
		"--since 2025-11-15T12:30 --until 2025-11-15T23:59":  "c",
		"--since 20251115T030000Z --until 2025-11-16T02:59Z": "b c",
		"--until 2025-W46-5": "a",
		"--since 2025-319 --until 2025-319 --status approved": "b d",
		"--type debit":                "d",
		"--tpag 03 --limit 2":         "e now",
		"--reference c":               "c",
		"--today --reference now":     "now",
		"--yesterday --reference now": "",
	} {
		if got := listedReferences(t, dir, strings.Fields(flags)...); got != want {
			t.Errorf("%q lists %q, want %q", flags, got, want)
		}
	}
}

// While the service takes payments, every listing is whole: a prefix of what there is.
func TestBesideARunningService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base, stop := clitest.Serving(t, dir)
	const payments = 30
	var paying sync.WaitGroup
	done := make(chan struct{})
	paying.Go(func() {
		defer close(done)
		for range payments {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/transaction", strings.NewReader(`{"tPag":"03","amount":1.10,"referenceId":null}`))
			if err != nil {
				t.Error(err)
				return
			}
			r.SetBasicAuth("admin", "segredo")
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				t.Errorf("the service answered %d beside a reader", answer.StatusCode)
			}
		}
	})
	before := 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		var got []struct{ ID int }
		if err := json.Unmarshal([]byte(clitest.Output(t, "transactions", "--data", dir, "--format", "json")), &got); err != nil {
			t.Fatal(err)
		}
		for i, g := range got {
			if g.ID != i+1 {
				t.Fatalf("the %dth is %d", i+1, g.ID)
			}
		}
		if len(got) < before {
			t.Errorf("%d after %d", len(got), before)
		}
		before = len(got)
	}
	paying.Wait()
	if before != payments {
		t.Errorf("%d of %d listed", before, payments)
	}
	stop() // killed: what it had not moved into the file is in the log beside it
	if text := clitest.Output(t, "transactions", "--data", dir); !strings.Contains(text, "30 aprovadas 33,00") {
		t.Errorf("after the service has gone:\n%s", text)
	}
	if text := clitest.Output(t, "transactions", "show", "--data", dir, "7"); !strings.Contains(text, "Transação 7\n") || !strings.Contains(text, "VIA DO CLIENTE") {
		t.Errorf("one of them:\n%s", text)
	}
}

func TestShow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chosen := clitest.Approved(clitest.At(t, "2025-11-15 10:00:00"), "90", "2")
	chosen.Request.Method, chosen.Outcome.PaidWith, chosen.Outcome.Installments, chosen.Request.Plan = payment.AnyMethod, payment.Credit, 3, payment.Seller
	chosen.Request.Extra = []byte(`{"mesa":7}`)
	clitest.Keep(t, dir, clitest.Stand(clitest.Approved(clitest.At(t, "2025-11-15 09:00:00"), "90", "2"), payment.Refused), clitest.Approved(clitest.At(t, "2025-11-15 09:30:00"), "5", "outra"), chosen)
	text := clitest.Output(t, "transactions", "show", "--data", dir, "2")
	for _, want := range []string{
		"Transação 2\n", "Transação 1\n", "Transação 3\n", "recusada", "Crédito parcelado, 3 parcelas sem juros (loja)", "A escolher", `{"mesa":7}`,
		"Visa (01)", "15/11/2025 10:00:00.000 -03:00",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var got []struct{ ID int }
	if err := json.Unmarshal([]byte(clitest.Output(t, "transactions", "show", "--data", dir, "--format", "json", "outra")), &got); err != nil || len(got) != 1 || got[0].ID != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if words := clitest.Complaint(t, "transactions", "show", "--data", dir, "falta"); !strings.Contains(words, `referência "falta"`) {
		t.Error(words)
	}
}

func TestNothingListed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Keep(t, dir)
	for format, want := range map[string]string{"table": "Nenhuma transação encontrada.\n", "json": "[]\n", "csv": "\ufeff" + strings.Join(csvHeader, ";") + "\r\n"} {
		if got := clitest.Output(t, "transactions", "--data", dir, "--format", format); got != want {
			t.Errorf("%s: %q", format, got)
		}
	}
}

func TestReportsRefuse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clitest.Keep(t, dir, clitest.Approved(time.Now(), "1", "a"))
	missing := filepath.Join(dir, "falta")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "maquininha.db"), link); err != nil {
		t.Skip("no links here: ", err)
	}
	for _, c := range []struct{ words, args string }{
		{"não há dados em " + missing, "transactions --data " + missing},
		{"não há dados em " + missing, "closing --data " + missing},
		{`--since "ontem" não é uma data`, "transactions --since ontem"},
		{"--until é antes de --since", "closing --since 2025-11-15 --until 2025-11-14"},
		{"não valem juntos", "closing --today --since 2025-11-15"},
		{"--status deve ser um de", "transactions --status open"},
		{"--type deve ser um de", "transactions --tpag 01"},
		{"--format deve ser um de", "transactions --format xml"},
		{"--format deve ser um de", "closing --format csv"},
		{"--csv-separator", "transactions --csv-separator |"},
		{"--limit", "transactions --limit -1"},
		{"informe o número ou a referência", "transactions show"},
		{"lugar dos dados", "transactions --data " + dir + " --output " + filepath.Join(dir, "maquininha.db")},
		{"lugar dos dados", "transactions --data " + dir + " --output " + link},
		{"a pasta " + missing + " não existe", "transactions --data " + dir + " --output " + filepath.Join(missing, "x.csv")},
		{"informe em --printer", "closing --print --data " + dir},
	} {
		if words := clitest.Complaint(t, strings.Fields(c.args)...); !strings.Contains(words, c.words) {
			t.Errorf("%s: %q, want %q", c.args, words, c.words)
		}
	}
	if got := listedReferences(t, dir); got != "a" {
		t.Errorf("the data has %q afterwards", got)
	}
}
