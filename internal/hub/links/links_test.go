package links_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/tunnel"
)

func newLink(terminal string) *hubtest.Link { return hubtest.NewLink(terminal, nil) }

// attendant tells that it was called.
type attendant struct {
	looked, left chan links.Link
	link         links.Link
}

func (a attendant) Look() error { a.looked <- a.link; return nil }
func (a attendant) Leave()      { a.left <- a.link }

// Who watches sees each terminal come, speak, be replaced, and go, and the newest link is the one that counts.
func TestBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looked, left := make(chan links.Link, 10), make(chan links.Link, 10)
		b := links.New(func(_ context.Context, _ *links.Board, l links.Link) links.Attendant {
			return attendant{looked, left, l}
		})
		next := func(after uint64) (map[string]links.Presence, uint64) {
			t.Helper()
			changed, serial, err := b.Next(t.Context(), after)
			if err != nil {
				t.Fatal(err)
			}
			all := map[string]links.Presence{}
			for _, p := range changed {
				all[p.Terminal] = p
			}
			return all, serial
		}
		first, other := newLink("a"), newLink("b")
		b.Add(first)
		b.Add(other)
		all, serial := next(0)
		if !all["a"].Online || !all["b"].Online || b.Online() != 2 || <-looked == nil {
			t.Errorf("%+v", all)
		}

		go func() {
			time.Sleep(time.Second)
			b.Told(first, tunnel.State{Version: "2", Clock: time.Now().Add(time.Minute), Busy: true})
		}()
		all, serial = next(serial)
		if p := all["a"]; len(all) != 1 || !p.State.Busy || p.Version != "2" || p.ClockOff != time.Minute {
			t.Errorf("%+v", all)
		}

		second := newLink("a")
		b.Add(second)
		b.Told(first, tunnel.State{Version: "old"})
		b.CaughtUp(first, time.Now())
		if found, ok := b.Find("a"); !ok || found != links.Link(second) || !first.Closed() || b.Presence("a").Version == "old" || !b.Presence("a").Caught.IsZero() {
			t.Error("an older link counts")
		}
		synctest.Wait()
		if !b.Presence("a").Online {
			t.Error("the end of the older link took the newer one away")
		}
		if l := <-left; l != links.Link(first) {
			t.Errorf("who looked after %v was called off", l)
		}

		_, serial = next(serial)
		second.Close()
		if _, ok := b.Find("a"); ok {
			t.Error("a link that is over is found")
		}
		all, serial = next(serial)
		if p := all["a"]; p.Online || p.State.Busy {
			t.Errorf("%+v", p)
		}

		b.Drop("b")
		if all, _ = next(serial); all["b"].Online || !other.Closed() {
			t.Error("a terminal that was dropped is there")
		}
		b.Drop("nobody")
		waiting, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if _, _, err := b.Next(waiting, b.Serial()); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}

		last := newLink("c")
		b.Add(last)
		b.Close()
		late := newLink("d")
		b.Add(late)
		if !last.Closed() || !late.Closed() {
			t.Error("a closed board holds links")
		}
	})
}

// Terminals that hang at other hubs are shown, until they come here or go.
func TestElsewhere(t *testing.T) {
	b := links.New(nil)
	defer b.Close()
	since := time.Now().Add(-time.Hour)
	here := newLink("here")
	b.Add(here)
	b.Elsewhere(map[string]time.Time{"here": since, "there": since})
	if p := b.Presence("there"); !p.Online || !p.Since.Equal(since) || b.Online() != 1 || b.Presence("here").Since.Equal(since) {
		t.Errorf("%+v, %d links", p, b.Online())
	}
	if _, found := b.Find("there"); found {
		t.Error("there is no link to it here")
	}
	serial := b.Serial()
	b.Elsewhere(map[string]time.Time{"there": since})
	b.SeenElsewhere([]string{"here", "nobody"})
	if b.Serial() != serial {
		t.Error("nothing has changed, and watchers are woken")
	}
	b.SeenElsewhere([]string{"there"})
	changed, _, err := b.Next(t.Context(), serial)
	if err != nil || len(changed) != 1 || changed[0].Terminal != "there" {
		t.Error(changed, err)
	}
	b.Elsewhere(nil)
	if p := b.Presence("there"); p.Online || !b.Presence("here").Online {
		t.Errorf("%+v", p)
	}
	b.Elsewhere(map[string]time.Time{"there": since})
	b.Add(newLink("there"))
	b.Elsewhere(nil)
	if !b.Presence("there").Online || b.Online() != 2 {
		t.Error("a terminal that came here is gone")
	}
}
