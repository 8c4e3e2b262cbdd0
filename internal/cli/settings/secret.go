package settings

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/syserror"
)

// SecretFile is a flag that names a file; what counts is in it.
type SecretFile struct {
	Path, Content string
	Err           error // for whoever needs the secret
}

// String is what was written; the secret itself is never shown.
func (s SecretFile) String() string { return s.Path }

// longestSecret is beyond any password: a file of that size was meant for something else.
const longestSecret = 4 << 10

// Decode reads the file; kong calls it.
func (s *SecretFile) Decode(ctx *kong.DecodeContext) (err error) {
	if s.Path, err = commandline.Text(ctx); err != nil || s.Path == "" {
		return err
	}
	s.Path = kong.ExpandPath(s.Path)
	content, err := readSecret(s.Path)
	s.Content = strings.TrimRight(string(content), "\r\n")
	switch {
	case err != nil:
		s.Err = commandline.Unread(ctx, "o arquivo %s não pode ser lido: %v", s.Path, syserror.OfFile(err))
	case s.Content == "":
		s.Err = commandline.Unread(ctx, "o arquivo %s está vazio", s.Path)
	case len(s.Content) > longestSecret || strings.ContainsAny(s.Content, "\n\x00"):
		s.Err = commandline.Unread(ctx, "o arquivo %s deve conter só o segredo, em uma linha", s.Path)
	}
	if s.Err != nil {
		s.Err = fmt.Errorf("--%s: %w", ctx.Value.Name, s.Err)
	}
	return nil
}

// readSecret does not wait for somebody to open the other end of a pipe: that may be never. A shell has it open already.
func readSecret(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, longestSecret+2)) // with the end of its line
}
