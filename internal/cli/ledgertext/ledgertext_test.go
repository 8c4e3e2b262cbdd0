package ledgertext

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// What a driver or the desk can note of a failure has words here: an error that is added without them is named.
func TestEveryNoteHasWords(t *testing.T) {
	noted := regexp.MustCompile(`(?:errors\.New|fmt\.Errorf)\("([^"]+)"`)
	// Said of a configuration, or of a request that is refused: never noted of a transaction.
	elsewhere := regexp.MustCompile(`^(pix: |TEF needs |must be above zero|at most two decimals|too large|found$|%s|%w: %[wq]$|%w: NSU|a resposta do TEF)`)
	count := 0
	for _, dir := range []string{"acquirer/tef", "acquirer/tef/intpos", "acquirer/pix", "acquirer/emulator", "payment"} {
		files, err := filepath.Glob("../../" + dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range noted.FindAllStringSubmatch(string(source), -1) {
				if count++; noteWords.Replace(m[1]) == m[1] && !elsewhere.MatchString(m[1]) {
					t.Errorf("%s: %q", file, m[1])
				}
			}
		}
	}
	if count < 40 {
		t.Errorf("only %d errors were found", count)
	}
	for note, want := range map[string]string{
		"the TEF manager took the request without saying so": "o gerenciador de TEF pegou o pedido sem acusar",
		"the PSP answered 503: Indisponível":                 "o PSP respondeu 503: Indisponível",
		"confirmada ao adquirente":                           "confirmada ao adquirente",
	} {
		if got := noteWords.Replace(note); got != want {
			t.Errorf("%q: %q", note, got)
		}
	}
}

// The ledger has the driver's own words; people are shown theirs.
func TestHistoryIsInPortuguese(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tx := clitest.Stand(clitest.Approved(time.Now(), "5.00", "pedido-1"), payment.Pending)
	clitest.Keep(t, dir, tx)
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ledger, err := s.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	tx.ID = 1
	if err := ledger.Append(tx, "the acquirer does not answer"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for _, args := range [][]string{{}, {"--format", "json"}} {
		said := clitest.Output(t, append([]string{"transactions", "show", "1", "--data", dir}, args...)...)
		if !strings.Contains(said, "o adquirente não responde") || strings.Contains(said, "the acquirer") {
			t.Error(said)
		}
	}
}
