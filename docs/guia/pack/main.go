// Program pack writes the guide's chapters, as HTML, into guide.gz, which the binary carries.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/docs/guia/render"
	"github.com/maquininha/maquininha/internal/packed"
)

func main() {
	if err := pack("guide.gz", "*.md", "en/*.md"); err != nil {
		log.Fatal(err)
	}
}

func pack(path string, patterns ...string) error {
	pages := map[string]string{}
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
			name = filepath.ToSlash(name)
			if pages[name], err = render.Chapter(text, filepath.ToSlash(filepath.Dir(name))); err != nil {
				return err
			}
		}
	}
	file, err := packed.Pack(pages)
	if err != nil {
		return err
	}
	return os.WriteFile(path, file, 0o644)
}
