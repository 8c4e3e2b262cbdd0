package archive_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/archive"
)

// whole is a backup of a few pieces.
func whole(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := archive.NewWriter(&out, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, piece := range [][2]string{{"files/hub.key", "chave"}, {"records/steps/1", "[1]"}, {"records/steps/2", ""}} {
		if err := w.Add(piece[0], []byte(piece[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(content []byte) (pieces []string, err error) {
	err = archive.Read(bytes.NewReader(content), func(name string, content []byte) error {
		pieces = append(pieces, name+"="+string(content))
		return nil
	})
	return pieces, err
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	pieces, err := read(whole(t))
	if err != nil || !slices.Equal(pieces, []string{"files/hub.key=chave", "records/steps/1=[1]", "records/steps/2="}) {
		t.Error(pieces, err)
	}
	stop := errors.New("stop")
	if err := archive.Read(bytes.NewReader(whole(t)), func(string, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// However short it was cut, whichever bit has changed: it is known, or what is read is the same. There are bits that mean nothing, and
// several ways to say the same.
func TestDamageIsKnown(t *testing.T) {
	good := whole(t)
	for n := 0; n < len(good); n += 5 {
		if _, err := read(good[:n]); !errors.Is(err, archive.ErrDamaged) && !errors.Is(err, archive.ErrForeign) {
			t.Errorf("cut to %d of %d bytes: %v", n, len(good), err)
		}
	}
	want, _ := read(good)
	for i := 0; i < len(good); i += 3 {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		if got, err := read(bad); !errors.Is(err, archive.ErrDamaged) && !errors.Is(err, archive.ErrForeign) && (err != nil || !slices.Equal(got, want)) {
			t.Errorf("byte %d changed: %v, %v", i, got, err)
		}
	}
	if _, err := read(append(bytes.Clone(good), "more"...)); !errors.Is(err, archive.ErrDamaged) {
		t.Error(err)
	}
	if _, err := read(good[:len(good)/2]); !errors.Is(err, archive.ErrDamaged) {
		t.Error(err)
	}
}

func TestOtherFilesAreKnown(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(bytes.Repeat([]byte("a text that somebody packed"), 100)) //nolint:errcheck // into memory
	z.Close()
	for name, content := range map[string][]byte{"nothing": nil, "a text": []byte("uma lista de compras, por exemplo"), "a packed text": zipped.Bytes()} {
		if _, err := read(content); !errors.Is(err, archive.ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
