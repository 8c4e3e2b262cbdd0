package credentials

import (
	"encoding/base64"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/bcrypt"
)

func TestKeepers(t *testing.T) {
	long := strings.Repeat("ç", 100)
	for _, password := range []string{"segredo", "", "põe-ção ☕", long} {
		hash, err := hash(password, bcrypt.MinCost)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(hash, password) && password != "" {
			t.Fatal("the hash holds the password")
		}
		hashed, err := FromHash("admin", hash)
		if err != nil {
			t.Fatal(err)
		}
		for name, k := range map[string]*Keeper{"hash": hashed, "password": FromPassword("admin", password)} {
			// Twice: before and after the right pair is known.
			for range 2 {
				for _, wrong := range [][2]string{{"admin", password + "x"}, {"Admin", password}, {"", ""}, {"admi", "n" + password}, {"admin", long + "y"}} {
					if k.Allows(t.Context(), "", wrong[0], wrong[1]) {
						t.Errorf("%s: %q let in", name, wrong)
					}
				}
				if !k.Allows(t.Context(), "", "admin", password) {
					t.Errorf("%s: right pair refused", name)
				}
			}
		}
	}
	if _, err := FromHash("admin", "not a hash"); err == nil {
		t.Error("a damaged hash was taken")
	}
}

func TestGenerateIsNewEachTime(t *testing.T) {
	a, b := Generate(), Generate()
	if a == b || len(a) != 23 {
		t.Errorf("%q, %q", a, b)
	}
}

func TestOnlyTheFirstPays(t *testing.T) {
	hash, _ := hash("x", bcrypt.MinCost)
	k, _ := FromHash("u", hash)
	if !k.Allows(t.Context(), "", "u", "x") {
		t.Fatal("refused")
	}
	if n := testing.AllocsPerRun(100, func() { k.Allows(t.Context(), "", "u", "x") }); n > 0 {
		t.Errorf("%v allocations a request: the hash is still paid for", n)
	}
}

func TestParallel(t *testing.T) {
	hash, _ := hash("x", bcrypt.MinCost)
	k, _ := FromHash("u", hash)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if got := k.Allows(t.Context(), "", "u", "x"); !got {
				t.Error("right refused")
			}
			if i == 0 && k.Allows(t.Context(), "", "u", "y") {
				t.Error("wrong let in")
			}
		})
	}
	wg.Wait()
}

func TestBecomingAnother(t *testing.T) {
	hash, _ := hash("new", bcrypt.MinCost)
	fresh, _ := FromHash("other", hash)
	for name, next := range map[string]*Keeper{"hash": fresh, "password": FromPassword("other", "new")} {
		k := FromPassword("u", "old")
		if !k.Allows(t.Context(), "", "u", "old") {
			t.Fatal("refused")
		}
		k.Become(next)
		if k.Allows(t.Context(), "", "u", "old") || k.Allows(t.Context(), "", "u", "new") || !k.Allows(t.Context(), "", "other", "new") {
			t.Errorf("%s: the change did not take", name)
		}
		if n := testing.AllocsPerRun(100, func() { k.Allows(t.Context(), "", "other", "new") }); n > 0 {
			t.Errorf("%s: %v allocations a request", name, n)
		}
	}
}

func TestHeaders(t *testing.T) {
	header := func(pair string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair)) }
	k := FromPassword("u", "x:y")
	right := header("u:x:y")
	// Twice: before and after the right header is known.
	for range 2 {
		for _, wrong := range []string{"", "Basic", "Basic ", "Basic !", "Bearer " + right[6:], right[:len(right)-1], right + " ", header("u:x"), header("u"), header("U:x:y"), header(":")} {
			if k.AllowsHeader(t.Context(), "", wrong) {
				t.Errorf("%q let in", wrong)
			}
		}
		for _, good := range []string{right, "bAsIc " + right[6:]} {
			if !k.AllowsHeader(t.Context(), "", good) {
				t.Errorf("%q refused", good)
			}
		}
		if !k.AllowsHeader(t.Context(), "", right) {
			t.Error("refused")
		}
	}
	if n := testing.AllocsPerRun(100, func() { k.AllowsHeader(t.Context(), "", right) }); n > 0 {
		t.Errorf("%v allocations a request", n)
	}
	k.Become(FromPassword("u", "new"))
	if k.AllowsHeader(t.Context(), "", right) || !k.AllowsHeader(t.Context(), "", header("u:new")) || k.AllowsHeader(t.Context(), "", right) {
		t.Error("the header of another password is still known")
	}
}

func TestFits(t *testing.T) {
	hash, _ := hash("1234", bcrypt.MinCost)
	if !Fits(hash, "1234") || Fits(hash, "1235") || Fits("", "1234") || Fits(hash, "") {
		t.Error("a secret and its hash do not go together")
	}
}
