//go:build unix && (!race || everything)

package store

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/thorough"
)

// killedFolder tells the test's other process where to work.
const killedFolder = "MAQUININHA_TEST_KILLED_FOLDER"

// Wherever a process is killed, at work, opening or closing, its mark raises no false alarm, and the history stays the same; and once
// its log is taken away, what it had acknowledged is missed.
func TestKillsRaiseNoFalseAlarm(t *testing.T) {
	if dir := os.Getenv(killedFolder); dir != "" {
		workUntilKilled(t, dir)
		return
	}
	if testing.Short() {
		t.Skip("starts other processes")
	}
	t.Parallel()
	dir := t.TempDir()
	lost, epoch := 0, ""
	for round := range thorough.Rounds(40, 500) {
		acknowledged := killAtWork(t, dir)
		path := filepath.Join(dir, MainFile)
		r, err := OpenReader(dir)
		if err != nil {
			if !errors.Is(err, ErrNoData) && !errors.Is(err, ErrOlder) {
				t.Fatalf("round %d: the reader says %v", round, err)
			}
		} else {
			must(t, r.Close())
		}
		if round%4 == 3 && size(path+"-wal") > 0 {
			copied := t.TempDir()
			for _, suffix := range []string{"", markSuffix} {
				data, err := os.ReadFile(path + suffix)
				must(t, err, os.WriteFile(filepath.Join(copied, MainFile+suffix), data, 0o600))
			}
			_, err := Open(copied)
			if s, is := err, errors.Is(err, ErrLost); acknowledged && !is {
				t.Fatalf("round %d: without its log: %v", round, s)
			} else if is {
				lost++
			}
		}
		s, err := Open(dir)
		must(t, err, s.KeepEpoch())
		epochs, err := s.Epochs()
		must(t, err, s.Close())
		if epoch = cmp.Or(epoch, epochs[0].ID); epochs[0].ID != epoch {
			t.Fatalf("round %d: the history is another: %+v", round, epochs)
		}
	}
	if lost == 0 {
		t.Error("nobody was killed with anything in the log")
	}
}

// killAtWork starts the other process and kills it at some moment. Acknowledged: it had kept something for good since it opened.
func killAtWork(t *testing.T, dir string) (acknowledged bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKillsRaiseNoFalseAlarm$")
	cmd.Env = append(os.Environ(), killedFolder+"="+dir)
	out, err := cmd.StdoutPipe()
	must(t, err, cmd.Start())
	lines := bufio.NewReader(out)
	last := ""
	for range rand.IntN(60) { // a line is a moment
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		last = line
	}
	must(t, cmd.Process.Kill())
	rest, _ := io.ReadAll(lines)
	_ = cmd.Wait() // it was killed
	for _, b := range [][]byte{[]byte(last), rest} {
		for line := range splitLines(b) {
			switch line {
			case "kept":
				acknowledged = true
			case "closing", "opening":
				acknowledged = false
			}
		}
	}
	return acknowledged
}

func splitLines(text []byte) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			i := 0
			for i < len(text) && text[i] != '\n' {
				i++
			}
			if i < len(text) && !yield(string(text[:i])) {
				return
			}
			text = text[min(i+1, len(text)):]
		}
	}
}

// workUntilKilled opens, writes with several hands and closes, over and over, and says so.
func workUntilKilled(t *testing.T, dir string) {
	for round := 0; ; round++ {
		fmt.Println("opening")
		s, err := Open(dir)
		if err != nil {
			fmt.Println("failed", err)
			t.Fatal(err)
		}
		must(t, s.KeepEpoch())
		fmt.Println("open")
		l, err := s.Ledger()
		must(t, err)
		sales := s.Sales()
		_, newest, err := sales.Load()
		must(t, err)
		var hands sync.WaitGroup
		for range 2 {
			hands.Go(func() {
				for n := range 5 {
					if _, err := l.Begin(begun(fmt.Sprint(round, n), payment.StateConfirmed)); err == nil {
						fmt.Println("kept")
					}
				}
			})
		}
		hands.Go(func() {
			for n := range int64(3) {
				number := newest + n + 1
				if sales.Append(sale.Opened{Sale: number, At: time.Now()}, sale.Closed{Sale: number, State: sale.Finalized, At: time.Now()})() == nil {
					fmt.Println("kept")
				}
			}
		})
		hands.Wait()
		fmt.Println("closing")
		must(t, s.Close())
	}
}
