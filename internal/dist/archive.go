package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"path"
	"time"
)

// entry is a file of a package.
type entry struct {
	name    string // from the root, without a slash in front
	mode    int64
	content []byte
	link    string // it is a symbolic link to this
}

// pack makes a compressed tar of files, with the folders above them. Everything belongs to root and has one time, so
// that the same files make the same bytes.
func pack(files []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(zip)
	made := map[string]bool{}
	var folder func(dir string) error
	folder = func(dir string) error {
		if made[dir] {
			return nil
		}
		made[dir] = true
		if dir != "." {
			if err := folder(path.Dir(dir)); err != nil {
				return err
			}
		}
		name := "./"
		if dir != "." {
			name += dir + "/"
		}
		return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name, Mode: 0o755, Uname: "root", Gname: "root", ModTime: at, Format: tar.FormatGNU})
	}
	for _, f := range files {
		if err := folder(path.Dir(f.name)); err != nil {
			return nil, err
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: "./" + f.name, Mode: f.mode, Size: int64(len(f.content)), Uname: "root", Gname: "root", ModTime: at, Format: tar.FormatGNU}
		if f.link != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, f.link
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = zip.Close()
	return out.Bytes(), err
}

// join makes an ar archive, the outer shell of a Debian package.
func join(members []entry, at time.Time) []byte {
	out := bytes.NewBufferString("!<arch>\n")
	for _, m := range members {
		fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", m.name, at.Unix(), 0, 0, "100644", len(m.content))
		out.Write(m.content)
		if len(m.content)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}
