//go:build ignore

// Pack writes the guide's chapters, as HTML, into guide.gz, which the binary carries.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"log"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/docs/guia/render"
)

func main() {
	if err := pack("guide.gz", "*.md", "en/*.md"); err != nil {
		log.Fatal(err)
	}
}

func pack(path string, patterns ...string) error {
	var all bytes.Buffer
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			page, err := render.Chapter(text, filepath.ToSlash(filepath.Dir(name)))
			if err != nil {
				return err
			}
			all.WriteString(filepath.ToSlash(name) + "\x00" + page + "\x00")
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = w.Write(all.Bytes())
	return errors.Join(err, w.Close(), f.Close())
}
