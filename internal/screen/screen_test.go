package screen

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestStack(t *testing.T) {
	m := New(false)
	m.Pop()
	m.Clear()
	m.Push(Text{BackgroundColor: "#111"})
	m.Push(Text{BackgroundColor: "#222"})
	if s := m.State().Stack; len(s) != 2 || s[1].Content.(Text).BackgroundColor != "#222" {
		t.Fatalf("stack %v", s)
	}
	m.Pop()
	if s := m.State().Stack; len(s) != 1 || s[0].Content.(Text).BackgroundColor != "#111" {
		t.Fatalf("after pop: %v", s)
	}
	for range 3 * maxStack {
		m.Push(Text{})
	}
	if s := m.State().Stack; len(s) != maxStack {
		t.Fatalf("stack grew to %d", len(s))
	}
	m.Clear()
	if s := m.State().Stack; len(s) != 0 {
		t.Fatalf("after clear: %v", s)
	}
}

// What lies deep makes room for what is new, by the memory of both: sixteen of the largest carousels would be a gigabyte.
func TestHoldsIsToldWhenTheDisplayChanges(t *testing.T) {
	m := New(false)
	var told []int
	m.Holds = func(bytes int) { told = append(told, bytes) }
	m.Push(Image{Picture: Picture{Data: make([]byte, 1000)}})
	m.Push(Image{Picture: Picture{Data: make([]byte, 500)}})
	m.Changed()
	m.Pop()
	m.Clear()
	if len(told) != 4 || told[0] < 1000 || told[1] < told[0]+500 || told[2] != told[0] || told[3] != 0 {
		t.Errorf("told %v", told)
	}
}

func TestStackHoldsSoManyBytes(t *testing.T) {
	const large = maxStackBytes / 4
	data := make([]byte, large+large/2) // all show the same, and count each
	picture := func(bytes int) Picture { return Picture{Data: data[:bytes:bytes]} }
	m := New(false)
	m.Push(Text{BackgroundColor: "#111"})
	for range 5 {
		m.Push(Carousel{Pictures: []Picture{picture(large / 2), picture(large / 2)}})
	}
	if s := m.State().Stack; len(s) != 3 {
		t.Errorf("%d carousels of a quarter and a bit are held", len(s))
	}
	m.Push(Image{Picture: picture(large / 8)})
	m.Push(Text{Lines: []Line{{Letters: Letters{Value: "oi"}}}})
	if s := m.State().Stack; len(s) != 5 {
		t.Errorf("there was room, and %d are left", len(s))
	}
	// A slice holds on to all that lies behind it.
	m.Push(Image{Picture: Picture{Data: data[:1]}})
	if s := m.State().Stack; len(s) != 5 {
		t.Errorf("%d are held with what lies behind the last", len(s))
	}
	lines := make([]Line, 1000)
	lines[7].Value = string(make([]byte, maxStackBytes))
	m.Push(Text{Lines: lines})
	s := m.State().Stack
	if len(s) != 1 || len(s[0].Content.(Text).Lines) != 1000 {
		t.Errorf("the newest must stay, alone: %d are held", len(s))
	}
	m.Push(Text{BackgroundColor: "#222"})
	if s := m.State().Stack; len(s) != 1 || s[0].Content.(Text).BackgroundColor != "#222" {
		t.Errorf("over the limit %d are held", len(s))
	}
}

func TestClosingLastsItsInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(false)
		m.Push(Text{})
		m.EndSale(Closing{ShowMessage: true, Interval: 3 * time.Second})
		if s := m.State(); s.Closing == nil || len(s.Stack) != 0 {
			t.Fatalf("ending a sale must pop and show the message: %+v", s)
		}
		time.Sleep(3*time.Second - time.Millisecond)
		synctest.Wait()
		if m.State().Closing == nil {
			t.Fatal("the message left early")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if m.State().Closing != nil {
			t.Fatal("the message stayed")
		}
		m.EndSale(Closing{ShowMessage: true, Interval: 3 * time.Second})
		time.Sleep(2 * time.Second)
		m.EndSale(Closing{ShowMessage: true, Interval: 3 * time.Second})
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if m.State().Closing == nil {
			t.Fatal("the first message's timer took the second away")
		}
		m.Close()
	})
}

// The result of a payment lies over the message of the sale that it paid: both are for the customer to read.
func TestClosingBeginsWhenItIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(false)
		covered := true
		m.Covered = func() bool { return covered }
		m.Push(Text{BackgroundColor: "#111"})
		m.Push(Text{BackgroundColor: "#222"})
		m.EndSale(Closing{ShowMessage: true, Interval: 3 * time.Second})
		time.Sleep(time.Minute)
		m.Prompted()
		covered = false
		m.Prompted()
		if c := m.State().Closing; c == nil || !c.Began.IsZero() {
			t.Fatalf("nobody has seen it yet: %+v", c)
		}
		m.Pop() // what was displayed before the sale goes too
		if c := m.State().Closing; c == nil || !c.Began.Equal(time.Now()) {
			t.Fatalf("it is in sight now: %+v", c)
		}
		time.Sleep(3*time.Second - time.Millisecond)
		m.Prompted() // its time goes on
		synctest.Wait()
		if m.State().Closing == nil {
			t.Fatal("the message left early")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if m.State().Closing != nil {
			t.Fatal("the message stayed")
		}
	})
}

// What covers the message for a while takes none of its time: a customer gets to read what the change is.
func TestClosingWaitsWhileItIsCovered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(false)
		covered := false
		m.Covered = func() bool { return covered }
		cover := func(by bool) {
			covered = by
			m.Prompted()
		}
		m.EndSale(Closing{ShowMessage: true, Interval: 3 * time.Second})
		time.Sleep(400 * time.Millisecond)
		cover(true)
		m.Prompted()
		time.Sleep(time.Minute)
		synctest.Wait()
		if c := m.State().Closing; c == nil || !c.Began.IsZero() || c.Left != 2600*time.Millisecond {
			t.Fatalf("under a question: %+v", c)
		}
		cover(false)
		if c := m.State().Closing; c == nil || !c.Began.Equal(time.Now()) || c.Left != 2600*time.Millisecond {
			t.Fatalf("in sight again: %+v", c)
		}
		time.Sleep(600 * time.Millisecond)
		m.Push(Text{})
		time.Sleep(time.Minute)
		m.Clear() // takes the message away as well
		if m.State().Closing != nil {
			t.Fatal("the message stayed")
		}

		m.EndSale(Closing{ShowMessage: true, Interval: 3 * time.Second})
		time.Sleep(time.Second)
		m.Push(Text{})
		cover(true)
		time.Sleep(time.Minute)
		m.Pop()
		time.Sleep(time.Minute)
		cover(false)
		time.Sleep(2*time.Second - time.Millisecond)
		synctest.Wait()
		if m.State().Closing == nil {
			t.Fatal("the message left early")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if m.State().Closing != nil {
			t.Fatal("the message stayed")
		}
	})
}

func TestNotificationsKeepTheNewest(t *testing.T) {
	m := New(false)
	for range keptNotifications {
		m.Notify("POST /sale")
	}
	m.Notify("POST /ask")
	n := m.State().Notifications
	if len(n) != keptNotifications || n[0].Command != "POST /ask" || n[1].Command != "POST /sale" {
		t.Fatalf("notifications %v", n)
	}
}

// A sale of many items does not push out what the caller said.
func TestNotificationsKeepTheNewestOfEachKind(t *testing.T) {
	m := New(false)
	m.Announce("Caixa 3", "first")
	page := m.Foreground.OpenPage()
	page.SetVisible(true)
	for range keptNotifications {
		m.Announce("Caixa 3", "again")
		m.Notify("POST /sale/item")
		m.Notify("POST /sale/item")
	}
	said := 0
	all := m.State().Notifications
	for _, n := range all {
		if n.Seen != n.Said() || n.Text == "first" {
			t.Errorf("kept %+v", n)
		}
		if n.Said() {
			said++
		}
	}
	if len(all) != 2*keptNotifications || said != keptNotifications {
		t.Errorf("%d notifications, %d of them said", len(all), said)
	}
}

func TestForeground(t *testing.T) {
	yes, no := true, false
	f := New(true).Foreground
	if !f.Active() || !f.State().Autopilot {
		t.Fatal("the autopilot stands in while no page is open")
	}
	page := f.OpenPage()
	if f.Active() || f.State().Autopilot {
		t.Fatal("a hidden page means background")
	}
	page.SetVisible(true)
	page.SetVisible(true)
	other := f.OpenPage()
	if !f.Active() {
		t.Fatal("a visible page means foreground")
	}
	f.Override(&no)
	if f.Active() {
		t.Fatal("the override must win")
	}
	f.Override(nil)
	page.Close()
	page.SetVisible(true) // late news from a page that is gone
	page.Close()
	if s := f.State(); s.Active || s.Pages != 1 || s.VisiblePages != 0 {
		t.Fatalf("after closing the visible page: %+v", s)
	}
	f.Override(&yes)
	if !f.Active() {
		t.Fatal("the override must win over hidden pages")
	}
	f.Override(nil)
	other.Close()
	if !f.Active() {
		t.Fatal("the autopilot must be back")
	}
}

func TestWaitForForeground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(false).Foreground
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		if err := f.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("waited in vain: %v", err)
		}
		go func() {
			time.Sleep(7 * time.Second)
			f.OpenPage().SetVisible(true)
		}()
		start := time.Now()
		if err := f.Wait(t.Context()); err != nil || time.Since(start) != 7*time.Second {
			t.Fatalf("came back after %v: %v", time.Since(start), err)
		}
	})
}

func TestTop(t *testing.T) {
	for _, c := range []struct {
		p    Presence
		want View
	}{
		{Presence{}, ViewIdle},
		{Presence{Closing: true}, ViewClosing},
		{Presence{Closing: true, Sale: true}, ViewSale},
		{Presence{Printer: true}, ViewPrinter},
		{Presence{Printer: true, Closing: true}, ViewClosing},
		{Presence{Closing: true, Sale: true, Printer: true}, ViewSale},
		{Presence{Sale: true, Printer: true, Display: true}, ViewDisplay},
		{Presence{Display: true, Success: true}, ViewSuccess},
		{Presence{Success: true, Result: true}, ViewResult},
		{Presence{Result: true, Question: true}, ViewResult},
		{Presence{Sale: true, Display: true, Question: true}, ViewQuestion},
		{Presence{Sale: true, Question: true, Payment: true}, ViewPayment},
	} {
		if got := c.p.Top(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.p, got, c.want)
		}
	}
}
