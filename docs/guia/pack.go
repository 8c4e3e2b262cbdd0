//go:build ignore

// Pack writes the guide's chapters into guide.json.gz, as the binary carries them.
package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"log"
	"os"
	"path/filepath"
)

func main() {
	if err := pack("guide.json.gz", "*.md", "en/*.md"); err != nil {
		log.Fatal(err)
	}
}

func pack(path string, patterns ...string) error {
	texts := map[string]string{}
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
			texts[filepath.ToSlash(name)] = string(text)
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
	return errors.Join(json.NewEncoder(w).Encode(texts), w.Close(), f.Close())
}
