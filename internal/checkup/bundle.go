package checkup

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Bundle is what is gathered, part by part.
type Bundle struct {
	Mask  *Mask
	Parts []Part
}

// Part is one file of the archive.
type Part struct {
	Name, Title string
	Err         error // why it could not be gathered, or not wholly
	text        []byte
}

// largestPart is more than a person reads, and less than an e-mail takes.
const largestPart = 8 << 20

var errTooLong = errors.New("cortado: grande demais")

// Gather adds a part. Whatever becomes of it, the others are gathered too.
func (b *Bundle) Gather(name, title string, gather func(io.Writer) error) *Part {
	var text limited
	err := Safely(func() error { return gather(&text) })
	if text.full {
		err = errors.Join(err, errTooLong)
	}
	content := b.Mask.Text(strings.ToValidUTF8(text.String(), "\ufffd"))
	if err != nil {
		err = errors.New(b.Mask.Text(strings.ReplaceAll(err.Error(), "\n", "; ")))
		if content != "" && !strings.HasSuffix(content, "\n") {
			content += "\n"
		}
		content += "NÃO FOI POSSÍVEL REUNIR (TUDO): " + err.Error() + "\n"
	}
	b.Parts = append(b.Parts, Part{name, title, err, []byte(content)})
	return &b.Parts[len(b.Parts)-1]
}

// Safely takes a panic for an error: in what looks at damaged data it must not be the end of all.
func Safely(gather func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("falha do programa: %v", p)
		}
	}()
	return gather()
}

// limited keeps the beginning of what is written.
type limited struct {
	bytes.Buffer
	full bool
}

// Write implements io.Writer; what is too much is passed over, so that whoever writes need not know.
func (l *limited) Write(p []byte) (int, error) {
	room := largestPart - l.Len()
	if len(p) > room {
		l.full = true
		l.Buffer.Write(p[:max(room, 0)])
		return len(p), nil
	}
	return l.Buffer.Write(p)
}

// Text is the part's content.
func (p *Part) Text() string { return string(p.text) }

// Write makes the archive: first what is to be read first, then the parts.
func (b *Bundle) Write(to io.Writer, first string, at time.Time) error {
	archive := zip.NewWriter(to)
	all := append([]Part{{Name: "LEIA-ME.txt", text: []byte(b.Mask.Text(first))}}, b.Parts...)
	for _, p := range all {
		header := &zip.FileHeader{Name: p.Name, Method: zip.Deflate, Modified: at}
		header.SetMode(0o600)
		file, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := file.Write(p.text); err != nil {
			return err
		}
	}
	return archive.Close()
}
