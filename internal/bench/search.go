package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
	"github.com/maquininha/maquininha/internal/store"
)

// measureSearch holds the worst of some searches, in a log as large as the service lets it grow, against grep. Both
// have read everything once before, so neither waits for the disk.
func (b *bench) measureSearch() ([]figures.Row, error) {
	measure := fmt.Sprintf("GET /logs?search=, %s entries", figures.Thousands(b.entries))
	const goal = "> 1, faster"
	text := filepath.Join(b.dir, "service_logs.log")
	needles, err := b.fillBigLog(text)
	if err != nil {
		return nil, err
	}
	if _, err := exec.LookPath("grep"); err != nil {
		return []figures.Row{{Measure: measure, Value: "not measured", Against: "no grep here", Goal: goal}}, nil
	}
	service, err := b.service(b.bigLog)
	if err != nil {
		return nil, err
	}
	defer service.Stop() //nolint:errcheck // what it answered is counted already
	var worst figures.Row
	for _, n := range needles {
		found, err := figures.Duel(b.ctx, b.rounds,
			rateOf(10, func() error { return findWithService(service.Address, n.text) }),
			rateOf(1, func() error { return b.findWithGrep(text, n.text) }))
		if err != nil {
			return nil, fmt.Errorf("searching for %q: %w", n.text, err)
		}
		if worst.Ratio == 0 || found.Ratio < worst.Ratio {
			worst = figures.Row{
				Measure: measure, Value: figures.Milliseconds(found.First), Against: "grep -c: " + figures.Milliseconds(found.Second) + " (worst: " + n.kind + ")",
				Ratio: found.Ratio, Goal: goal, OK: found.Ratio > 1,
			}
		}
	}
	return []figures.Row{worst}, nil
}

// fillBigLog makes the data folder with the large log, and its lines for grep.
func (b *bench) fillBigLog(text string) (needles []needle, err error) {
	if b.bigLog, err = b.folder("big-log"); err != nil {
		return nil, err
	}
	main, err := store.Open(b.bigLog) // a log without the rest would be a folder that lost something
	if err != nil {
		return nil, err
	}
	if err := main.Close(); err != nil {
		return nil, err
	}
	return fillLog(b.ctx, b.bigLog, text, b.entries)
}

// rateOf measures n runs, one after the other.
func rateOf(n int, run func() error) func() (float64, error) {
	return func() (float64, error) {
		started := time.Now()
		for range n {
			if err := run(); err != nil {
				return 0, err
			}
		}
		return float64(n) / time.Since(started).Seconds(), nil
	}
}

// findWithService finds the one entry.
func findWithService(address, needle string) error {
	r, err := http.NewRequest("GET", "http://"+address+"/logs?search="+url.QueryEscape(needle), nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", rig.Authorization)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var found []struct{ Message, Details string }
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil {
		return err
	}
	if len(found) != 1 || !strings.Contains(found[0].Message+found[0].Details, needle) {
		return fmt.Errorf("the service found %d entries, not the one there is", len(found))
	}
	return nil
}

// findWithGrep finds the one line. Bytes instead of letters is what grep is fastest with.
func (b *bench) findWithGrep(file, needle string) error {
	cmd := exec.CommandContext(b.ctx, "grep", "-c", "-F", "-e", needle, file)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	count, err := cmd.Output()
	if err != nil {
		return err
	}
	if strings.TrimSpace(string(count)) != "1" {
		return errors.New("grep found " + strings.TrimSpace(string(count)) + " lines, not the one there is")
	}
	return nil
}
