package app

import (
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/maquininha/maquininha/internal/portuguese"
)

// maxPictures is how many of a folder the idle screen shows at most.
const maxPictures = 50

// findPictures are the files of a folder that a browser can show, by their names. A folder that can't be read leaves the
// screen without: a shop must be able to sell.
func findPictures(folder string, log *slog.Logger) (files []string) {
	if folder == "" {
		return nil
	}
	found, err := os.ReadDir(folder)
	if err != nil {
		log.Warn("tela de espera sem imagens: " + portuguese.Error(err))
		return nil
	}
	for _, f := range found {
		if path := filepath.Join(folder, f.Name()); len(files) < maxPictures && isPicture(path) {
			files = append(files, path)
		}
	}
	if len(files) == 0 {
		log.Warn("tela de espera sem imagens: não há PNG, JPEG, GIF nem WebP em " + folder)
	}
	return files
}

// isPicture looks at what a file begins with, not at its name.
func isPicture(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // a pipe would be waited for
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begins := make([]byte, 512)
	n, _ := io.ReadFull(f, begins) // a short one is short
	return slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, http.DetectContentType(begins[:n]))
}
