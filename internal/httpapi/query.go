package httpapi

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"
)

// query is the part of the address behind the question mark.
type query struct{ url.Values }

func readQuery(r *http.Request) (query, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return query{}, invalid("", "parâmetros da URL malformados")
	}
	return query{values}, nil
}

// maxListed is the most that one answer lists.
const maxListed = 100_000

func (q query) limit(otherwise int) (int, error) {
	if !q.Has("limit") {
		return otherwise, nil
	}
	n, err := strconv.Atoi(q.Get("limit"))
	if err != nil || n < 1 || n > maxListed {
		return 0, invalid("limit", "deve ser um número inteiro entre 1 e "+strconv.Itoa(maxListed))
	}
	return n, nil
}

func (q query) flag(name string, otherwise bool) (bool, error) {
	switch q.Get(name) {
	case "":
		return otherwise, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, invalid(name, "deve ser true ou false")
}

// The forms of ISO 8601: extended and basic, calendar dates and days of the year, to the hour, minute or second
// with any fraction; weekDate has one more. A time without a zone is the device's.
var dayForms, timeForms = isoForms()

func isoForms() (days, times []string) {
	for _, form := range []struct {
		days, times []string
	}{
		{[]string{"2006-01-02", "2006-002"}, []string{"15:04:05", "15:04", "15"}},
		{[]string{"20060102", "2006002"}, []string{"150405", "1504", "15"}},
	} {
		days = append(days, form.days...)
		for _, day := range form.days {
			for _, clock := range form.times {
				for _, zone := range []string{"", "Z07:00", "Z0700", "Z07"} {
					times = append(times, day+"T"+clock+zone, day+" "+clock+zone)
				}
			}
		}
	}
	return days, times
}

var weekForm = regexp.MustCompile(`^([0-9]{4})-?W([0-9]{2})-?([1-7])$`)

// weekDate reads a day by its week. The first week of a year is the one with January 4th in it.
func weekDate(text string) (time.Time, bool) {
	m := weekForm.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, false
	}
	year, _ := strconv.Atoi(m[1])
	week, _ := strconv.Atoi(m[2])
	day, _ := strconv.Atoi(m[3])
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.Local)
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
	t := monday.AddDate(0, 0, (week-1)*7+day-1)
	gotYear, gotWeek := t.ISOWeek()
	return t, gotYear == year && gotWeek == week
}

// plusLost is an offset whose plus sign was not percent-encoded, and so arrived as a space.
var plusLost = regexp.MustCompile(`^(.+[0-9]) ([0-9]{2}:?(?:[0-9]{2})?)$`)

// moment reads a parameter as Moment does.
func (q query) moment(name string, end bool) (time.Time, error) {
	text := q.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	t, ok := Moment(text, end)
	if !ok {
		return t, invalid(name, "não é uma data ISO 8601")
	}
	return t, nil
}

// Moment reads a date or date-time. As the end of a span, a date alone means the end of that day; the moment
// returned is the first one outside.
func Moment(text string, end bool) (t time.Time, ok bool) {
	for _, form := range dayForms {
		if t, err := time.ParseInLocation(form, text, time.Local); err == nil {
			return day(t, end), true
		}
	}
	if t, ok := weekDate(text); ok {
		return day(t, end), true
	}
	for _, candidate := range []string{text, plusLost.ReplaceAllString(text, "$1+$2")} {
		for _, form := range timeForms {
			if t, err := time.ParseInLocation(form, candidate, time.Local); err == nil {
				if end {
					// Times are shown to the millisecond: the one named is inside.
					t = t.Truncate(time.Millisecond).Add(time.Millisecond)
				}
				return t, true
			}
		}
	}
	return time.Time{}, false
}

// day is where a day begins, or ends.
func day(t time.Time, end bool) time.Time {
	if end {
		return t.AddDate(0, 0, 1)
	}
	return t
}
