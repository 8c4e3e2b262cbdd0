package logbook

import (
	"testing"
	"time"
)

func TestAppendLine(t *testing.T) {
	at := time.Date(2026, 11, 4, 2, 1, 22, 120e6, time.FixedZone("", -3*60*60))
	for _, c := range []struct {
		entry Entry
		want  string
	}{
		{
			Entry{Level: Info, Source: HTTP, Message: "POST /sale 200 1.4ms", At: at},
			"2026-11-04T02:01:22.120-03:00 INFO http POST /sale 200 1.4ms\n",
		},
		{
			Entry{Level: Warning, Source: App, Message: "duas\nlinhas", Details: "a=ção\r\nb=\tC:\\tmp\x1b[0m\x7f", At: at.UTC()},
			`2026-11-04T05:01:22.120Z WARNING app duas\nlinhas | a=ção\r\nb=\tC:\tmp\x1b[0m\x7f` + "\n",
		},
	} {
		if got := string(AppendLine(nil, c.entry)); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestKnown(t *testing.T) {
	for _, l := range []Level{Fatal, Error, Warning, Info, Trace, Path, Debug} {
		if !l.Known() {
			t.Errorf("level %q is unknown", l)
		}
	}
	for _, s := range []Source{App, Router, HTTP} {
		if !s.Known() {
			t.Errorf("source %q is unknown", s)
		}
	}
	if Level("").Known() || Level("INFO").Known() || Source("").Known() || Source("db").Known() {
		t.Error("knows what is not there")
	}
}
