//go:build unix && (!race || everything)

package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

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
			kind := []string{"payment", "discount", "addition"}[c.next%3]
			return "POST", "/sale/" + kind, fmt.Sprintf(`{"id":%q,"value":%s}`, id, amount), kind + " " + id, amount
		}
		return "POST", "/sale/item", itemBody(id, amount), "item " + id, amount + " false"
	case choice < 6:
		path := "/sale/" + kind + "/" + url.PathEscape(id)
		if kind != "item" {
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
