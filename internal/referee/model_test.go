package referee

import (
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A caller that does everything right is never accused, whatever happens to it.
func TestTheInnocent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := tell()
		count := 0
		for range rapid.IntRange(1, 6).Draw(t, "sales") {
			honestSale(t, s, &count)
		}
		if got := verdict(s); got != "" {
			t.Fatalf("accused of %s", got)
		}
	})
}

func honestSale(t *rapid.T, s *story, count *int) {
	do(openSale, 200)(s)
	item("1", "10.00")(s)
	if rapid.Bool().Draw(t, "asks") {
		for range rapid.IntRange(0, 2).Draw(t, "busy at the question") {
			do(ask, 503, busy)(s)
		}
		if rapid.IntRange(0, 9).Draw(t, "leaves") == 0 {
			do(cancel, 200)(s)
			return
		}
		do(ask, rapid.SampledFrom([]int{200, 409}).Draw(t, "answered"), took(40*time.Second))(s)
	}
	*count++
	reference := strconv.Itoa(*count)
	for {
		switch rapid.IntRange(0, 9).Draw(t, "payment") {
		case 0:
			attempt(reference, "10.00", 503, busy)(s)
		case 1:
			attempt(reference, "10.00", 503, background)(s)
		case 2:
			attempt(reference, "10.00", 0, hungUp(70*time.Second))(s)
			if honestSearch(t, s, reference) {
				closing("10.00", "10.00", "0")(s)
				return
			}
		case 3:
			paid(reference, "10.00", cut)(s)
			looks(reference, 200, told("approved", "10.00"))(s)
			closing("10.00", "10.00", "0")(s)
			return
		case 4:
			attempt(reference, "10.00", 403)(s)
			do(cancel, 200)(s)
			return
		case 5:
			attempt(reference, "10.00", 403)(s)
			closing("10.00", "0", "20.00")(s)
			return
		case 7:
			attempt(reference, "10.00", 503, rapid.SampledFrom([]detail{busy, background}).Draw(t, "refused"))(s)
			if rapid.Bool().Draw(t, "cash") {
				closing("10.00", "0", "10.00")(s)
			} else {
				do(cancel, 200)(s)
			}
			return
		case 8:
			attempt(reference, "10.00", 503, unknown)(s)
			looks(reference, 200, told("pending", "10.00"))(s)
			do(cancel, 200)(s)
			return
		case 6:
			paid(reference, "10.00")(s)
			closing("10.00", "10.00", "0")(s)
			honestReturn(t, s, reference)
			return
		case 9:
			attempt(reference, "10.00", 403, took(30*time.Second))(s)
			meanwhile(s)
			do(callOff, 202, ref(reference))(s)
			s.clock = s.clock.Add(time.Minute)
			do(cancel, 200)(s)
			return
		}
	}
}

// honestReturn gives parts of a payment back, each under a name of its own.
func honestReturn(t *rapid.T, s *story, reference string) {
	for n := range rapid.IntRange(0, 2).Draw(t, "parts") {
		id := strconv.Itoa(n)
		for range rapid.IntRange(0, 2).Draw(t, "busy at the part") {
			part(reference, "2.00", id, 503, busy)(s)
		}
		if rapid.Bool().Draw(t, "lost") {
			part(reference, "2.00", id, 200, cut)(s)
		}
		part(reference, "2.00", id, 200, back("approved", "10.00", []string{"2.00", "4.00"}[n]))(s)
	}
}

// honestSearch looks for a lost answer; true: it was approved.
func honestSearch(t *rapid.T, s *story, reference string) bool {
	for range rapid.IntRange(0, 3).Draw(t, "pending") {
		looks(reference, 200, told("pending", "10.00"))(s)
	}
	if rapid.Bool().Draw(t, "approved") {
		looks(reference, 200, told("approved", "10.00"))(s)
		return true
	}
	looks(reference, 404)(s)
	return false
}

// Nothing a caller can do confuses the referee.
func TestAnythingIsJudged(t *testing.T) {
	routes := []string{pay, reverse, callOff, "GET /operation", lookUp, list, openSale, seeSale, addItem, finalize, cancel, ask, askForm, "POST /print/xml", "GET /status", ""}
	rapid.Check(t, func(t *rapid.T) {
		s := tell()
		for range rapid.IntRange(0, 30).Draw(t, "requests") {
			details := []detail{ref(rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "reference")), charging("10.00")}
			for _, d := range []detail{cut, anonymous, hungUp(time.Second), hungUp(time.Minute), busy, unknown, used, active, told("approved", "10.00"), told("pending", "1.00")} {
				if rapid.IntRange(0, 9).Draw(t, "so") == 0 {
					details = append(details, d)
				}
			}
			if rapid.Bool().Draw(t, "of a part") {
				id := rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "reversal id")
				details = append(details, func(x *Exchange) { x.Part, x.PartID = &x.Charge.Amount, id })
			}
			if rapid.Bool().Draw(t, "seen") {
				details = append(details, func(x *Exchange) { x.Sale = &Sale{} })
			}
			do(rapid.SampledFrom(routes).Draw(t, "route"), rapid.SampledFrom([]int{0, 200, 202, 400, 401, 403, 404, 409, 500, 503}).Draw(t, "status"), details...)(s)
		}
		for _, f := range Judge(Watch{Exchanges: s.all, End: s.clock}) {
			if f.Request < 1 && f.Rule != NothingTested || f.Request > len(s.all) || f.What == "" || f.Rule.Words().Title == "" {
				t.Fatalf("%+v", f)
			}
		}
	})
}
