package printer

import (
	"bytes"
	"context"
	"errors"
	"os"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
)

// Condition is how a printer is that was looked at and is well.
type Condition struct {
	Reports bool         // it says how it is; one that can't is well as far as anybody knows
	Said    string       // what it says that it is; empty: nothing
	Model   escpos.Model // which that is; zero: nobody knows
	Follows bool         // prints know it too, and follow it where nothing else is said
}

// Look reaches for the printer and asks how it is, without printing.
func (t *Thermal) Look(ctx context.Context) (Condition, error) {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return Condition{}, ctx.Err()
	}
	started := time.Now()
	line, err := t.open(ctx)
	if err != nil {
		return Condition{}, failed(ctx, err)
	}
	c, err := t.look(ctx, line, started)
	if err != nil {
		line.drop()
		return c, err
	}
	return c, line.close()
}

func (t *Thermal) look(ctx context.Context, l line, started time.Time) (c Condition, err error) {
	if who, ok := l.(identified); ok {
		c.Said = who.identity().Text
		c.Model, c.Follows = escpos.Recognise(who.identity())
	}
	o, err := t.options.reached(l)
	if err != nil {
		return c, err
	}
	s := t.begin(ctx, l, o.of("").Dialect, started)
	if _, err := s.Write(s.dialect.Prelude); err != nil {
		return c, err
	}
	err = s.ready()
	if c.Reports = s.reports; err != nil {
		return c, err
	}
	if c.Reports && c.Said == "" {
		if c.Said, err = s.whoAreYou(); err != nil {
			return c, err
		}
		c.Model, _ = escpos.Recognise(escpos.Identity{Text: c.Said})
	}
	_, err = s.Write(s.dialect.End)
	return c, err
}

// whoAreYou asks a printer that answers for its model.
func (s *session) whoAreYou() (string, error) {
	if s.dialect.Identify == nil {
		return "", nil
	}
	if _, err := s.Write(s.dialect.Identify); err != nil {
		return "", err
	}
	const longest = 80
	var said, b []byte
	b = make([]byte, 1)
	for until := time.Now().Add(s.pace.answer); time.Now().Before(until) && len(said) < longest; {
		n, err := s.line.read(b, min(pollInterval, time.Until(until)))
		if n == 0 && err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		if said = append(said, b[:n]...); n > 0 && b[0] == 0 {
			break
		}
	}
	// One that does not know the question may keep a letter of it, which the next print must not find.
	if _, err := s.Write(s.dialect.Begin); err != nil {
		return "", err
	}
	_, text, begun := bytes.Cut(said, []byte("_"))
	text, ended := bytes.CutSuffix(text, []byte{0})
	if !begun || !ended {
		return "", nil
	}
	return string(text), nil
}
