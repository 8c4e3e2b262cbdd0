package device

import "testing"

func TestTheOperatorChangesTheLocale(t *testing.T) {
	d := New(Identity{Locale: "pt-BR"})
	d.SetLocale("")
	if d.Locale() != "pt-BR" {
		t.Errorf("speaks %s", d.Locale())
	}
	if d.SetLocale("es"); d.Locale() != "es" {
		t.Errorf("speaks %s", d.Locale())
	}
}
