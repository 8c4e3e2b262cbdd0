package desktop

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// fakeDesktop shows notifications by remembering when.
type fakeDesktop struct {
	shown  []time.Duration
	begin  time.Time
	err    error
	failed []error
	absent bool
}

func (d *fakeDesktop) options() Options {
	d.begin = time.Now()
	return Options{
		Show: func(title, text string) error {
			if title != "Comando recebido" || text != "Restaure o aplicativo" {
				return errors.New("other words")
			}
			d.shown = append(d.shown, time.Since(d.begin))
			return d.err
		},
		Failed: func(err error) { d.failed = append(d.failed, err) },
		Wanted: func() bool { return !d.absent },
	}
}

func TestOneEveryThreeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d fakeDesktop
		n := New(d.options())
		defer n.Close()
		for range 100 { // ten seconds of commands
			n.Notify("", "")
			n.Notify("", "")
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		if len(d.shown) != 4 || d.shown[0] != 0 || d.shown[3] != 9*time.Second || len(d.failed) != 0 {
			t.Errorf("shown at %v, failed %v", d.shown, d.failed)
		}
	})
}

// What the caller says is shown once, instead of that a command came, and never when somebody has the page open meanwhile.
func TestTheCallersWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown []string
		wanted := true
		n := New(Options{Show: func(title, text string) error { shown = append(shown, title+": "+text); return nil }, Wanted: func() bool { return wanted }})
		defer n.Close()
		say := func(title, text string) { // and lets it be shown, before or after the pause
			n.Notify(title, text)
			synctest.Wait()
		}
		say("Caixa 3", "Chame o gerente")
		say("", "")
		time.Sleep(2 * pause)
		say("", "")
		time.Sleep(2 * pause)
		wanted = false
		say("Caixa 4", "Troco")
		time.Sleep(2 * pause)
		wanted = true
		say("", "")
		if want := []string{"Caixa 3: Chame o gerente", Title + ": " + Text, Title + ": " + Text, Title + ": " + Text}; !slices.Equal(shown, want) {
			t.Errorf("shown %q", shown)
		}
	})
}

func TestADesktopThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := fakeDesktop{err: errors.New("no bus")}
		n := New(d.options())
		defer n.Close()
		for range 1500 {
			n.Notify("", "")
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		if len(d.shown) != 3 || len(d.failed) != 1 {
			t.Errorf("tried at %v, said %v", d.shown, d.failed)
		}
	})
}

func TestNotWantedAnyMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := fakeDesktop{absent: true}
		n := New(d.options())
		defer n.Close()
		n.Notify("", "")
		synctest.Wait()
		if len(d.shown) != 0 {
			t.Error("shown although a page is open")
		}
		d.absent = false
		n.Notify("", "")
		synctest.Wait()
		if len(d.shown) != 1 {
			t.Error("not shown")
		}
	})
}

func TestClosing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d fakeDesktop
		n := New(d.options())
		n.Notify("", "")
		synctest.Wait()
		n.Close() // within the pause
		n.Close()
		n.Notify("", "")
		synctest.Wait()
		if len(d.shown) != 1 {
			t.Errorf("shown %d times", len(d.shown))
		}
		stuck := New(Options{Show: func(string, string) error { time.Sleep(time.Hour); return nil }})
		stuck.Notify("", "")
		synctest.Wait()
		began := time.Now()
		if stuck.Close(); time.Since(began) > 2*time.Second {
			t.Error("closing waits for a desktop that hangs")
		}
		time.Sleep(time.Hour) // the bubble checks that it ended then
	})
}

func TestWithoutADesktop(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	n := New(Options{})
	if n != nil && !present() {
		t.Error("a notifier without a desktop")
	}
	n.Notify("", "")
	n.Close()
}

func TestNotifyingCostsNothing(t *testing.T) {
	var d fakeDesktop
	n := New(d.options())
	defer n.Close()
	if allocations := testing.AllocsPerRun(1000, func() { n.Notify("", "") }); allocations > 0 {
		t.Errorf("%v allocations a command", allocations)
	}
}
