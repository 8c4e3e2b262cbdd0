package device

import "testing"

func TestTheOperatorChangesTheLocale(t *testing.T) {
	d := New(Identity{Locale: "pt-BR"})
	d.Speak("")
	if d.Locale() != "pt-BR" {
		t.Errorf("speaks %s", d.Locale())
	}
	if d.Speak("es"); d.Locale() != "es" {
		t.Errorf("speaks %s", d.Locale())
	}
}
