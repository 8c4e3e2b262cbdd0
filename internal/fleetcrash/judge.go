package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/store"
)

// judge lets all recover, gathers what each side says, and compares it.
func (c *campaign) judge(ctx context.Context) error {
	if err := c.each(func(s *shop) error {
		if err := s.calm(ctx); err != nil {
			return fmt.Errorf("shop %d: %w", s.number, err)
		}
		for _, o := range s.those(func(*order) bool { return true }) {
			if err := until(ctx, "a look at "+o.Reference, func() (bool, error) {
				a := s.look(ctx, o)
				return a.Status == 200 || a.Status == 404, nil
			}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	e := evidence{Kept: map[string]kept{}}
	if err := c.operations(ctx, &e); err != nil {
		return err
	}
	books, err := openBooks(ctx, c.hubs.all[0])
	if err != nil {
		return err
	}
	defer books.files.Close()
	for _, s := range c.shops {
		now, err := s.caughtUp(ctx, books)
		if err != nil {
			return fmt.Errorf("shop %d: %w", s.number, err)
		}
		s.past = append(s.past, now)
		e.Histories = append(e.Histories, s.past...)
		e.Complaints = append(e.Complaints, s.complaints...)
	}
	if err := c.hubs.stop(); err != nil {
		return err
	}
	findings, err := c.money(ctx, books, &e)
	if err != nil {
		return err
	}
	if err := e.gather(ctx, books); err != nil {
		return err
	}
	findings = append(findings, e.compare()...)
	c.figures.count(func(f *Figures) {
		f.Findings = append(f.Findings, findings...)
		e.measure(f)
	})
	return nil
}

// operations looks at all that ran by themselves.
func (c *campaign) operations(ctx context.Context, e *evidence) error {
	for _, state := range []string{"waiting", "running"} {
		var all []struct{ ID, Terminal, Method, Path string }
		if err := c.hubs.read(ctx, "GET", "/api/v1/operations?state="+state, nil, &all); err != nil {
			return err
		}
		for _, o := range all {
			e.Running = append(e.Running, fmt.Sprintf("%s at %s is %s: %s %s", o.ID, o.Terminal, state, o.Method, o.Path))
		}
	}
	for _, s := range c.shops {
		for _, at := range s.operations {
			a := c.hubs.ask(ctx, counter.Patience, "GET", at, nil)
			var o struct{ State string }
			if json.Unmarshal(a.body, &o) != nil || o.State != "done" && o.State != "broken" {
				e.Running = append(e.Running, fmt.Sprintf("%s: %d %s", at, a.status, a.body))
			}
			c.figures.Operations++
		}
	}
	return nil
}

// caughtUp waits until the hub has read all that the shop's terminal has recorded, stops it, and reads its data.
func (s *shop) caughtUp(ctx context.Context, books *hubBooks) (h history, err error) {
	log, err := s.allRead(ctx, books)
	if err != nil && !errors.Is(err, errPatience) { // what is missing is found then
		return h, err
	}
	if err := s.Close(); err != nil {
		return h, err
	}
	h, err = readHistory(s.ids(), s.Data())
	h.Current, h.Log = true, log
	return h, err
}

// allRead waits until the hub has read all that the terminal has recorded by now, and tells the last entry of the log.
func (s *shop) allRead(ctx context.Context, books *hubBooks) (log int64, err error) {
	logs, err := store.PeekLogs(s.Data())
	if err != nil {
		return 0, err
	}
	log = logs.Last()
	logs.Close()
	h, err := readHistory(s.ids(), s.Data())
	if err != nil {
		return 0, err
	}
	last := int64(0)
	if n := len(h.Lines); n > 0 {
		last = h.Lines[n-1].Number
	}
	return log, until(ctx, "the hub has all records", func() (bool, error) {
		_, ledger, read, err := books.reached(ctx, h)
		return err == nil && ledger >= last && read >= log, nil // the database may be away for the moment
	})
}

// gather reads what the hub has of the histories, and of the epochs that they are copies of.
func (e *evidence) gather(ctx context.Context, books *hubBooks) (err error) {
	for _, h := range e.Histories {
		for _, o := range append([]records.Origin{{Epoch: h.Epoch}}, h.Origins...) {
			of := o.Epoch
			if _, known := e.Kept[of]; known && o.Epoch != h.Epoch {
				continue
			}
			asked := h
			if o.Epoch != h.Epoch {
				asked = history{Terminals: h.Terminals, Epoch: o.Epoch}
			}
			if e.Kept[of], err = books.read(ctx, asked); err != nil {
				return err
			}
		}
	}
	return nil
}

// money compares what callers were told, the ledgers and the other sides, as at every counter; but the hub is asked how a reference
// stands, since data were lost.
func (c *campaign) money(ctx context.Context, books *hubBooks, all *evidence) (findings []counter.Finding, err error) {
	for _, s := range c.shops {
		e := counter.Evidence{Answers: map[string]counter.Answer{}, Attempts: union(s.past)}
		for _, o := range s.orders {
			e.Sales = append(e.Sales, o.Sale)
			t := told{Sale: o.Sale}
			t.Rows, _, err = books.desk.Transactions(ctx, books.scope, records.TransactionFilter{Reference: o.Reference}, records.Mark{}, 0)
			if err != nil {
				return nil, err
			}
			all.Told = append(all.Told, t)
			if e.Answers[o.Reference], err = books.answer(ctx, s.ids(), o.Reference); err != nil {
				return nil, err
			}
		}
		if err := s.Charged(&e); err != nil {
			return nil, err
		}
		for _, f := range e.Compare() {
			f.Text = fmt.Sprintf("shop %d: %s", s.number, f.Text)
			findings = append(findings, f)
		}
		c.figures.count(func(f *Figures) {
			f.Attempts += len(e.Attempts)
			f.Charges += len(e.Charges)
			for _, x := range e.Charges {
				if x.Standing {
					f.Standing++
				}
			}
		})
	}
	return findings, nil
}

// answer is what the hub says of a reference: its newest attempt, under whichever id of the terminal it was begun.
func (b *hubBooks) answer(ctx context.Context, ids []string, reference string) (counter.Answer, error) {
	said, newest := counter.Answer{Status: 404}, time.Time{}
	for _, id := range ids {
		found, err := b.desk.Find(ctx, b.scope, id, reference)
		switch {
		case errors.Is(err, records.ErrNotFound):
		case err != nil:
			return said, err
		case found.CreatedAt.After(newest):
			said, newest = counter.ReadAnswer(200, found.Answer), found.CreatedAt
		}
	}
	return said, nil
}

// union are the attempts of all data that a shop has had, each once, as it went furthest, with numbers of their own.
func union(of []history) (all []counter.Attempt) {
	at := map[string]int{}
	for _, h := range of {
		for _, a := range h.Attempts {
			key := fmt.Sprint(a.CreatedAt.UnixNano(), url.PathEscape(a.Request.Reference))
			i, known := at[key]
			if !known {
				at[key], i = len(all), len(all)
				all = append(all, a)
			}
			if len(a.History) > len(all[i].History) {
				all[i] = a
			}
			all[i].ID = int64(i + 1)
		}
	}
	return all
}

// measure counts what was compared.
func (e evidence) measure(f *Figures) {
	for _, h := range e.Histories {
		k := e.Kept[h.Epoch]
		f.Epochs++
		for _, l := range h.Lines {
			if l.Number <= k.Ledger {
				f.Lines++
			} else {
				f.NeverRead++
			}
		}
		f.Entries += len(k.Entries)
		f.Gaps += len(k.Gaps)
	}
}
