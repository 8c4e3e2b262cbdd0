package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"path"
	"time"
)

// entry is a file of a package.
type entry struct {
	name    string // from the root, without a slash in front; with one at its end it is a folder
	mode    int64
	content []byte
	kept    bool // people change it: an upgrade leaves it as it is
}

// pack makes a compressed tar of files.
func (r release) pack(files []entry) ([]byte, error) {
	plain, err := bundle(files, r.Time)
	if err != nil {
		return nil, err
	}
	return r.compress(plain)
}

func (r release) compress(plain []byte) ([]byte, error) {
	level := gzip.BestCompression
	if r.Short {
		level = gzip.BestSpeed
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// bundle makes a tar of files, with the folders above them. Everything belongs to root and has one time, so that the same
// files make the same bytes.
func bundle(files []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	header := func(kind byte, name string, mode int64, size int) error {
		return w.WriteHeader(&tar.Header{Typeflag: kind, Name: name, Mode: mode, Size: int64(size), ModTime: at, Format: tar.FormatUSTAR})
	}
	made := map[string]bool{".": true}
	var folder func(dir string, mode int64) error
	folder = func(dir string, mode int64) error {
		if made[dir] {
			return nil
		}
		made[dir] = true
		if err := folder(path.Dir(dir), 0o755); err != nil {
			return err
		}
		return header(tar.TypeDir, dir+"/", mode, 0)
	}
	for _, f := range files {
		if dir := path.Clean(f.name); f.name == dir+"/" {
			if err := folder(dir, f.mode); err != nil {
				return nil, err
			}
			continue
		}
		if err := folder(path.Dir(f.name), 0o755); err != nil {
			return nil, err
		}
		if err := header(tar.TypeReg, f.name, f.mode, len(f.content)); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
