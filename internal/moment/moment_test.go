package moment

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A date is one moment, and a span of it is not empty.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2026-11-15", "2026-319", "20261115T1030Z", "2026-W46-7", "2026W467", "2026-11-15T10:30:00.123-03:00", "2026-11-15 10:30 03:00", "0000-W01-1", "9999-W53-7", "2026-11-15T24:00", "", "T"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		begin, ok := Parse(text, false)
		end, also := Parse(text, true)
		if ok != also {
			t.Fatalf("%q is a moment as one end of a span only", text)
		}
		if !ok {
			return
		}
		if !begin.Before(end) || end.Sub(begin) > 26*time.Hour {
			t.Errorf("%q is from %v to %v", text, begin, end)
		}
	})
}

// A day goes from its first moment to that of the next, also where the clock leaves zero hours out or has them twice.
func TestDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, day, start, end string }{
		{"America/Sao_Paulo", "2026-11-15", "2026-11-15T00:00:00-03:00", "2026-11-16T00:00:00-03:00"},
		{"America/Santiago", "2026-09-05", "2026-09-05T00:00:00-04:00", "2026-09-06T01:00:00-03:00"},
		{"America/Santiago", "2026-09-06", "2026-09-06T01:00:00-03:00", "2026-09-07T00:00:00-03:00"},
		{"America/Santiago", "2026-249", "2026-09-06T01:00:00-03:00", "2026-09-07T00:00:00-03:00"},
		{"America/Santiago", "2026-W36-7", "2026-09-06T01:00:00-03:00", "2026-09-07T00:00:00-03:00"},
		{"America/Santiago", "2026-04-04", "2026-04-04T00:00:00-03:00", "2026-04-05T00:00:00-04:00"}, // has 23 hours twice
		{"America/Sao_Paulo", "2018-11-03", "2018-11-03T00:00:00-03:00", "2018-11-04T01:00:00-02:00"},
		{"America/Sao_Paulo", "2018-11-04", "2018-11-04T01:00:00-02:00", "2018-11-05T00:00:00-02:00"},
		{"Africa/Cairo", "2026-04-23", "2026-04-23T00:00:00+02:00", "2026-04-24T01:00:00+03:00"},
		{"Africa/Cairo", "2026-04-24", "2026-04-24T01:00:00+03:00", "2026-04-25T00:00:00+03:00"},
		{"America/Havana", "2026-11-01", "2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00"}, // zero hours twice
		{"America/Toronto", "1919-03-31", "1919-03-31T00:30:00-04:00", "1919-04-01T00:00:00-04:00"},
		{"Pacific/Apia", "2011-12-29", "2011-12-29T00:00:00-10:00", "2011-12-31T00:00:00+14:00"}, // there was no 30th
		{"Pacific/Kiritimati", "2026-01-01", "2026-01-01T00:00:00+14:00", "2026-01-02T00:00:00+14:00"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		start, ok := ParseIn(c.day, false, zone)
		end, also := ParseIn(c.day, true, zone)
		if !ok || !also || start.Format(time.RFC3339) != c.start || end.Format(time.RFC3339) != c.end {
			t.Errorf("%s in %s is from %s to %s, want from %s to %s", c.day, c.zone, start.Format(time.RFC3339), end.Format(time.RFC3339), c.start, c.end)
		}
	}
}

// Every name of IANA's is a zone, and no other file that systems have beside them.
func TestZones(t *testing.T) {
	t.Parallel()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	all, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	for _, f := range all.File {
		if zone, ok := Zone(f.Name); ok == (f.Name == "Factory") && !strings.HasSuffix(f.Name, "/") || ok && zone.String() != f.Name {
			t.Errorf("%s is a zone: %v", f.Name, ok)
		}
	}
	for _, name := range []string{"", "Local", "right/UTC", "right/America/Sao_Paulo", "posix/UTC", "posixrules", "localtime", "Factory", "Etc", "America", "America/", "America/../right/UTC", "/etc/localtime", "utc", "Marte/Base"} {
		if _, ok := Zone(name); ok {
			t.Errorf("%q is taken for a zone", name)
		}
	}
}

func TestZoneNames(t *testing.T) {
	t.Parallel()
	manaus, _ := Zone("America/Manaus")
	for want, zone := range map[string]*time.Location{"America/Manaus": manaus, "UTC": time.UTC, "UTC-04:00": time.FixedZone("", -4*3600), LocalZone(): time.Local} {
		if got := ZoneName(zone); got != want || got == "Local" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
