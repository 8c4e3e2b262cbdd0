//go:build !race || everything

package payment_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// bankLine is a line of the bank's own books.
type bankLine struct {
	Operation string `json:"operation"`
	State     string `json:"state"`
	NSU       int64  `json:"nsu"`
	Amount    string `json:"amount"`
}

func bankBooks(t *rapid.T, dir string) map[string]bankLine {
	books := map[string]bankLine{}
	f, err := os.Open(filepath.Join(dir, "emulator-host.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var l bankLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		books[l.Operation] = l
	}
	return books
}

// Check holds the shop's books against the bank's.
func (s *shop) Check(t *rapid.T) {
	books := bankBooks(t, s.dir)
	standing := map[string]int64{} // by reference
	if err := s.ledger.List(context.Background(), payment.Filter{}, func(tx payment.Transaction) error {
		charge := books[fmt.Sprint(tx.ID)]
		delete(books, fmt.Sprint(tx.ID))
		repaid := money.Zero
		for operation, line := range books {
			if strings.HasPrefix(operation, fmt.Sprint(tx.ID, "-r")) {
				if line.State == "repaid" {
					repaid = repaid.Add(money.MustParse(line.Amount))
				}
				delete(books, operation)
			}
		}
		charged, standsHere := charge.State == "charged", tx.Status() == payment.Approved || tx.Status() == payment.Reversed
		switch {
		case tx.Status() == payment.Pending:
			return fmt.Errorf("attempt %d is still pending", tx.ID)
		case charged != standsHere:
			return fmt.Errorf("attempt %d is %s, but %q at the bank", tx.ID, tx.Status(), charge.State)
		case standsHere && tx.Outcome.NSU != fmt.Sprintf("%09d", charge.NSU):
			return fmt.Errorf("attempt %d has NSU %s, at the bank %d", tx.ID, tx.Outcome.NSU, charge.NSU)
		case standsHere && charge.Amount != tx.Request.Amount.Cents():
			return fmt.Errorf("attempt %d is of %s, at the bank of %s", tx.ID, tx.Request.Amount, charge.Amount)
		case repaid.Cmp(tx.GivenBack()) != 0, tx.Left().Sign() < 0, standsHere && (tx.Left().Sign() == 0) != (tx.Status() == payment.Reversed):
			return fmt.Errorf("attempt %d is %s, and %s of it was given back, at the bank %s", tx.ID, tx.Status(), tx.GivenBack(), repaid)
		}
		if told := s.told[tx.ID]; told != "" && told != tx.Status() && (told != payment.Approved || tx.Status() != payment.Reversed) {
			return fmt.Errorf("the caller was told that attempt %d is %s, but it is %s", tx.ID, told, tx.Status())
		}
		if r := tx.Request.Reference; r != "" && charged {
			if first, twice := standing[r]; twice {
				return fmt.Errorf("%s was charged twice, by %d and %d", r, first, tx.ID)
			}
			standing[r] = tx.ID
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(books) != 0 {
		t.Fatalf("the bank knows what the ledger does not: %v", books)
	}
	for reference, want := range s.known {
		got, err := s.desk.Find(reference)
		if want.status == "" && errors.Is(err, payment.ErrNotFound) {
			continue
		}
		if err != nil || got.Status() != want.status || len(got.Returned()) != len(want.back) || got.Left().Cmp(want.left()) != 0 {
			t.Fatalf("%s is %q with %s left (%v), want %q with %s", reference, got.Status(), got.Left(), err, want.status, want.left())
		}
	}
}
