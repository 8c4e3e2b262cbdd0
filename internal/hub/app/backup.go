package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/hub/archive"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/syserror"
)

// keptFiles are what a backup has of the data folder, beside the records.
var keptFiles = append([]string{KeyFile}, certificate.OwnFiles...)

// Where the pieces of a backup stand in it.
const (
	aboutPiece  = "about.json"
	filesPart   = "files/"
	recordsPart = "records/"
)

// About is what a backup says of itself.
type About struct {
	Version string    `json:"version"` // of the program that made it
	At      time.Time `json:"at"`
}

// Contents are how much is in a backup.
type Contents struct {
	About
	Terminals, Transactions int
	KeyKept                 bool // restored beside the hub's key and certificate, which were there
}

// count takes over what is worth telling.
func (c *Contents) count(rows store.Counts) {
	c.Terminals, c.Transactions = rows["terminals"], rows["transactions"]
}

// Backup writes all that a hub needs to go on elsewhere: its records as they are at one moment, its key, and its own certificate. The hub
// may run.
func Backup(ctx context.Context, c Config, to io.Writer) (made Contents, err error) {
	if err := c.Check(); err != nil {
		return made, err
	}
	made.About = About{c.Version, time.Now().UTC().Truncate(time.Second)}
	about, err := json.Marshal(made.About)
	if err != nil {
		return made, err
	}
	files, err := readKept(c.Data)
	if err != nil {
		return made, err
	}
	out, failed := archive.NewWriter(to, made.At)
	add := func(name string, content []byte) error {
		if failed == nil {
			failed = out.Add(name, content)
		}
		return failed
	}
	add(aboutPiece, about) //nolint:errcheck // it is remembered
	for _, name := range keptFiles {
		if content, is := files[name]; is {
			add(filesPart+name, content) //nolint:errcheck // as above
		}
	}
	rows, err := store.Export(ctx, c.Data, c.Database, func(name string, content []byte) error { return add(recordsPart+name, content) })
	if err == nil && failed == nil {
		failed = out.Close()
	}
	made.count(rows)
	switch {
	case failed != nil:
		return made, fmt.Errorf("a cópia não pôde ser gravada: %w", syserror.Reason(failed))
	case errors.Is(err, store.ErrNoRecords):
		return made, neverBegun(c.Data)
	case errors.Is(err, store.ErrNewer):
		return made, errors.New("os registros são de uma versão mais nova deste programa; atualize-o")
	case err != nil:
		return made, fmt.Errorf("os registros não puderam ser lidos: %s", words(err))
	}
	return made, nil
}

func neverBegun(data string) error {
	return fmt.Errorf("não há o que copiar em %s: nenhum hub foi iniciado com estes dados; diga a pasta com --data, e o banco, se houver, com --database", data)
}

// readKept are the files of the folder that a backup has. The key must be among them: without it no terminal comes back.
func readKept(data string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range keptFiles {
		content, err := os.ReadFile(filepath.Join(data, name))
		switch {
		case err == nil:
			files[name] = content
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("não foi possível ler %s: %w", filepath.Join(data, name), syserror.Reason(err))
		case name == KeyFile:
			return nil, neverBegun(data)
		}
	}
	return files, nil
}

// readBackup reads a backup to its end, and keeps what is small of it; nil only when it is whole.
func readBackup(from io.Reader) (about About, files map[string][]byte, err error) {
	files = map[string][]byte{}
	err = archive.Read(from, func(name string, content []byte) error {
		if file, is := strings.CutPrefix(name, filesPart); is && slices.Contains(keptFiles, file) { // no others have a place in the folder
			files[file] = content
		}
		if name == aboutPiece {
			return json.Unmarshal(content, &about)
		}
		return nil
	})
	if err == nil && files[KeyFile] == nil {
		err = archive.ErrForeign
	}
	return about, files, err
}
