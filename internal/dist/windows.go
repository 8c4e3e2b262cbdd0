package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// writeZip writes the folder for Windows.
func (r release) writeZip(out string, binary, notices []byte) error {
	content, err := r.zip(binary, notices)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, fmt.Sprintf("maquininha-%s-windows-amd64.zip", r.Version)), content, 0o644)
}

func (r release) zip(binary, notices []byte) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.BestCompression) })
	for _, f := range append(r.windowsFiles(binary, notices), entry{name: "iniciar.cmd", content: forWindows(text("iniciar.cmd"))}) {
		h := &zip.FileHeader{Name: "maquininha/" + f.name, Method: zip.Deflate, Modified: r.Time}
		h.SetMode(0o644)
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// windowsFiles are what a shop has of it, by folder or by installer.
func (r release) windowsFiles(binary, notices []byte) []entry {
	return []entry{
		{name: "maquininha.exe", content: binary},
		{name: "quiosque.cmd", content: forWindows(text("quiosque.cmd"))},
		// The mark tells old editors that it is UTF-8.
		{name: "LEIA-ME.txt", content: append([]byte("\ufeff"), forWindows(text("LEIA-ME.txt"))...)},
		{name: "LICENSE.txt", content: forWindows(projectLicence())},
		{name: "NOTICES.txt", content: append([]byte("\ufeff"), forWindows(notices)...)},
	}
}

// forWindows ends lines as its editors and its shell want them.
func forWindows(text []byte) []byte {
	return []byte(strings.ReplaceAll(string(text), "\n", "\r\n"))
}
