// Program typecheck checks the types of programs, and of all that they import, for other systems: typecheck windows/amd64 ./cmd/...
//
// It compiles nothing. On a new machine that is three seconds of a processor for a system, and a compiler takes a hundred. What it does not
// see is what only a compiler or a linker refuses: those have their turn in make cross.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

func main() {
	if len(os.Args) < 3 || !strings.Contains(os.Args[1], "/") {
		fmt.Fprintln(os.Stderr, "typecheck SYSTEM/PROCESSOR PACKAGES...")
		os.Exit(2)
	}
	system, processor, _ := strings.Cut(os.Args[1], "/")
	if err := check(context.Background(), ".", system, processor, os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// source is a package as go list has it.
type source struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
	ImportMap  map[string]string // where an import means another path, as within the standard library
	DepOnly    bool              // nobody named it

	checked chan struct{} // closed when the rest is known
	types   *types.Package
	err     error
}

// check lists the packages that are named, with all that they import, and checks each after its imports.
func check(ctx context.Context, dir, system, processor string, packages []string) error {
	all, err := list(ctx, dir, system, processor, packages)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	turns := make(chan struct{}, runtime.NumCPU())
	var work sync.WaitGroup
	for _, s := range all {
		work.Go(func() {
			defer close(s.checked)
			for _, path := range s.Imports {
				if imported := all[path]; imported != nil {
					<-imported.checked
				}
			}
			turns <- struct{}{}
			s.check(files, all, processor)
			<-turns
		})
	}
	work.Wait()
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(all)) {
		errs = append(errs, all[path].err)
	}
	return errors.Join(errs...)
}

func list(ctx context.Context, dir, system, processor string, packages []string) (map[string]*source, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-json=ImportPath,Dir,GoFiles,Imports,ImportMap,DepOnly"}, packages...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages for %s/%s: %w", system, processor, err)
	}
	all := map[string]*source{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		s := &source{checked: make(chan struct{})}
		if err := dec.Decode(s); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[s.ImportPath] = s
	}
}

// check has the types of a package checked: in the bodies of its functions too, where it was named or is beside one that was.
func (s *source) check(set *token.FileSet, all map[string]*source, processor string) {
	if s.ImportPath == "unsafe" {
		s.types = types.Unsafe
		return
	}
	var files []*ast.File
	for _, name := range s.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(s.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			s.err = err
			return
		}
		files = append(files, f)
	}
	var found []error
	config := types.Config{
		Importer: imports{s, all}, Sizes: types.SizesFor("gc", processor), IgnoreFuncBodies: !s.ours(),
		Error: func(err error) { found = append(found, err) },
	}
	s.types, _ = config.Check(s.ImportPath, set, files, nil) //nolint:errcheck // every error was told
	s.err = errors.Join(found...)
}

const module = "github.com/maquininha/maquininha/"

// ours tells whether the package is this project's: others have checked theirs.
func (s *source) ours() bool { return !s.DepOnly || strings.HasPrefix(s.ImportPath, module) }

// imports finds what a package imports.
type imports struct {
	by  *source
	all map[string]*source
}

func (i imports) Import(path string) (*types.Package, error) {
	if other, is := i.by.ImportMap[path]; is {
		path = other
	}
	if found := i.all[path]; found != nil && found.types != nil {
		return found.types, nil
	}
	return nil, fmt.Errorf("there is no package %s", path)
}
