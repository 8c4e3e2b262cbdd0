//go:build unix && (!race || everything)

package app_test

import (
	"database/sql"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// shiftPast moves everything that is kept by so much, as if the clock had been wrong by that when it was written.
func shiftPast(t *testing.T, data string, years string) {
	t.Helper()
	shift := func(column string) string {
		return column + ` = strftime('%Y-%m-%dT%H:%M:%f', ` + column + `, '` + years + ` years') || '000000Z'`
	}
	for file, changes := range map[string][]string{
		"maquininha.db": {"UPDATE sale SET " + shift("opened_at"), "UPDATE ledger SET " + shift("created_at") + ", " + shift("updated_at")},
		"logs.db":       {"UPDATE log_entry SET at = at + " + years + " * 31556952000"},
	} {
		db, err := sql.Open("sqlite", filepath.Join(data, file))
		must(t, err)
		for _, change := range changes {
			_, err := db.Exec(change)
			must(t, err)
		}
		must(t, db.Close())
	}
}

// references are those of the listed transactions, in their order.
func references(t *testing.T, c caller, query string) string {
	t.Helper()
	var all []string
	for _, s := range get[[]stored](t, c, "/transaction"+query) {
		all = append(all, s.Details.ReferenceID)
	}
	return strings.Join(all, " ")
}

// The clock jumps, the way a flat battery and a time server make it: what happened first stays first, and nothing
// that waits, expires or is numbered goes by the wall clock.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	for name, years := range map[string]string{"back": "+10", "forth": "-10"} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			p := serve(t, data, withSecret(), "--autopilot-delay", "0s", "--log-days", "30")
			p.ok(t, "POST", "/sale", "")
			p.ok(t, "POST", "/sale/item", itemBody("before", "1.00"))
			pay := func(reference, amount string) (int, string) {
				return p.call(t, "POST", "/transaction", `{"tPag":"03","amount":`+amount+`,"referenceId":"`+reference+`"}`)
			}
			if status, body := pay("first", "10.00"); status != http.StatusOK {
				t.Fatal(status, body)
			}
			if status, body := pay("unanswered", "0.98"); status != http.StatusServiceUnavailable {
				t.Fatal(status, body)
			}
			p.terminate(t)
			shiftPast(t, data, years)
			now := time.Now()

			p = serve(t, data, withSecret(), "--autopilot-delay", "0s", "--log-days", "30")
			waittest.Until(t, "the attempt without an answer is settled", func() bool {
				return get[stored](t, p.caller, "/transaction/unanswered").Details.Status == "cancelled"
			})
			p.ok(t, "POST", "/sale/item", itemBody("after", "1.00"))
			if sale := p.ok(t, "GET", "/sale", ""); strings.Index(sale, `"before"`) > strings.Index(sale, `"after"`) {
				t.Errorf("the items changed places: %s", sale)
			}
			if status, body := pay("second", "10.00"); status != http.StatusOK {
				t.Fatal(status, body)
			}
			if status, body := pay("first", "10.00"); status != http.StatusOK {
				t.Errorf("a payment asked for again: %d %s", status, body)
			}
			if got := references(t, p.caller, ""); got != "first unanswered second" {
				t.Errorf("transactions: %s", got)
			}
			if got := references(t, p.caller, "?limit=1"); got != "second" {
				t.Errorf("the newest transaction: %s", got)
			}
			p.ok(t, "POST", "/transaction/first/reversal", "")
			if up := get[struct{ UptimeSeconds int }](t, p.caller, "/status").UptimeSeconds; up < 0 || up > int(time.Since(now).Seconds())+1 {
				t.Errorf("up for %d s", up)
			}
			// The log goes by what came first; filters go by the time that was written.
			entries := get[[]struct{ Message, CreatedAt string }](t, p.caller, "/logs?search="+url.QueryEscape("POST /transaction"))
			if len(entries) == 0 || !strings.HasPrefix(entries[0].Message, "POST /transaction/first/reversal") {
				t.Errorf("the newest entry: %+v", entries)
			}
			today := p.ok(t, "GET", "/logs?dateFrom="+url.QueryEscape(now.Format(time.RFC3339))+"&dateTo="+url.QueryEscape(now.Add(time.Hour).Format(time.RFC3339)), "")
			if !strings.Contains(today, "reversal") {
				t.Errorf("today's entries: %s", today)
			}
			p.ok(t, "POST", "/sale/finalize", "")
			p.terminate(t)
			checkBank(t, data, map[string]string{"first": "reversed", "second": "approved", "unanswered": "refused"})
		})
	}
}

// Times are kept in UTC and shown in the zone of the moment: another zone changes how they read, not when it was.
func TestTimeZoneChanges(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	in := func(zone string) []string { return append(withSecret(), "TZ="+zone) } // the last one counts
	p := serve(t, data, in("America/Sao_Paulo"), "--autopilot-delay", "0s")
	p.ok(t, "POST", "/sale", "")
	p.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"a"}`)
	type times struct {
		transaction, sale, log time.Time
		zone                   string
	}
	read := func(offset string) (all times) {
		t.Helper()
		parse := func(text string) time.Time {
			at, err := time.Parse(time.RFC3339, text)
			must(t, err)
			if !strings.HasSuffix(text, offset) {
				t.Errorf("%s is not in the device's zone (%s)", text, offset)
			}
			return at
		}
		all.transaction = parse(get[struct{ Details struct{ CreatedAt string } }](t, p.caller, "/transaction/a").Details.CreatedAt)
		all.sale = parse(get[struct{ Sale struct{ OpenedAt string } }](t, p.caller, "/sale").Sale.OpenedAt)
		all.log = parse(get[[]struct{ CreatedAt string }](t, p.caller, "/logs?search="+url.QueryEscape("POST /sale 200"))[0].CreatedAt)
		all.zone = get[struct{ TimeZone string }](t, p.caller, "/info").TimeZone
		return all
	}
	before := read("-03:00")
	p.terminate(t)
	p = serve(t, data, in("Asia/Tokyo"), "--autopilot-delay", "0s")
	after := read("+09:00")
	if !after.transaction.Equal(before.transaction) || !after.sale.Equal(before.sale) || !after.log.Equal(before.log) {
		t.Errorf("before %v, after %v", before, after)
	}
	if before.zone != "America/Sao_Paulo" || after.zone != "Asia/Tokyo" {
		t.Errorf("zones %s and %s", before.zone, after.zone)
	}
	since := func(at time.Time) string { return "?since=" + url.QueryEscape(at.Format(time.RFC3339)) }
	if got := references(t, p.caller, since(before.transaction.Add(-2*time.Second))); got != "a" {
		t.Errorf("since just before: %q", got)
	}
	if got := references(t, p.caller, since(before.transaction.Add(2*time.Second))); got != "" {
		t.Errorf("since just after: %q", got)
	}
}
