package spreadsheet

import (
	"strings"
	"testing"
)

func TestSheet(t *testing.T) {
	var out strings.Builder
	w, err := New(&out, ';', []string{"Data", "Texto"})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a;b", "=1+1", " @x", "-1", "-31,50", "-1+1", "＝1", "a\x00\x1b\tb", "linha\noutra", "1,50", ""} {
		if err := w.Row("x", text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	want := "\ufeffData;Texto\r\nx;\"a;b\"\r\nx;'=1+1\r\nx;' @x\r\nx;'-1\r\nx;-31,50\r\nx;'-1+1\r\nx;'＝1\r\nx;a···b\r\nx;\"linha\r\noutra\"\r\nx;1,50\r\nx;\r\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
