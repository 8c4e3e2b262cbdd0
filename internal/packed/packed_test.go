package packed

import (
	"bytes"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTextsComeBack(t *testing.T) {
	for _, texts := range []map[string]string{
		{},
		{"a": ""},
		{"a": "á\n", "b/c.js": "", "d": strings.Repeat("x", 1<<20)},
	} {
		file, err := Pack(texts)
		if err != nil {
			t.Fatal(err)
		}
		if got := Texts(file); !maps.Equal(got, texts) {
			t.Errorf("%d texts, not %d", len(got), len(texts))
		}
		if again, err := Pack(maps.Clone(texts)); err != nil || !bytes.Equal(again, file) {
			t.Errorf("the same texts make another file, %v", err)
		}
	}
}

// What parts one from the next may be in none.
func TestOnlyTextsArePacked(t *testing.T) {
	if _, err := Pack(map[string]string{"a.png": "\x89PNG\x00"}); err == nil {
		t.Error("a picture was packed")
	}
}

func TestEditorsFilesAreNotPacked(t *testing.T) {
	folder := fstest.MapFS{"js/a.js": {Data: []byte("1")}}
	for _, name := range []string{".DS_Store", "js/.a.js.swp", ".vscode/settings.json", "js/.idea/w.xml", "js/.#a.js", "js/#a.js#", "js/a.js~"} {
		folder[name] = &fstest.MapFile{Data: []byte("\x00")}
	}
	if texts, err := Folder(folder); err != nil || !maps.Equal(texts, map[string]string{"js/a.js": "1"}) {
		t.Errorf("%q %v", texts, err)
	}
}

func TestDamageIsNotPassedOver(t *testing.T) {
	file, err := Pack(map[string]string{"a": "b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, file[:len(file)-1], append([]byte("x"), file...)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("read from %q", damaged)
				}
			}()
			Texts(damaged)
		}()
	}
}

// The pages of terminal and hub are packed as they are written.
func TestPackedPagesAreTheWritten(t *testing.T) {
	for _, of := range []string{"internal/screenui", "internal/hub/screenui"} {
		file, err := os.ReadFile("../../" + of + "/page.gz")
		if err != nil {
			t.Fatal(err)
		}
		written, err := Folder(os.DirFS("../../" + of + "/page"))
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(Texts(file), written) {
			t.Errorf("the page is packed otherwise than written: run go generate ./%s", of)
		}
	}
}
