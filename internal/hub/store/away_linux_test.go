package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/waittest"
)

// PostgreSQL dies under commits, and comes back: whoever goes on from the cursor has each line once.
func TestPostgresDiesUnderCommits(t *testing.T) {
	cluster := hubtest.NewPostgres(t)
	cluster.Durable = true
	cluster.Start(t)
	h := &hub{address: cluster.Database(t)}
	h.open(t)
	const pages, each, deaths = 60, 5, 3
	ended := make(chan error, 1)
	committed := make(chan int64, pages)
	go func() {
		defer close(committed)
		var c records.Cursor
		for c.Number < pages*each {
			next, err := h.records.Commit(t.Context(), ledger(c.Number, each))
			switch {
			case t.Context().Err() != nil:
				ended <- t.Context().Err()
				return
			case err == nil:
				c = next
				committed <- c.Number
			default: // it may be committed or not: the cursor tells
				if kept, err := h.records.Cursor(t.Context(), "m1", epochA, records.Ledger); err == nil {
					c = kept
				}
			}
		}
		ended <- nil
	}()
	for range deaths {
		for range pages / 2 / deaths {
			waittest.Receive(t, "a commit", committed)
		}
		cluster.Signal(syscall.SIGQUIT)
		cluster.Start(t)
	}
	ok(t, waittest.Receive(t, "the end", ended))
	all := h.transactions(t, records.TransactionFilter{})
	same(t, "transactions", len(all), pages*each)
	for i, x := range all {
		same(t, "each once", x.Attempt, int64(len(all)-i))
	}
	// Why it can't be reached is said in one line, without the address.
	for address, want := range map[string]error{
		strings.Replace(h.address, "/hub", "/none", 1):           store.ErrNoDatabase,
		strings.Replace(h.address, "user=postgres", "user=x", 1): store.ErrLogin,
		"postgres://u:segredo@127.0.0.1:1/x":                     store.ErrNoServer,
	} {
		if err := store.PingAddress(t.Context(), address); !errors.Is(err, want) || strings.ContainsAny(err.Error(), "\n/") {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
}

// A caller hangs up while PostgreSQL commits what he began: he is told of a failure, and what he began is there.
func TestPostgresWritesWhatNobodyHears(t *testing.T) {
	cluster := hubtest.StartPostgres(t)
	h := &hub{address: cluster.Database(t)}
	h.open(t)
	db, err := sql.Open("pgx", h.address)
	ok(t, err)
	t.Cleanup(func() { db.Close() }) //nolint:errcheck // it is only asked
	do := func(statement string) {
		t.Helper()
		_, err := db.Exec(statement)
		ok(t, err)
	}
	// A commit waits for a second PostgreSQL, which never comes.
	do("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
	do("SELECT pg_reload_conf()")
	waiting := func(commits int) {
		t.Helper()
		waittest.Until(t, fmt.Sprint("commits that wait: ", commits), func() (so bool) {
			ok(t, db.QueryRow("SELECT count(*) >= $1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'", commits).Scan(&so))
			return so
		})
	}
	// Not all of the server has heard of it yet: once a commit waits, the next one does, too.
	trying, enough := context.WithCancel(t.Context())
	defer enough()
	tried := make(chan error, 1)
	go func() {
		var err error
		for err == nil && trying.Err() == nil {
			_, err = db.Exec("SELECT pg_logical_emit_message(true, 'a commit', '')")
		}
		tried <- err
	}()
	waiting(1)
	enough()
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	began := make(chan error, 1)
	go func() {
		_, _, err := h.operations.Begin(ctx, request("key", "a"))
		began <- err
	}()
	waiting(2)
	hangUp()
	is(t, waittest.Receive(t, "what the caller is told", began), context.Canceled)
	do("ALTER SYSTEM RESET synchronous_standby_names")
	do("SELECT pg_reload_conf()")
	ok(t, waittest.Receive(t, "the other commit", tried))
	waittest.Until(t, "what nobody heard of is found", func() bool {
		unended, err := h.operations.Unended(t.Context())
		ok(t, err)
		return len(unended) == 1 && unended[0].Key == "key" && unended[0].State == operations.Waiting
	})
}
