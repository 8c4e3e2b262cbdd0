// Package packed keeps texts that people write in many files as one, compressed: the terminal's program may have 25 MiB. They are pressed
// together, not each by itself as in a zip, whose reader would take half of what it saves.
package packed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Pack makes of texts, by their paths, one file: the same of the same.
func Pack(texts map[string]string) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if strings.Contains(name+texts[name], "\x00") {
			return nil, fmt.Errorf("%s is no text", name)
		}
		if _, err := io.WriteString(w, name+"\x00"+texts[name]+"\x00"); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Texts are those that Pack was given. It panics where the file is damaged: it is part of the program.
func Texts(file []byte) map[string]string {
	all, err := unpack(file)
	if err != nil {
		panic(fmt.Sprintf("packed: %v", err))
	}
	texts := map[string]string{}
	parts := strings.Split(string(all), "\x00") // a path and a text in turns
	for i := 1; i < len(parts); i += 2 {
		texts[parts[i-1]] = parts[i]
	}
	return texts
}

func unpack(file []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// editors are files of an editor: hidden ones and those in hidden folders, locks and copies.
var editors = regexp.MustCompile(`(^|/)[.#]|~$`)

// Folder reads the texts of all files below root, but for those that editors put beside them.
func Folder(root fs.FS) (map[string]string, error) {
	texts := map[string]string{}
	return texts, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || editors.MatchString(name) {
			return err
		}
		text, err := fs.ReadFile(root, name)
		texts[name] = string(text)
		return err
	})
}
