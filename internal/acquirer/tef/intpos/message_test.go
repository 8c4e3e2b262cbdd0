package intpos_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

func TestParse(t *testing.T) {
	m, whole := intpos.Parse([]byte("000-000 = CRT\r\n001-000=17827\n\n  009-000 = 00 \r\nnonsense\r\n12-000 = x\r\n999-123 = later\r\n" +
		"029-002 = \"  two  \"\r\n029-001 = \"one\"\r\n029-000 = 2\r\n030-000 = TRANSA\xc7\xc3O \x80\x00\r\n040-000 =\r\n999-999 = 0\r\n001-000 = 1\r\n"))
	if !whole || m.Get(intpos.ID) != "17827" || m.Get(intpos.Status) != "00" || m.Get(intpos.Text) != "TRANSAÇÃO €" {
		t.Errorf("%+v", m)
	}
	if lines := m.Lines(intpos.Line); !slices.Equal(lines, []string{"one", "  two  "}) {
		t.Errorf("%q", lines)
	}
	if _, there := m.Lookup(intpos.Brand); !there || m.Get("777") != "" {
		t.Errorf("%+v", m)
	}
	for _, partial := range []string{"", "000-000 = CRT\r\n", "000-000 = CRT\r\n999-99", "999-998 = 0\r\n", "000-000 = 999-999 = 0"} {
		if _, whole := intpos.Parse([]byte(partial)); whole {
			t.Errorf("%q is whole", partial)
		}
	}
}

func TestValuesNeverBecomeLines(t *testing.T) {
	got := string(intpos.Of(intpos.Company, "Pão\r\n009-000 = 0 ☕", intpos.Text, "").Encode())
	if want := "716-000 = Pao009-000 = 0 ?\r\n999-999 = 0\r\n"; got != want {
		t.Errorf("%q", got)
	}
}

func TestSame(t *testing.T) {
	if !intpos.Same("0000001700", "1700") || intpos.Same("", "") || intpos.Same("0", "0") || intpos.Same("17", "1700") {
		t.Error("ids are mixed up")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("000-000 = CRT\r\n001-000 = 17827\r\n003-000 = 15000\r\n009-000 = 0\r\n713-001 = \"VIA CLIENTE\"\r\n999-999 = 0\r\n"))
	f.Add([]byte("029-001 = \"\"\n029-002 = \"\n999-999=0"))
	f.Add([]byte("030-000 = \x81\x8d\xff\x00\r999-999 = 0"))
	f.Add([]byte("999-999 = 0\r\n009-000 = 0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, whole := intpos.Parse(data)
		if whole && !bytes.Contains(data, []byte("999-999")) {
			t.Fatal("whole without its last line")
		}
		for _, field := range m {
			if strings.ContainsAny(field.Value, "\r\n") {
				t.Fatalf("%+v", field)
			}
		}
		// What is read again of what was written says the same, but for accents.
		once, whole := intpos.Parse(m.Encode())
		if !whole || len(once) != len(m) {
			t.Fatalf("%+v became %+v", m, once)
		}
		for i := range m {
			if m[i].Number != once[i].Number || m[i].Index != once[i].Index {
				t.Fatalf("%+v became %+v", m[i], once[i])
			}
		}
	})
}
