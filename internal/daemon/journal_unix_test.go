//go:build !windows

package daemon

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/logbook"
)

func TestAnEntryIsALineOfTheJournal(t *testing.T) {
	var out bytes.Buffer
	write := toJournal(&out)
	for _, level := range []logbook.Level{logbook.Fatal, logbook.Error, logbook.Warning, logbook.Info, logbook.Trace, logbook.Path, logbook.Debug} {
		if err := write(logbook.Entry{Level: level, Source: logbook.HTTP, Message: "duas\nlinhas", Details: "a\nb"}); err != nil {
			t.Fatal(err)
		}
	}
	want := ""
	for _, n := range []int{2, 3, 4, 6, 7, 7, 7} {
		want += fmt.Sprintf("<%d>http duas\\nlinhas | a\\nb\n", n)
	}
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	if err := write(logbook.Entry{Level: logbook.Info, Source: logbook.App, Message: "x", Details: strings.Repeat("ç", longestLine)}); err != nil {
		t.Fatal(err)
	}
	if out.Len() > longestLine+8 || !utf8.Valid(out.Bytes()) || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("%d bytes, %.40q", out.Len(), out.String())
	}
}

func TestASaleNeverWaitsForTheSystemsLog(t *testing.T) {
	// The last words have two seconds, of virtual time: no busy machine cuts them short.
	synctest.Test(t, fillLog)
}

func fillLog(t *testing.T) {
	reading, written := make(chan struct{}), []string{}
	l := newLog(func(e logbook.Entry) error {
		<-reading
		written = append(written, e.Message)
		return nil
	})
	const more = 10
	for n := range backlog + more + 1 { // one may be on its way already
		l.Add(logbook.Entry{Message: fmt.Sprint(n)})
	}
	close(reading)
	l.Close()
	// The first one read says how many found no room, or the one after it, where the first was under way.
	all := strings.Join(written, "\n")
	if !strings.Contains(all, "entradas não couberam aqui") {
		t.Errorf("nothing said of those dropped, among %d entries", len(written))
	}
	if len(written) < backlog+1 {
		t.Errorf("%d entries written", len(written))
	}
	var nobody *Log
	nobody.Add(logbook.Entry{})
	nobody.Close()
}

func TestOnlyOurOwnStreamIsTheJournal(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var s syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &s); err != nil {
		t.Fatal(err)
	}
	for stream, want := range map[string]bool{fmt.Sprintf("%d:%d", s.Dev, s.Ino): true, fmt.Sprintf("%d:%d", s.Dev, s.Ino+1): false, "": false} {
		if got := inJournal(f, stream); got != want {
			t.Errorf("%q: %v", stream, got)
		}
	}
}
