package checkup

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/portuguese"
)

// Bundle is what is gathered, part by part.
type Bundle struct {
	Mask     *Mask
	Patience time.Duration // with each part; 0: without end
	Parts    []Part
}

// Part is one file of the archive.
type Part struct {
	Name, Title string
	Err         error // why it could not be gathered, or not wholly
	Slow        bool  // it was not waited for; what it does from then on goes nowhere
	text        []byte
}

// largestPart is more than a person reads, and less than an e-mail takes.
const largestPart = 8 << 20

var errTooLong = errors.New("cortado: grande demais")

// ErrSlow means that something was not waited for any longer.
var ErrSlow = errors.New("não terminou a tempo")

// Gather adds a part. Whatever becomes of it, the others are gathered too.
func (b *Bundle) Gather(ctx context.Context, name, title string, gather func(context.Context, io.Writer) error) *Part {
	var text limited
	err := b.Within(ctx, func(ctx context.Context) error { return gather(ctx, &text) })
	slow := errors.Is(err, ErrSlow)
	written, full := text.content()
	if full {
		err = errors.Join(err, errTooLong)
	}
	content := b.Mask.Text(strings.ToValidUTF8(written, "\ufffd"))
	if err != nil {
		err = errors.New(b.Mask.Text(portuguese.Text(strings.ReplaceAll(err.Error(), "\n", "; "))))
		if content != "" && !strings.HasSuffix(content, "\n") {
			content += "\n"
		}
		content += "NÃO FOI POSSÍVEL REUNIR (TUDO): " + err.Error() + "\n"
	}
	b.Parts = append(b.Parts, Part{name, title, err, slow, []byte(content)})
	return &b.Parts[len(b.Parts)-1]
}

// Within waits for a look at something only so long: a pipe, a dead network disk or a locked device may never answer, and can't be
// called back. What it left behind must not be touched after ErrSlow.
func (b *Bundle) Within(ctx context.Context, look func(context.Context) error) error {
	if b.Patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Patience)
		defer cancel()
	}
	done := make(chan error, 1)
	go func() { done <- Safely(func() error { return look(ctx) }) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	// Most notice the end themselves, and say better what they waited for.
	select {
	case err := <-done:
		return err
	case <-time.After(lastWords):
		return ErrSlow
	}
}

// lastWords is for what notices that its time is over.
const lastWords = time.Second

// Safely takes a panic for an error: in what looks at damaged data it must not be the end of all.
func Safely(gather func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("falha do programa: %v", p)
		}
	}()
	return gather()
}

// limited keeps the beginning of what is written. Who is not waited for may still write.
type limited struct {
	mu   sync.Mutex
	text bytes.Buffer
	full bool
}

func (l *limited) content() (text string, full bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String(), l.full
}

// Write implements io.Writer; what is too much is passed over, so that whoever writes need not know.
func (l *limited) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	room := largestPart - l.text.Len()
	if len(p) > room {
		l.full = true
		l.text.Write(p[:max(room, 0)])
		return len(p), nil
	}
	return l.text.Write(p)
}

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
