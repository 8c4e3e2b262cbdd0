package tef

import (
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// moment is when a sale was made, as far as a manager tells: the day of the year, and the minute of the day. Both as digits, DDMM and hhmm;
// empty: not told.
type moment struct{ day, minute string }

// readMoment takes field 026: the day and the time of the sale that was cancelled, DDMMhhmmss, or with the year between them. What is
// neither is not told.
func readMoment(text string) moment {
	switch {
	case strings.Trim(text, "0123456789") != "":
	case len(text) == 10:
		return moment{text[:4], text[4:8]}
	case len(text) == 14:
		return moment{text[:4], text[8:12]}
	}
	return moment{}
}

// moment is the sale's own, of fields 022 and 023: DDMMAAAA or, at Elgin, MMDD; hhmmss or hhmm.
func (t token) moment() (m moment) {
	switch len(t.Date) {
	case 8:
		m.day = t.Date[:4]
	case 4:
		m.day = t.Date[2:] + t.Date[:2]
	}
	if len(t.Time) == 4 || len(t.Time) == 6 {
		m.minute = t.Time[:4]
	}
	return m
}

// clocksApart is how far the network's clock and the manager's may be from each other: by their time zones too.
const clocksApart = 2 * time.Hour

// like tells how much the moments speak for the same sale. Another day is another sale, and so is a time that is hours off; another minute
// need not be, since the network's clock and the manager's are two.
func (m moment) like(other moment) payment.Likeness {
	switch {
	case m.day == "" || other.day == "":
		return payment.Alike
	case m.day != other.day:
		return payment.Different
	case m.minute == "" || other.minute == "":
		return payment.Alike
	case m.minute == other.minute:
		return payment.Exact
	}
	then, err := time.Parse("1504", m.minute)
	sold, wrong := time.Parse("1504", other.minute)
	if err == nil && wrong == nil && then.Sub(sold).Abs() > clocksApart {
		return payment.Different
	}
	return payment.Alike
}
