package tunnel

import (
	"context"
	"crypto/ed25519"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// hole is a connection that can swallow what is written, as a network does that says nothing of it.
type hole struct {
	net.Conn
	swallows *atomic.Bool
}

func (h hole) Write(b []byte) (int, error) {
	if h.swallows.Load() {
		return len(b), nil
	}
	return h.Conn.Write(b)
}

// A link that has gone silent is noticed by both sides within 30 s, in virtual time; one that is merely idle stays.
func TestSilentLink(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m Membership
		h := newHost(t, func() (ed25519.PublicKey, error) { return publicOf(m.Key), nil })
		m = memberOf(t, h)
		silent := &atomic.Bool{}
		links := make(chan *Conn, 1)
		k := NewKeeper(m, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), Options{FirstPause: time.Hour, LongestPause: time.Hour})
		k.dial = func(ctx context.Context) (net.Conn, error) {
			if silent.Load() { // by chance the pause is over already: nobody would hear
				<-ctx.Done()
				return nil, ctx.Err()
			}
			inside, outside := net.Pipe()
			go func() {
				c, err := h.accept(ctx, hole{inside, silent})
				if err != nil {
					t.Error(err)
				}
				links <- c
			}()
			conn := hole{outside, silent}
			return conn, m.prove(conn, proof{Version: "1"})
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			k.Run(ctx)
		}()
		c := <-links
		time.Sleep(24 * time.Hour)
		if gone(c) || !k.State().Up {
			t.Fatalf("an idle link was given up: %+v", k.State())
		}
		silent.Store(true)
		time.Sleep(31 * time.Second)
		synctest.Wait()
		if s := k.State(); !gone(c) || s.Up || !errors.Is(s.Trouble, ErrBroken) {
			t.Errorf("a silent link after 31 s: %v, %+v", gone(c), s)
		}
		cancel()
		<-ended
	})
}

// Pauses grow to the longest, and chance shortens each, so that not all terminals come at once.
func TestPauses(t *testing.T) {
	t.Parallel()
	k := NewKeeper(Membership{}, nil, Options{})
	for failed, most := range []time.Duration{4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second} {
		var sum time.Duration
		for range 1000 {
			pause := k.pause(failed)
			if pause <= 0 || pause > most {
				t.Fatalf("after %d failures: %v", failed, pause)
			}
			sum += pause
		}
		if mean := sum / 1000; mean < most/3 || mean > most*2/3 {
			t.Errorf("after %d failures: %v on the average", failed, mean)
		}
	}
	if pause := k.pause(1000); pause > 30*time.Second {
		t.Errorf("after a thousand: %v", pause)
	}
}
