// Package ledger has the commands that read what was paid, beside a service that runs or without one: transactions and closing.
package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/moment"
	"github.com/maquininha/maquininha/internal/store"
)

// read opens the data and its ledger for a report, and ends when the person interrupts it.
func read(ctx context.Context, place options.Place, report func(*store.Reader, *store.Ledger) error) error {
	folder, err := place.Folder()
	if err != nil {
		return err
	}
	reader, err := app.OpenReader(folder)
	if err != nil {
		return err
	}
	defer reader.Close()
	ledger, err := reader.Ledger()
	if err != nil {
		return err
	}
	err = report(reader, ledger)
	var wordy interface{ Words() string }
	switch {
	case ctx.Err() != nil:
		return errors.New("interrompido")
	case errors.As(err, &wordy):
		return errors.New(wordy.Words())
	}
	return err
}

// write puts a report on the standard output or into a file, but not over the data itself.
func write(place options.Place, path string, report func(io.Writer) error) error {
	path = cmp.Or(path, "-")
	folder, err := place.Folder()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if path != "-" && strings.Contains(e.Name(), ".db") && output.Same(path, filepath.Join(folder, e.Name())) {
			return errors.New("o resultado não pode tomar o lugar dos dados; escolha outro arquivo")
		}
	}
	return output.Put(path, report)
}

// Period chooses a span of time, by the device's clock.
type Period struct {
	Since     string `placeholder:"QUANDO" help:"A partir de quando: data ou data e hora ISO 8601, como 2026-11-15 ou 2026-11-15T18:30."`
	Until     string `placeholder:"QUANDO" help:"Até quando, como --since; uma data sozinha inclui o dia inteiro."`
	Today     bool   `help:"Só hoje."`
	Yesterday bool   `help:"Só ontem."`
}

// none tells that no span was chosen.
func (p Period) none() bool { return p == Period{} }

func (p Period) of(now time.Time) (closing.Period, error) {
	if p.Today || p.Yesterday {
		if p.Today && p.Yesterday || p.Since != "" || p.Until != "" {
			return closing.Period{}, errors.New("--today, --yesterday e --since/--until não valem juntos")
		}
		year, month, day := now.Date()
		if p.Yesterday {
			day--
		}
		return closing.Period{
			Since: moment.DayStart(year, month, day, now.Location()), Until: moment.DayStart(year, month, day+1, now.Location()),
		}, nil
	}
	since, err := momentOf("--since", p.Since, false)
	if err != nil {
		return closing.Period{}, err
	}
	until, err := momentOf("--until", p.Until, true)
	if err == nil && !until.IsZero() && !since.Before(until) {
		err = errors.New("--until é antes de --since")
	}
	return closing.Period{Since: since, Until: until}, err
}

func momentOf(flag, text string, end bool) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, ok := moment.Parse(text, end)
	if !ok {
		return t, fmt.Errorf("%s %q não é uma data ISO 8601, como 2026-11-15 ou 2026-11-15T18:30", flag, text)
	}
	return t, nil
}
