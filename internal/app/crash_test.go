//go:build unix && (!race || everything)

package app_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/maquininha/maquininha/internal/waittest"
)

// cashier works on lines of its own, one request at a time, and knows for each what must be there: at a power
// cut, what it was before or after the one request that got no answer.
type cashier struct {
	name   string
	known  lines
	doubt  string // the line of the request without an answer
	before string
	after  string
	next   int
	seen   *tally
}

// work sends requests until one gets no answer.
func (c *cashier) work(t *testing.T, to caller) {
	for {
		method, path, body, line, value := c.draw()
		c.doubt, c.before, c.after = line, c.known[line], value
		status, answer, err := to.send(context.Background(), method, path, body)
		if err != nil {
			return
		}
		if status != http.StatusOK {
			t.Errorf("%s %s: %d %s", method, path, status, answer)
			return
		}
		c.settle(value)
		c.seen.changes.Add(1)
	}
}

// settle takes the value of the line in doubt for sure; empty means that it is gone.
func (c *cashier) settle(value string) {
	if value == "" {
		delete(c.known, c.doubt)
	} else {
		c.known[c.doubt] = value
	}
	c.doubt = ""
}

// draw thinks of something to do: the request, the line it changes and what that line is afterwards.
func (c *cashier) draw() (method, path, body, line, value string) {
	var old string
	for k := range c.known { // any
		if k != "info" {
			old = k
			break
		}
	}
	kind, id, _ := strings.Cut(old, " ")
	choice := rand.IntN(10)
	c.next++
	amount := strconv.Itoa(c.next) + ".50"
	switch {
	case old == "" || choice < 4:
		id := fmt.Sprintf("%s/%d", c.name, c.next)
		if choice == 0 {
			return "POST", "/sale/payment", fmt.Sprintf(`{"id":%q,"value":%s}`, id, amount), "payment " + id, amount
		}
		return "POST", "/sale/item", itemBody(id, amount), "item " + id, amount + " false"
	case choice < 6:
		path := "/sale/" + kind + "/" + url.PathEscape(id)
		if kind == "payment" {
			return "PATCH", path, `{"value":` + amount + `}`, old, amount
		}
		return "PATCH", path, `{"total":` + amount + `}`, old, amount + " " + strings.Fields(c.known[old])[1]
	case choice < 7 && kind == "item":
		return "POST", "/sale/item/" + url.PathEscape(id) + "/cancel", "", old, strings.Fields(c.known[old])[0] + " true"
	case choice < 8 && c.name == "0":
		return "PATCH", "/sale", fmt.Sprintf(`{"additionalInfo":%q}`, amount), "info", amount
	}
	return "DELETE", "/sale/" + kind + "/" + url.PathEscape(id), "", old, ""
}

// check holds what is there against what must be, and takes the line in doubt for what it is.
func (c *cashier) check(t *testing.T, there lines) {
	t.Helper()
	if c.doubt != "" {
		now := there[c.doubt]
		if now != c.before && now != c.after {
			t.Errorf("%q is %q; it was %q and should perhaps be %q", c.doubt, now, c.before, c.after)
		}
		c.settle(now)
	}
	for line, want := range c.known {
		if there[line] != want {
			c.seen.lost.Add(1)
			t.Errorf("%q is %q, answered was %q", line, there[line], want)
		}
		delete(there, line)
	}
}

// customer pays, one payment at a time, and knows what it was told.
type customer struct {
	told  map[string]string // reference → status
	doubt string            // paid without an answer
	back  string            // reversed without an answer
	next  int
	seen  *tally
}

// refusedAmount is one that the emulator's bank refuses.
const refusedAmount = "0.51"

func (c *customer) work(t *testing.T, to caller) {
	for {
		c.next++
		reference, amount := fmt.Sprintf("r%d", c.next), "10.00"
		if c.next%5 == 0 {
			amount = refusedAmount
		}
		c.doubt = reference
		status, body, err := to.send(context.Background(), "POST", "/transaction", fmt.Sprintf(`{"tPag":"03","amount":%s,"referenceId":%q}`, amount, reference))
		if err != nil {
			return
		}
		c.doubt = ""
		switch {
		case status == http.StatusOK && amount != refusedAmount:
			c.told[reference] = "approved"
		case status == http.StatusForbidden && amount == refusedAmount:
			c.told[reference] = "refused"
		default:
			t.Errorf("paying %s: %d %s", amount, status, body)
			return
		}
		c.seen.payments.Add(1)
		if c.told[reference] != "approved" || c.next%3 != 0 {
			continue
		}
		c.back = reference
		if status, body, err = to.send(context.Background(), "POST", "/transaction/"+reference+"/reversal", ""); err != nil {
			return
		}
		if c.back = ""; status != http.StatusOK {
			t.Errorf("reversing %s: %d %s", reference, status, body)
			return
		}
		c.told[reference] = "reversed"
		c.seen.payments.Add(1)
	}
}

// check looks at everything the customer was told, and pays again what it got no answer to: once is enough.
func (c *customer) check(t *testing.T, to caller) {
	t.Helper()
	waittest.Until(t, "nothing is pending any more", func() bool {
		return len(get[[]stored](t, to, "/transaction?status=pending")) == 0
	})
	there := map[string]string{}
	for _, s := range get[[]stored](t, to, "/transaction") {
		there[s.Details.ReferenceID] = s.Details.Status
	}
	if c.back != "" {
		switch now := there[c.back]; now {
		case "approved", "reversed":
			c.told[c.back] = now
		default:
			t.Errorf("%s, whose reversal got no answer, is %q", c.back, now)
		}
		c.back = ""
	}
	for reference, told := range c.told {
		if there[reference] != told {
			c.seen.lost.Add(1)
			t.Errorf("%s is %q, answered was %q", reference, there[reference], told)
		}
	}
	if c.doubt == "" {
		return
	}
	if now := there[c.doubt]; now == "pending" || now == "reversed" {
		t.Errorf("%s, whose payment got no answer, is %s", c.doubt, now)
	}
	// A caller that got no answer asks again; never is it charged twice.
	to.ok(t, "POST", "/transaction", fmt.Sprintf(`{"tPag":"03","amount":%s,"referenceId":%q}`, amountOf(t, to, c.doubt), c.doubt))
	c.told[c.doubt], c.doubt = "approved", ""
}

// amountOf is what a reference was approved for, so that asking again is the same; any, if it was not.
func amountOf(t *testing.T, to caller, reference string) string {
	t.Helper()
	status, body := to.call(t, "GET", "/transaction/"+reference, "")
	var s struct {
		Details struct {
			Status string
			Amount json.Number
		}
	}
	if status == http.StatusOK {
		must(t, json.Unmarshal([]byte(body), &s))
	}
	if s.Details.Status == "approved" {
		return s.Details.Amount.String()
	}
	return "10.00"
}

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
