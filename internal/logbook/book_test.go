package logbook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/fold"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is a storage that forgets, and fails or stalls when told to.
type memory struct {
	mu      sync.Mutex
	entries []Entry
	batches []int
	failure error
	room    int           // of one batch, in bytes of details; 0: any
	stall   chan struct{} // Append waits until it is closed
	trims   []time.Time
	keep    int
}

func (m *memory) Append(entries []Entry) error {
	m.mu.Lock()
	stall := m.stall
	m.mu.Unlock()
	if stall != nil {
		<-stall
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure != nil {
		return m.failure
	}
	size := 0
	for _, e := range entries {
		size += len(e.Details)
	}
	if m.room > 0 && size > m.room {
		return errors.New("disk full")
	}
	m.entries = append(m.entries, entries...)
	m.batches = append(m.batches, len(entries))
	return nil
}

func (m *memory) Find(_ context.Context, q Query, fn func(Entry) error) error {
	for _, e := range m.all() {
		if strings.Contains(fold.Text(e.Message), fold.Text(q.Search)) {
			if err := fn(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *memory) After(_ context.Context, id int64, limit int) ([]Entry, error) {
	var found []Entry
	for _, e := range m.all() {
		if e.ID > id && len(found) < limit {
			found = append(found, e)
		}
	}
	return found, nil
}

func (m *memory) Last() (int64, error) {
	if all := m.all(); len(all) > 0 {
		return all[len(all)-1].ID, nil
	}
	return 0, nil
}

func (m *memory) Trim(_ context.Context, before time.Time, keep int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trims, m.keep = append(m.trims, before), keep
	return nil
}

func (m *memory) all() []Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entries
}

func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failure = err
}

func (m *memory) messages() (texts []string) {
	for _, e := range m.all() {
		texts = append(texts, e.Message)
	}
	return texts
}

func openBook(t *testing.T, storage Storage, options Options) *Book {
	t.Helper()
	b, err := Open(storage, options)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func closeBook(t *testing.T, b *Book) {
	t.Helper()
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

func TestEntriesAreWrittenTogetherAndSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		storage := &memory{}
		b := openBook(t, storage, Options{})
		defer closeBook(t, b)
		for _, s := range []string{"um", "dois", "três"} {
			b.Add(Info, HTTP, s, "")
			time.Sleep(flushDelay / 4)
		}
		if got := storage.all(); len(got) != 0 {
			t.Errorf("written without company: %v", got)
		}
		time.Sleep(flushDelay / 4)
		synctest.Wait()
		if diff := cmp.Diff([]string{"um", "dois", "três"}, storage.messages()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]int{3}, storage.batches); diff != "" {
			t.Error(diff)
		}
	})
}

func TestACrowdDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		storage := &memory{}
		b := openBook(t, storage, Options{})
		defer closeBook(t, b)
		for range flushSize {
			b.Add(Info, App, "x", "")
		}
		synctest.Wait()
		if got := len(storage.all()); got != flushSize {
			t.Errorf("%d written, want %d", got, flushSize)
		}
	})
}

// What comes during a slow commit must not wait a whole round more than its own.
func TestEntryDuringACommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		storage := &memory{stall: make(chan struct{})}
		b := openBook(t, storage, Options{})
		defer closeBook(t, b)
		b.Add(Info, App, "primeira", "")
		time.Sleep(flushDelay + time.Millisecond)
		b.Add(Info, App, "durante", "")
		time.Sleep(flushDelay - 10*time.Millisecond)
		close(storage.stall)
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		if diff := cmp.Diff([]string{"primeira", "durante"}, storage.messages()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFindSeesWhatWasJustAdded(t *testing.T) {
	b := openBook(t, &memory{}, Options{})
	defer closeBook(t, b)
	b.Add(Info, App, "Operação concluída", "")
	var found []Entry
	if err := b.Find(t.Context(), Query{Search: "operacao"}, func(e Entry) error {
		found = append(found, e)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].ID != 1 {
		t.Errorf("found %v", found)
	}
}

func TestEntriesAreCleanedBeforeTheyAreKept(t *testing.T) {
	storage := &memory{}
	b := openBook(t, storage, Options{})
	b.Add("loud", "nowhere", "cartão 4111111111111111\xff", strings.Repeat("ã", maxDetails))
	closeBook(t, b)
	e := storage.all()[0]
	if e.Level != Info || e.Source != App || e.Message != "cartão 411111******1111\uFFFD" {
		t.Errorf("kept %q of %q: %q", e.Level, e.Source, e.Message)
	}
	if len(e.Details) > maxDetails+len("…") || !strings.HasSuffix(e.Details, "ã…") || !utf8.ValidString(e.Details) {
		t.Errorf("details of %d bytes end in %q", len(e.Details), e.Details[len(e.Details)-8:])
	}
	if e.At.Nanosecond()%1e6 != 0 {
		t.Errorf("time %v is finer than the storage's", e.At)
	}
}

func TestIDsGoOnAfterReopening(t *testing.T) {
	storage := &memory{entries: []Entry{{ID: 41}}}
	b := openBook(t, storage, Options{})
	b.Add(Info, App, "a próxima", "")
	closeBook(t, b)
	if got := storage.all()[1].ID; got != 42 {
		t.Errorf("id %d, want 42", got)
	}
	b.Add(Info, App, "tarde demais", "")
	if err := b.Flush(t.Context()); err != nil {
		t.Errorf("flushing a closed book with nothing pending: %v", err)
	}
}

func TestFailingStorageRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		storage := &memory{failure: errors.New("disk full")}
		var echoed []string
		b := openBook(t, storage, Options{Echo: func(e Entry) { echoed = append(echoed, e.Message) }})
		defer closeBook(t, b)
		b.Add(Info, App, "antes", "")
		if err := b.Flush(t.Context()); !errors.Is(err, storage.failure) {
			t.Errorf("Flush = %v", err)
		}
		time.Sleep(10 * time.Second)
		b.Add(Info, App, "durante", "")
		time.Sleep(time.Second)
		storage.fail(nil)
		time.Sleep(maxPause + flushDelay)
		synctest.Wait()
		want := []string{"antes", "Não foi possível gravar os logs; novas tentativas seguem", "durante", "Gravação dos logs restabelecida"}
		if diff := cmp.Diff(want, storage.messages()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want, echoed); diff != "" {
			t.Errorf("echoed: %s", diff)
		}
	})
}

func TestFailingStorageDropsTheOldestAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		storage := &memory{failure: errors.New("disk full")}
		b := openBook(t, storage, Options{})
		defer closeBook(t, b)
		for i := range maxPending + 2*dropBatch {
			b.Add(Info, App, fmt.Sprint(i), "")
		}
		synctest.Wait()
		storage.fail(nil)
		time.Sleep(maxPause)
		synctest.Wait()
		kept := storage.all()
		if len(kept) < maxPending-dropBatch || len(kept) > maxPending+2 {
			t.Errorf("%d kept", len(kept))
		}
		drops, last := 0, int64(0)
		for _, e := range kept {
			if e.ID <= last {
				t.Fatalf("id %d after %d", e.ID, last)
			}
			last = e.ID
			if strings.Contains(e.Message, "descartados") {
				drops++
			}
		}
		if drops == 0 {
			t.Error("nothing says that entries were dropped")
		}
	})
}

// What gathered while the disk was full may be more than it has room for at once: it is written in pieces.
func TestLargeEntriesGoInPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		storage := &memory{failure: errors.New("disk full"), room: maxBatchBytes}
		b := openBook(t, storage, Options{})
		defer closeBook(t, b)
		const n = 500
		for range n {
			b.Add(Info, App, "grande", strings.Repeat("x", maxDetails))
		}
		time.Sleep(time.Minute)
		storage.fail(nil)
		time.Sleep(maxPause + flushDelay)
		synctest.Wait()
		if got := len(storage.all()); got != n+2 { // and that it failed, and that it is well again
			t.Errorf("%d entries are kept, want %d", got, n+2)
		}
	})
}

func TestAddWaitsForASlowStorage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		storage := &memory{stall: make(chan struct{})}
		b := openBook(t, storage, Options{})
		defer closeBook(t, b)
		for range maxPending {
			b.Add(Info, App, "x", "")
		}
		added := make(chan struct{})
		go func() {
			b.Add(Info, App, "além do limite", "")
			close(added)
		}()
		synctest.Wait()
		select {
		case <-added:
			t.Error("did not wait")
		default:
		}
		close(storage.stall)
		<-added
		if err := b.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		if got := len(storage.all()); got != maxPending+1 {
			t.Errorf("%d written", got)
		}
	})
}

func TestCloseSaysWhatIsLost(t *testing.T) {
	storage := &memory{failure: errors.New("disk full")}
	b := openBook(t, storage, Options{})
	b.Add(Info, App, "perdida", "")
	if err := b.Close(); !errors.Is(err, storage.failure) {
		t.Errorf("Close = %v", err)
	}
	if err := b.Flush(t.Context()); err == nil {
		t.Error("Flush after it says all is well")
	}
}

func TestFlushGivesUpWithItsContext(t *testing.T) {
	storage := &memory{stall: make(chan struct{})}
	b := openBook(t, storage, Options{})
	b.Add(Info, App, "x", "")
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := b.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Flush = %v", err)
	}
	close(storage.stall)
	closeBook(t, b)
}

func TestTrimsAtStartHourlyAndWhenGrown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		storage := &memory{}
		start := time.Now()
		b := openBook(t, storage, Options{Keep: 7, MaxAge: 24 * time.Hour})
		defer closeBook(t, b)
		synctest.Wait()
		time.Sleep(trimInterval)
		synctest.Wait()
		for range trimEvery {
			b.Add(Info, App, "x", "")
		}
		synctest.Wait()
		day := start.Add(-24 * time.Hour)
		if diff := cmp.Diff([]time.Time{day, day.Add(time.Hour), day.Add(time.Hour)}, storage.trims); diff != "" || storage.keep != 7 {
			t.Errorf("keep %d: %s", storage.keep, diff)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	book, err := Open(&discard{}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer book.Close()
	b.ReportAllocs()
	for b.Loop() {
		book.Add(Info, HTTP, "POST /sale/item 200 1.4ms", "")
	}
}

// discard is a storage that keeps nothing.
type discard struct{ memory }

func (*discard) Append([]Entry) error { return nil }
