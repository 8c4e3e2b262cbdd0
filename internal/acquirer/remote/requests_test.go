package remote_test

import (
	"slices"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/store"
)

// TestRequestsAreFoundAsTheyWere, by another process too, until an operation begins that comes after them.
func TestRequestsAreFoundAsTheyWere(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 11, 17, 9, 0, 0, 123456789, time.UTC)
	open := func() (remote.Requests, func()) {
		files, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		ledger, err := files.Ledger()
		if err != nil {
			t.Fatal(err)
		}
		return remote.Requests{Name: "way", Book: ledger}, func() { files.Close() }
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	requests, closing := open()
	first := remote.Request{Key: "a", Path: "/orders", Body: []byte(`{"valor":"é \u0000 10.00"}`), At: at, Before: []string{"x"}}
	must(requests.Begin(first))
	other := remote.Requests{Name: "another way", Book: requests.Book}
	must(other.Begin(remote.Request{Key: "z", At: at}))
	known := first
	known.ID = "ORD1"
	must(requests.Keep(known))
	must(requests.Keep(known)) // once is enough
	closing()

	requests, closing = open()
	defer closing()
	got, found, err := requests.Find("a")
	if err != nil || !found || got.ID != "ORD1" || string(got.Body) != string(first.Body) || !got.At.Equal(at) || !slices.Equal(got.Before, first.Before) {
		t.Errorf("%+v, %v, %v", got, found, err)
	}
	must(requests.Begin(remote.Request{Key: "b", At: at}))
	if got, found, err := requests.Find("a"); err != nil || found {
		t.Errorf("%+v, %v, %v", got, found, err)
	}
	for _, way := range []struct {
		requests remote.Requests
		key      string
	}{{requests, "b"}, {remote.Requests{Name: "another way", Book: requests.Book}, "z"}} {
		if _, found, err := way.requests.Find(way.key); err != nil || !found {
			t.Errorf("%s: %v, %v", way.key, found, err)
		}
	}
}
