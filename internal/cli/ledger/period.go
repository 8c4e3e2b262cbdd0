package ledger

import (
	"errors"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/httpapi"
)

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
			Since: time.Date(year, month, day, 0, 0, 0, 0, now.Location()), Until: time.Date(year, month, day+1, 0, 0, 0, 0, now.Location()),
		}, nil
	}
	since, err := moment("--since", p.Since, false)
	if err != nil {
		return closing.Period{}, err
	}
	until, err := moment("--until", p.Until, true)
	if err == nil && !until.IsZero() && !since.Before(until) {
		err = errors.New("--until é antes de --since")
	}
	return closing.Period{Since: since, Until: until}, err
}

func moment(flag, text string, end bool) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, ok := httpapi.Moment(text, end)
	if !ok {
		return t, fmt.Errorf("%s %q não é uma data ISO 8601, como 2026-11-15 ou 2026-11-15T18:30", flag, text)
	}
	return t, nil
}
