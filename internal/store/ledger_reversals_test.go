package store

import (
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// asOf is the schema as the version with so many migrations had it.
func asOf(t *testing.T, name string, steps int) fstest.MapFS {
	t.Helper()
	files, err := fs.Glob(schema(name), "*.sql")
	must(t, err)
	old := fstest.MapFS{}
	for _, file := range files[:steps] {
		text, err := fs.ReadFile(schema(name), file)
		must(t, err)
		old[file] = &fstest.MapFile{Data: text}
	}
	return old
}

// What a version without rows for reversals kept of them is all there, and goes on from there.
func TestReversalsOfAnOlderVersion(t *testing.T) {
	dir := t.TempDir()
	old, err := openDatabase(filepath.Join(dir, MainFile), asOf(t, "main", 5))
	must(t, err)
	const columns = `id, acquirer, reference, method, amount, installments, plan, state, unacknowledged, status, message, nsu, authorization, brand,
		acquirer_cnpj, tx_id, end_to_end_id, paid_with, agreed_installments, acquirer_token, customer_receipt, merchant_receipt, created_at, updated_at,
		reversal_nsu, reversal_token, reversed_at, reversals, number, reversal_number, in_doubt`
	const at = "2026-03-01T10:00:00.000000000Z"
	for _, row := range []struct {
		id                 int
		state, status      string
		nsu, token, back   any
		reversals, number2 int
	}{
		{1, "confirmed", "approved", nil, nil, nil, 0, 0},
		{2, "reversed", "reversed", "9", "key", "2026-03-02T10:00:00.000000000Z", 3, 507},
		{3, "sent", "pending", nil, nil, nil, 1, 508},
		{4, "confirmed", "approved", nil, nil, nil, 2, 509},
	} {
		_, err := old.writer.Exec(`INSERT INTO ledger (`+columns+`) VALUES (?, 'pix', ?, 'pix', '10.50', 1, 'single', ?, 0, ?, '', '7', '', '', '', '', '', '', 0, '', '', '', ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
			row.id, string(rune('a'+row.id-1)), row.state, row.status, at, at, row.nsu, row.token, row.back, row.reversals, 500+row.id, row.number2)
		must(t, err)
	}
	_, err = old.writer.Exec(`UPDATE sqlite_sequence SET seq = 77 WHERE name = 'ledger'`)
	must(t, err, old.close())

	s := openAt(t, dir)
	l, err := s.Ledger()
	must(t, err)
	amount, back := money.MustParse("10.50"), time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	for reference, want := range map[string][]payment.Reversal{
		"a": nil,
		"b": {{Amount: amount}, {Amount: amount}, {Amount: amount, Number: 507, NSU: "9", Token: "key", At: back}},
		"c": {{Amount: amount, Number: 508}},
		"d": {{Amount: amount}, {Amount: amount, Number: 509}},
	} {
		got, err := l.Newest(reference)
		must(t, err)
		if diff := cmp.Diff(want, got.Reversals, asKept); diff != "" {
			t.Errorf("%s: %s", reference, diff)
		}
	}
	if given, err := l.Numbered(507); err != nil || given.Operation() != "2-r3" || given.OperationNumber() != 507 || given.Left().Sign() != 0 {
		t.Errorf("%+v, %v", given, err)
	}
	if open, err := l.Unresolved(); err != nil || len(open) != 1 || open[0].Operation() != "3-r1" || open[0].Moving().Cents() != "10.50" {
		t.Errorf("%+v, %v", open, err)
	}
	if last, err := l.LastNumber(); err != nil || last != 509 {
		t.Errorf("last number %d, %v", last, err)
	}
	var listed []int64
	must(t, l.List(t.Context(), payment.Filter{Since: back, Reversals: true}, func(tx payment.Transaction) error {
		listed = append(listed, tx.ID)
		return nil
	}))
	if !slices.Equal(listed, []int64{2}) {
		t.Errorf("given back since then: %v", listed)
	}
	if id, err := l.Begin(payment.Transaction{State: payment.StateBegun}); err != nil || id != 78 {
		t.Errorf("the next attempt is %d, %v", id, err)
	}
}

// The highest id is not forgotten with a ledger that has no rows: it was lost, and acquirers know attempts by their ids.
func TestAnEmptyLedgerOfAnOlderVersion(t *testing.T) {
	dir := t.TempDir()
	old, err := openDatabase(filepath.Join(dir, MainFile), asOf(t, "main", 5))
	must(t, err)
	_, err = old.writer.Exec(`UPDATE sqlite_sequence SET seq = 120 WHERE name = 'ledger'`)
	must(t, err, old.close())
	l, err := openAt(t, dir).Ledger()
	must(t, err)
	if id, err := l.Begin(payment.Transaction{State: payment.StateBegun}); err != nil || id != 121 {
		t.Errorf("the next attempt is %d, %v", id, err)
	}
}
