//go:build unix && (!race || everything)

package app_test

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// rounds is how often the power goes: a dozen times, fewer with -short, as many as MAQUININHA_CRASH_ROUNDS says.
func rounds(t *testing.T) int {
	if text := os.Getenv("MAQUININHA_CRASH_ROUNDS"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		return n
	}
	if testing.Short() {
		return 3
	}
	return 12
}

// A folder takes this many rounds, then another begins: the bank's file is read whole at each start.
const roundsPerFolder = 250

// tally is what a campaign has seen.
type tally struct {
	killed, starting, closing atomic.Int64 // processes killed at work, while they started, while they finalized a sale
	changes, payments         atomic.Int64 // answered with success
	lost                      atomic.Int64 // what was answered and then not there, or not as answered
	folders                   atomic.Int64
}

func (c *tally) String() string {
	return fmt.Sprintf("%d kills under traffic, %d while starting, %d while finalizing; acknowledged: %d changes of sales, %d payments and reversals; lost: %d (%d data folders)",
		c.killed.Load(), c.starting.Load(), c.closing.Load(), c.changes.Load(), c.payments.Load(), c.lost.Load(), c.folders.Load())
}

// Everybody works, the process is killed at any moment, and comes up again with all that it had answered.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	seen := &tally{}
	t.Cleanup(func() { t.Log(seen) }) // after the folders, which run side by side
	for left := rounds(t); left > 0; left -= roundsPerFolder {
		t.Run("folder", func(t *testing.T) {
			t.Parallel()
			killAtAnyMoment(t, min(left, roundsPerFolder), seen)
		})
	}
}

func killAtAnyMoment(t *testing.T, rounds int, seen *tally) {
	seen.folders.Add(1)
	data := t.TempDir()
	crew := make([]*cashier, 4)
	for i := range crew {
		crew[i] = &cashier{name: strconv.Itoa(i), known: lines{}, seen: seen}
	}
	payer := &customer{told: map[string]string{}, seen: seen}
	var history []lines // of finalized sales
	var closing bool    // the last round was killed while it finalized the sale
	for round := range rounds {
		if round%3 == 0 {
			killWhileStarting(t, data)
			seen.starting.Add(1)
		}
		p := serve(t, data, withSecret(), "--autopilot-delay", "0s")
		status, body := p.call(t, "GET", "/sale", "")
		if status == http.StatusConflict {
			if round > 0 && !closing {
				seen.lost.Add(1)
				t.Fatalf("round %d: the sale is gone: %s", round, body)
			}
			if round > 0 {
				history = append(history, whole(crew))
			}
			for _, c := range crew {
				c.known, c.doubt = lines{}, ""
			}
			p.ok(t, "POST", "/sale", "")
			status, body = p.call(t, "GET", "/sale", "")
		}
		if status != http.StatusOK {
			t.Fatalf("round %d: %d %s", round, status, body)
		}
		var now saleAnswer
		must(t, json.Unmarshal([]byte(body), &now))
		there := linesOf(now)
		for _, c := range crew {
			c.check(t, there)
		}
		if len(there) != 0 {
			t.Errorf("round %d: what nobody put there: %v", round, there)
		}
		payer.check(t, p.caller)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}

		var all sync.WaitGroup
		for _, c := range crew {
			all.Go(func() { c.work(t, p.caller) })
		}
		all.Go(func() { payer.work(t, p.caller) })
		time.Sleep(time.Duration(rand.IntN(80_000)) * time.Microsecond)
		must(t, p.cmd.Process.Kill())
		all.Wait()
		p.exit(t)
		seen.killed.Add(1)
		closing = false

		// Every third time it dies again with nothing but a finalization under way.
		if round%3 == 2 {
			closing = true
			p := serve(t, data, withSecret(), "--autopilot-delay", "0s")
			there := linesOf(get[saleAnswer](t, p.caller, "/sale"))
			for _, c := range crew {
				c.check(t, there)
			}
			answered := p.hold(t, "POST", "/sale/finalize", "")
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
			must(t, p.cmd.Process.Kill())
			p.exit(t)
			seen.closing.Add(1)
			if a := <-answered; a.err == nil {
				seen.changes.Add(1)
				p := serve(t, data, withSecret())
				if status, body := p.call(t, "GET", "/sale", ""); status != http.StatusConflict {
					seen.lost.Add(1)
					t.Fatalf("round %d: a finalized sale is open again: %d %s", round, status, body)
				}
				p.terminate(t)
			}
		}
	}
	p := serve(t, data, withSecret(), "--autopilot-delay", "0s")
	payer.check(t, p.caller)
	p.terminate(t)
	if len(payer.told) == 0 && rounds > 2 {
		t.Error("nobody was ever told that a payment was made")
	}
	checkHistory(t, data, history)
	checkBank(t, data, payer.told)
}

// killWhileStarting has the power go before the service has said that it is there: while it makes or migrates its
// files, or takes in what the last kill left.
func killWhileStarting(t *testing.T, data string) {
	t.Helper()
	p := command(t, withSecret(), "--autopilot-delay", "0s", "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--data", data)
	p.start(t)
	time.Sleep(time.Duration(rand.IntN(30_000)) * time.Microsecond)
	must(t, p.cmd.Process.Kill())
	p.exit(t)
	if p.stderr.String() != "" {
		t.Errorf("while starting it said: %s", p.stderr)
	}
}

// whole is what all of them together know of the sale.
func whole(crew []*cashier) lines {
	all := lines{}
	for _, c := range crew {
		maps.Copy(all, c.known)
	}
	return all
}

// checkHistory reads the finalized sales out of the file.
func checkHistory(t *testing.T, data string, history []lines) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(data, "maquininha.db"))
	must(t, err)
	defer db.Close()
	var check string
	must(t, db.QueryRow("PRAGMA integrity_check").Scan(&check))
	if check != "ok" {
		t.Errorf("the file is damaged: %s", check)
	}
	for i, want := range history {
		got := lines{}
		rows, err := db.Query(`SELECT 'item', line FROM item WHERE place >> 32 = ?1
			UNION ALL SELECT 'payment', line FROM payment WHERE place >> 32 = ?1
			UNION ALL SELECT 'discount', line FROM discount WHERE place >> 32 = ?1
			UNION ALL SELECT 'addition', line FROM addition WHERE place >> 32 = ?1
			UNION ALL SELECT 'info', additional_info FROM sale WHERE number = ?1 AND state = 'finalized' AND additional_info IS NOT NULL`, i+1)
		must(t, err)
		for rows.Next() {
			var kind, text string
			must(t, rows.Scan(&kind, &text))
			if kind == "info" {
				got[kind] = text
				continue
			}
			var line struct {
				ID           string
				Canceled     bool
				Total, Value json.Number
			}
			must(t, json.Unmarshal([]byte(text), &line))
			if got[kind+" "+line.ID] = line.Value.String(); kind == "item" {
				got[kind+" "+line.ID] = fmt.Sprint(line.Total, " ", line.Canceled)
			}
		}
		must(t, rows.Err(), rows.Close())
		if !maps.Equal(got, want) {
			t.Errorf("sale %d is kept with %d lines, answered were %d", i+1, len(got), len(want))
		}
	}
}

// checkBank holds the bank's books against what the customer was told.
func checkBank(t *testing.T, data string, told map[string]string) {
	t.Helper()
	states := bankStates(t, data)
	db, err := sql.Open("sqlite", filepath.Join(data, "maquininha.db"))
	must(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT id, reference, status FROM ledger ORDER BY id`)
	must(t, err)
	defer rows.Close()
	charged := map[string]int{}
	attempts := map[string]bool{}
	for rows.Next() {
		var id, reference, status string
		must(t, rows.Scan(&id, &reference, &status))
		attempts[id] = true
		if status == "pending" {
			t.Errorf("attempt %s is still pending", id)
		}
		stands := status == "approved" || status == "reversed"
		if (states[id] == "charged") != stands {
			t.Errorf("attempt %s of %s is %s, at the bank %q", id, reference, status, states[id])
		}
		if stands {
			charged[reference]++
		}
	}
	must(t, rows.Err())
	for operation := range states {
		if id, _, _ := strings.Cut(operation, "-"); !attempts[id] {
			t.Errorf("the bank knows of %s, the ledger does not", operation)
		}
	}
	for reference, n := range charged {
		if n > 1 {
			t.Errorf("%s was charged %d times", reference, n)
		}
	}
	for reference, status := range told {
		if (status != "refused") != (charged[reference] == 1) {
			t.Errorf("the customer was told that %s is %s; it was charged %d times", reference, status, charged[reference])
		}
	}
}

// bankStates are the last states of the bank's operations.
func bankStates(t *testing.T, data string) map[string]string {
	t.Helper()
	states := map[string]string{}
	f, err := os.Open(filepath.Join(data, "emulator-host.jsonl"))
	must(t, err)
	defer f.Close()
	for text := bufio.NewScanner(f); text.Scan(); {
		var line struct{ Operation, State string }
		must(t, json.Unmarshal(text.Bytes(), &line))
		states[line.Operation] = line.State
	}
	return states
}
