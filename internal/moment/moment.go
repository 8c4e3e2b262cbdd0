// Package moment reads the dates and times that callers and people write: any form of ISO 8601.
package moment

import (
	"regexp"
	"strconv"
	"time"
)

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
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
	t := monday.AddDate(0, 0, (week-1)*7+day-1)
	gotYear, gotWeek := t.ISOWeek()
	return t, gotYear == year && gotWeek == week
}

// plusLost is an offset whose plus sign was not percent-encoded, and so arrived as a space.
var plusLost = regexp.MustCompile(`^(.+[0-9]) ([0-9]{2}:?(?:[0-9]{2})?)$`)

// Parse reads a date or date-time. As the end of a span, a date alone means the end of that day; the moment
// returned is the first one outside.
func Parse(text string, end bool) (t time.Time, ok bool) { return ParseIn(text, end, time.Local) }

// ParseIn reads a date or date-time as Parse does; one without a zone is of the zone given.
func ParseIn(text string, end bool, zone *time.Location) (t time.Time, ok bool) {
	if date, ok := parseDate(text); ok {
		year, month, day := date.Date()
		if end {
			day++
		}
		return DayStart(year, month, day, zone), true
	}
	for _, candidate := range []string{text, plusLost.ReplaceAllString(text, "$1+$2")} {
		for _, form := range timeForms {
			if t, err := time.ParseInLocation(form, candidate, zone); err == nil {
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

// parseDate reads a date alone, of no zone.
func parseDate(text string) (time.Time, bool) {
	for _, form := range dayForms {
		if t, err := time.Parse(form, text); err == nil {
			return t, true
		}
	}
	return weekDate(text)
}

// DayStart is the first moment of a day, which is not at zero hours where the clock is put forward then. A day goes on to the next one's.
func DayStart(year int, month time.Month, day int, zone *time.Location) time.Time {
	midnight := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	from := midnight.AddDate(0, 0, -2).In(zone) // no zone is as far from UTC
	for {
		_, offset := from.Zone()
		start := midnight.Add(-time.Duration(offset) * time.Second).In(zone)
		if start.Before(from) {
			start = from // the clock was put beyond zero hours
		}
		_, end := from.ZoneBounds()
		if end.IsZero() || start.Before(end) {
			return start
		}
		from = end
	}
}
