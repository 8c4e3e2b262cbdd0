package ledgertext

import (
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

func TestMain(m *testing.M) { clitest.Main(m) }

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
