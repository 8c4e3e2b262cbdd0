package tunnel

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// piece is one that a terminal sends.
func piece(text string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(text))), text...)
}

// News comes between the pieces of whatever is being sent, which loses nothing by it; it is looked at though it came before anybody looked.
func TestNewsBesideALongAnswer(t *testing.T) {
	t.Parallel()
	part := bytes.Repeat([]byte("0123456789abcdef"), 4<<10)
	const parts = 64
	tells := make(chan func(), 1)
	_, c, _, _ := connected(t, func(w http.ResponseWriter, _ *http.Request) {
		tell := <-tells
		for range parts {
			w.Write(part) //nolint:errcheck // it would show
			tell()
		}
	}, Options{News: func(ctx context.Context, tell func()) {
		tell()
		tells <- tell
		<-ctx.Done()
	}})
	var looks atomic.Int64
	resp, err := ask(t, t.Context(), c, http.MethodGet, "/", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.OnNews(func() error {
		looks.Add(1)
		return nil
	})
	waittest.Until(t, "the first news is looked at", func() bool { return looks.Load() > 0 })
	if got, err := io.ReadAll(resp.Body); err != nil || !bytes.Equal(got, bytes.Repeat(part, parts)) {
		t.Errorf("%d bytes of %d: %v", len(got), parts*len(part), err)
	}
	waittest.Until(t, "there was more of it beside the answer", func() bool { return looks.Load() > 1 })
}

// One look at a time; what comes meanwhile is one more look, and what failed is looked at again.
func TestNewsIsLookedAtOneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var n news
		var under, looks, fails atomic.Int64
		look := func() error {
			if under.Add(1) != 1 {
				t.Error("two look at once")
			}
			time.Sleep(time.Second)
			under.Add(-1)
			if looks.Add(1) <= fails.Load() {
				return errors.New("not now")
			}
			return nil
		}
		for _, c := range []struct {
			name              string
			come, fails, want int64
		}{
			{"one before anybody looks", 1, 0, 1},
			{"one", 1, 0, 1},
			{"ten, of which the first is being looked at", 10, 0, 2},
			{"one that fails three times", 1, 3, 4},
		} {
			looks.Store(0)
			fails.Store(c.fails)
			for range c.come {
				n.come()
				synctest.Wait() // somebody looks at the first of them
			}
			n.lookWith(look)
			time.Sleep(time.Minute)
			if looks.Load() != c.want {
				t.Errorf("%s: %d looks, want %d", c.name, looks.Load(), c.want)
			}
		}
	})
}

// What is longer than a piece can be goes as several.
func TestLongWritesAreSeveralPieces(t *testing.T) {
	t.Parallel()
	inside, outside := net.Pipe()
	long := bytes.Repeat([]byte("x"), 200_000)
	go func() {
		defer outside.Close()
		if n, err := (&newsTeller{Conn: outside}).Write(long); n != len(long) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}()
	if got, err := io.ReadAll(&newsReader{Conn: inside, news: &news{}}); err != nil || !bytes.Equal(got, long) {
		t.Errorf("%d bytes of %d: %v", len(got), len(long), err)
	}
}

// Callers that hold all the requests open that they may leave room for the hub's own: it hears how the terminal is.
func TestCallersLeaveRoomForTheHub(t *testing.T) {
	t.Parallel()
	held := make(chan struct{}, mostRequests)
	_, c, _, _ := connected(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != PositionPath {
			held <- struct{}{}
			<-r.Context().Done()
		}
	}, Options{})
	waittest.Until(t, "the terminal has said how many requests it takes", func() bool { return c.client.Available() == mostRequests })
	ctx, cancel := context.WithCancel(t.Context())
	for range mostRequests - keptRequests {
		go func() {
			ask(t, ctx, c, http.MethodGet, "/held", nil) //nolint:errcheck // it has no answer
		}()
		waittest.Receive(t, "a request is held", held)
	}
	if _, err := ask(t, ctx, c, http.MethodGet, "/held", nil); !errors.Is(err, ErrNotSent) {
		t.Errorf("one more: %v", err)
	}
	if resp, err := ask(t, t.Context(), c, http.MethodGet, PositionPath, nil); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("the hub's own: %v, %v", resp, err)
	}
	cancel()
}

// asksOnNews has the hub ask for the position when it is told of news.
func asksOnNews(t *testing.T, c *Conn) {
	c.OnNews(func() error {
		if resp, err := ask(t, t.Context(), c, http.MethodGet, PositionPath, nil); err == nil {
			resp.Body.Close()
		}
		return nil
	})
}

// A terminal that stops while nothing is under way is gone at once, and one that answers something is gone after that.
func TestStopsWithoutAWait(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]time.Duration{"idle": 0, "with an answer under way": 2 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				inside, outside := net.Pipe()
				k := NewKeeper(Membership{}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(takes) }), Options{})
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					k.serve(ctx, outside)
				}()
				c, err := Host{}.newConn(inside, proof{Terminal: terminalID})
				if err != nil {
					t.Fatal(err)
				}
				asksOnNews(t, c)
				answered := make(chan error, 1)
				go func() {
					_, err := ask(t, t.Context(), c, http.MethodGet, "/", nil)
					answered <- err
				}()
				if time.Sleep(time.Second); takes == 0 {
					<-answered
				}
				began := time.Now()
				stop()
				<-ended
				if takes > 0 && <-answered != nil {
					t.Error("the answer was lost")
				}
				if took := time.Since(began); took > max(0, takes-time.Second)+100*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				<-c.Context().Done()
				time.Sleep(time.Minute) // whoever says farewell has done so
			})
		})
	}
}

// A terminal that stops in the moment in which its link comes up is gone at once, whether the link was served yet or not.
func TestStopsAsTheLinkComesUp(t *testing.T) {
	t.Parallel()
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			inside, outside := net.Pipe()
			go func() {
				if c, err := (Host{}).newConn(inside, proof{Terminal: terminalID}); err == nil {
					asksOnNews(t, c)
				}
			}()
			ctx, stop := context.WithCancel(t.Context())
			stop()
			began := time.Now()
			NewKeeper(Membership{}, http.NotFoundHandler(), Options{}).serve(ctx, outside)
			if took := time.Since(began); took > time.Second {
				t.Errorf("it took %v", took)
			}
			inside.Close()
			time.Sleep(time.Minute) // whoever says farewell has done so
		})
	}
}
