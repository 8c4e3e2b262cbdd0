package credentials

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/maquininha/maquininha/internal/waittest"
)

func TestOrigin(t *testing.T) {
	for address, want := range map[string]string{
		"10.0.0.7:1234": "10.0.0.7", "[::ffff:10.0.0.7]:9": "10.0.0.7", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64",
		"[2001:db8:1:2::ffff]:81": "2001:db8:1:2::/64", "[fe80::1%eth0]:5": "fe80::/64", "pipe": "pipe", "": "",
	} {
		if got := Origin(address); got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
}

// A flood that waits for its hashes must not stand before somebody else's first request.
func TestOriginsTakeTurns(t *testing.T) {
	var turns Turnstile
	var mu sync.Mutex
	var order []string
	if !turns.Enter(t.Context(), "first") {
		t.Fatal("an open turnstile")
	}
	var all sync.WaitGroup
	arrive := func(origin string) {
		waiting := func() int {
			turns.mu.Lock()
			defer turns.mu.Unlock()
			n := 0
			for _, line := range turns.waiting {
				n += len(line)
			}
			return n
		}
		before := waiting()
		all.Go(func() {
			if turns.Enter(t.Context(), origin) {
				mu.Lock()
				order = append(order, origin)
				mu.Unlock()
				turns.Leave()
			}
		})
		waittest.Until(t, origin+" in line", func() bool { return waiting() > before })
	}
	for range 50 {
		arrive("flood")
	}
	arrive("shop")
	turns.Leave()
	all.Wait()
	if len(order) != 51 || order[1] != "shop" {
		t.Errorf("the shop's turn did not come second: %v", order)
	}
	if !turns.Enter(t.Context(), "later") {
		t.Error("not free again")
	}
}

// Whoever hangs up gives its place away, also when the turn comes at that moment.
func TestTurnsOfThoseWhoLeft(t *testing.T) {
	var turns Turnstile
	for range 200 {
		if !turns.Enter(t.Context(), "a") {
			t.Fatal("not free")
		}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				if turns.Enter(ctx, fmt.Sprint(i%2)) {
					turns.Leave()
				}
			})
		}
		all.Go(cancel)
		turns.Leave()
		all.Wait()
	}
	if len(turns.waiting) != 0 || len(turns.round) != 0 || turns.taken {
		t.Errorf("left behind: %v %v %v", turns.waiting, turns.round, turns.taken)
	}
}

func TestAnOldPasswordIsHashedOnce(t *testing.T) {
	hash, _ := hash("new", bcrypt.MinCost)
	k, _ := FromHash("u", hash)
	k.Allows(t.Context(), "", "u", "old")
	if n := testing.AllocsPerRun(100, func() { k.Allows(t.Context(), "", "u", "old") }); n > 0 {
		t.Errorf("%v allocations: the old password is hashed again and again", n)
	}
	for i := range 1000 {
		k.right.Load().wrong.add(digest{byte(i), byte(i >> 8), 1})
	}
	if n := len(k.right.Load().wrong.kept); n > 256 {
		t.Errorf("%d wrong pairs are remembered", n)
	}
	if !k.Allows(t.Context(), "", "u", "new") {
		t.Error("the right pair is refused")
	}
}

func TestGeneratedPasswordsNeedNoSlowHash(t *testing.T) {
	password := Generate()
	one, two := HashGenerated(password), HashGenerated(password)
	if one == two || !Fits(one, password) || Fits(one, password+"x") || Fits(one, "") || Fits(generatedMark, "") {
		t.Error("a generated password and its hash do not go together")
	}
	k, err := FromHash("u", one)
	if err != nil {
		t.Fatal(err)
	}
	if k.Allows(t.Context(), "", "u", "x") || k.Allows(t.Context(), "", "x", password) || !k.Allows(t.Context(), "", "u", password) {
		t.Error("the keeper does not go with it")
	}
}

// A thousand connections of one origin guess no faster than a few, and hold up nobody else, nor who knows the password.
func TestWaitsOfOneOriginAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a Attempts
		for range freeWrongs {
			a.Wrong("10.0.0.7:1")
		}
		began := time.Now()
		const many = 1500
		answers := make(chan time.Duration, many)
		for i := range many {
			go func() {
				time.Sleep(a.Wrong(fmt.Sprintf("10.0.0.7:%d", i)))
				answers <- time.Since(began)
			}()
		}
		synctest.Wait()
		if wait := a.Wrong("10.0.0.8:1"); wait != 0 {
			t.Errorf("another origin waits %v", wait)
		}
		keeper := FromPassword("u", "right")
		if !keeper.Allows(t.Context(), "10.0.0.7:9", "u", "right") || time.Since(began) != 0 {
			t.Errorf("the right pair was refused, or took %v", time.Since(began))
		}
		for n := range many {
			want := min(wrongWait+time.Duration(n)*wrongPace, longestWait)
			if got := <-answers; got != want {
				t.Fatalf("answer %d came after %v, want %v", n+1, got, want)
			}
		}
		if wait := a.Wrong("10.0.0.7:1"); wait != wrongWait {
			t.Errorf("when all have their answer, the next one waits %v", wait)
		}
	})
}

func TestAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a Attempts
		for range freeWrongs {
			if a.Wrong("10.0.0.7:1") != 0 {
				t.Fatal("a person is kept waiting")
			}
		}
		for range 10_000 {
			if a.Wrong("10.0.0.7:2") < wrongWait {
				t.Fatal("a flood is not slowed")
			}
		}
		if a.Wrong("10.0.0.8:1") != 0 {
			t.Error("another address is slowed")
		}
		time.Sleep(longestWait + (freeWrongs+1)*wrongWait)
		if a.Wrong("10.0.0.7:3") != 0 {
			t.Error("nothing is ever forgiven")
		}
		for range freeNotes {
			if worth, _ := a.Note("10.0.0.9:1"); !worth {
				t.Fatal("not noted")
			}
		}
		for range 500 {
			if worth, _ := a.Note("10.0.0.9:1"); worth {
				t.Fatal("the log is flooded")
			}
		}
		time.Sleep(2 * wrongWait)
		if worth, before := a.Note("10.0.0.9:1"); !worth || before != 500 {
			t.Errorf("after a flood: %v, %d", worth, before)
		}
		for i := range 5000 {
			a.Wrong(fmt.Sprintf("10.1.%d.%d:1", i/256, i%256))
			time.Sleep(time.Nanosecond)
		}
		if len(a.from) > mostOrigins {
			t.Errorf("%d addresses are remembered", len(a.from))
		}
	})
}
