package screen

import "testing"

func TestNotifiedOnlyWhileNoPageIsOpen(t *testing.T) {
	m := New(true)
	m.Notify("POST /sale") // nobody listens
	told := 0
	m.Notified = func(string, string) { told++ }
	m.Notify("POST /sale")
	page := m.Foreground.OpenPage()
	m.Notify("POST /sale")
	page.Close()
	m.Notify("POST /sale")
	if told != 2 {
		t.Errorf("told %d times, want 2", told)
	}
}
