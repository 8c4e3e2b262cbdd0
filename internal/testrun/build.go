package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// build makes the programs of the suites, many with one order: each order looks at a thousand packages first. It goes on where one can't be
// built; that suite has no program then.
func build(ctx context.Context, suites []suite, dir string, everything bool) error {
	var failed error
	for _, race := range []bool{false, true} {
		for _, folders := range groups(suites, race) {
			into, err := os.MkdirTemp(dir, "")
			if err == nil {
				err = os.Chmod(into, 0o755) // some tests run a program as somebody else
			}
			if err != nil {
				return err
			}
			args := []string{"-c", "-vet=off", "-ldflags=-s -w", "-o", into + string(filepath.Separator)}
			if everything {
				args = append(args, "-tags", "everything")
			}
			cmd := goCommand(ctx, race, "test", append(args, folders...)...)
			cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
			if err := cmd.Run(); err != nil {
				failed = errors.Join(failed, fmt.Errorf("building the tests: %w", err))
			}
			for i := range suites {
				s := &suites[i]
				if s.race != race || !slices.Contains(folders, s.folder) {
					continue
				}
				binary := filepath.Join(into, filepath.Base(s.folder)+".test")
				if _, err := os.Stat(binary); err != nil { // also where Go finds nothing to build
					failed = errors.Join(failed, fmt.Errorf("%s has no program: %w", s.name, err))
					continue
				}
				s.binary = binary
			}
		}
	}
	return failed
}

// groups are the folders of suites, each once; those of a group have different names, by which their programs are called.
func groups(suites []suite, race bool) (all [][]string) {
	group := map[string]int{} // the next one for a name
	var seen []string
	for _, s := range suites {
		if s.race != race || slices.Contains(seen, s.folder) {
			continue
		}
		seen = append(seen, s.folder)
		name := filepath.Base(s.folder)
		n := group[name]
		group[name]++
		if n == len(all) {
			all = append(all, nil)
		}
		all[n] = append(all[n], s.folder)
	}
	return all
}

// goCommand is the go command for tests with or without the race detector, which needs C. What comes after its verb are args.
func goCommand(ctx context.Context, race bool, verb string, args ...string) *exec.Cmd {
	cgo := "CGO_ENABLED=0"
	if race {
		cgo = "CGO_ENABLED=1"
		for _, p := range notWatched {
			args = append([]string{"-gcflags=" + p + "=-race=false -d=checkptr=0"}, args...)
		}
		args = append([]string{"-race"}, args...)
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{verb}, args...)...)
	cmd.Env = append(os.Environ(), cgo, "GOGC=400") // a sixth of what the compiler does is collecting
	return cmd
}
