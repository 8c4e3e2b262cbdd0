// Package configfile reads and writes the configuration file: TOML whose keys are declared once, elsewhere, as settings.
// It says everything that is wrong with a file at once, by line and key, in the technician's words.
package configfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Kind is what a setting's value is.
type Kind int

// The kinds.
const (
	Text Kind = iota
	Switch
	Number
	Duration
	Amount // a decimal, not below zero
)

// Setting is one thing that can be configured.
type Setting struct {
	Table, Key string // the table is empty for the keys at the top of the file
	Flag       string // its name on the command line
	Variable   string // of the environment
	Help       string
	Default    string // as on the command line; empty: none
	Example    string // where there is no default and an empty one says nothing
	Choices    []string
	Kind       Kind
	Path       bool // a relative one begins at the file's folder
	Secret     bool // for nobody else to read
	Repeats    bool // its table is one of many, written [[table]]
}

// Name is the setting's, whole: table.key.
func (s Setting) Name() string {
	if s.Table == "" {
		return s.Key
	}
	return s.Table + "." + s.Key
}

// Where is the setting as people look for it: [table] key.
func (s Setting) Where() string { return where(s.Table, s.Key) }

func where(table, key string) string {
	switch {
	case table == "":
		return key
	case key == "":
		return "[" + table + "]"
	}
	return "[" + table + "] " + key
}

// Value is what a file sets.
type Value struct {
	Text string // as on the command line
	Line int
}

// Problem is something wrong at a place in the file.
type Problem struct {
	Line  int
	Where string // [table] key, where it is about one
	What  string
}

// Entry is one of the tables of a kind that repeats, with what it sets by key, empty texts too.
type Entry struct {
	Table  string
	Line   int
	Values map[string]Value
}

// File is a configuration file that was read.
type File struct {
	Path     string
	Values   map[string]Value // by the setting's name; what is empty, or wrong, is not in it
	Entries  []Entry          // in the order of the file
	Problems []Problem
	Broken   bool // it is no TOML, so that something may be missing from Values
}

// longest is beyond any configuration: such a file was meant for something else.
const longest = 1 << 20

// Open reads the file. Its error is about the file as a whole; what is wrong in it is in its problems.
func Open(path string, settings []Setting) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if len(data) > longest {
		return nil, errors.New("grande demais para ser uma configuração")
	}
	f := Parse(data, settings)
	f.Path = path
	f.guard(info.Mode(), settings)
	f.anchor(settings)
	return f, nil
}

// guard refuses secrets that others can read.
func (f *File) guard(mode fs.FileMode, settings []Setting) {
	if runtime.GOOS == "windows" || mode.Perm()&0o077 == 0 {
		return // Windows has lists of who may read, which its folders hand down
	}
	for _, s := range settings {
		if v, set := f.Values[s.Name()]; set && s.Secret {
			f.Refuse(s, v.Line, fmt.Sprintf("é um segredo, e outros usuários podem ler este arquivo; proteja-o com: chmod 600 %s (ou use %s_file)", f.Path, s.Key))
		}
	}
}

// anchor has relative paths begin at the file's folder: that of the process is anywhere.
func (f *File) anchor(settings []Setting) {
	for _, s := range settings {
		v, set := f.Values[s.Name()]
		if !set || !s.Path || filepath.IsAbs(v.Text) {
			continue
		}
		if rest, ok := strings.CutPrefix(v.Text, "~/"); ok {
			if home, err := os.UserHomeDir(); err == nil {
				v.Text = filepath.Join(home, rest)
			}
		} else if dir, err := filepath.Abs(filepath.Dir(f.Path)); err == nil {
			v.Text = filepath.Join(dir, v.Text)
		}
		f.Values[s.Name()] = v
	}
}

// Refuse adds a problem with a setting's value, and does not use it.
func (f *File) Refuse(s Setting, line int, what string) {
	delete(f.Values, s.Name())
	f.note(line, s.Where(), what)
}

func (f *File) note(line int, where, what string) {
	f.Problems = append(f.Problems, Problem{line, where, what})
	slices.SortStableFunc(f.Problems, func(a, b Problem) int { return a.Line - b.Line })
}

// Complaints are the problems, a line each, by the file's short name.
func (f *File) Complaints() []string {
	var lines []string
	for _, p := range f.Problems {
		text := fmt.Sprintf("%s:%d: ", filepath.Base(f.Path), p.Line)
		if p.Where != "" {
			text += p.Where + ": "
		}
		lines = append(lines, text+p.What)
	}
	return lines
}
