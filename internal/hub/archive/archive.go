// Package archive is the file that a backup of the hub is: a tar.gz of named pieces that ends with a sum of them all, so that one that
// was cut, or has changed on its way, is known before anything of it is used.
package archive

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"
)

var (
	// ErrForeign tells of a file that was never a backup.
	ErrForeign = errors.New("not a backup of a hub")
	// ErrDamaged tells of a backup that is not as it was written.
	ErrDamaged = errors.New("the backup is damaged or cut off")
)

const (
	// first is the piece that every backup begins with: the number of its format.
	first  = "maquininha-hub-backup"
	format = "1"
	// last is the piece with the sum of those before it.
	last = "sha256"
)

// Writer writes a backup.
type Writer struct {
	zip *gzip.Writer
	tar *tar.Writer
	sum hash.Hash
	at  time.Time
}

// NewWriter begins one. Close is for its end: without it nobody takes it for whole.
func NewWriter(to io.Writer, at time.Time) (*Writer, error) {
	zip := gzip.NewWriter(to)
	w := &Writer{zip: zip, tar: tar.NewWriter(zip), sum: sha256.New(), at: at}
	return w, w.Add(first, []byte(format))
}

// Add writes a piece.
func (w *Writer) Add(name string, content []byte) error {
	count(w.sum, name, content)
	// Others are not to read it when it is taken apart, either.
	if err := w.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: int64(len(content)), ModTime: w.at, Format: tar.FormatPAX}); err != nil {
		return err
	}
	_, err := w.tar.Write(content)
	return err
}

// Close writes the sum.
func (w *Writer) Close() error {
	return errors.Join(w.Add(last, []byte(hex.EncodeToString(w.sum.Sum(nil)))), w.tar.Close(), w.zip.Close())
}

// count adds a piece to the sum; the lengths keep names and contents apart.
func count(sum hash.Hash, name string, content []byte) {
	for _, part := range [][]byte{[]byte(name), content} {
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part)))) //nolint:errcheck // it never fails
		sum.Write(part)                                                  //nolint:errcheck // it never fails
	}
}

// Read passes the pieces on in their order. Only when it returns nil was the backup whole: who must not act on half of one reads it twice.
// An error of take ends it.
func Read(from io.Reader, take func(name string, content []byte) error) error {
	zip, err := gzip.NewReader(from)
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.EOF) {
		return ErrForeign
	}
	if err != nil {
		return damaged(err)
	}
	pieces, sum := tar.NewReader(zip), sha256.New()
	for begun := false; ; begun = true {
		name, content, err := next(pieces)
		switch {
		case !begun && (errors.Is(err, tar.ErrHeader) || err == nil && name != first || errors.Is(err, io.EOF)):
			return ErrForeign
		case err != nil: // the end, too: the sum comes before it
			return damaged(err)
		case !begun && string(content) != format:
			return fmt.Errorf("%w: format %q", ErrForeign, content)
		case name == last:
			if string(content) != hex.EncodeToString(sum.Sum(nil)) {
				return damaged(errors.New("its sum is another"))
			}
			return atEnd(pieces, zip)
		}
		count(sum, name, content)
		if begun {
			if err := take(name, content); err != nil {
				return err
			}
		}
	}
}

func next(pieces *tar.Reader) (name string, content []byte, err error) {
	header, err := pieces.Next()
	if err != nil {
		return "", nil, err
	}
	content, err = io.ReadAll(pieces)
	return header.Name, content, err
}

// atEnd refuses what comes behind the sum.
func atEnd(pieces *tar.Reader, zip io.Reader) error {
	if _, err := pieces.Next(); !errors.Is(err, io.EOF) {
		return damaged(errors.Join(errors.New("something is behind its end"), err))
	}
	if _, err := io.Copy(io.Discard, zip); err != nil {
		return damaged(err)
	}
	return nil
}

func damaged(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, err) }
