package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
)

// once runs every package in its ways, four at a time, and writes the events to the standard output. More at a time cost two processors more for
// the same tests, in caches and in looks at what had not come yet (docs/campaigns.md has the figures).
func once(ctx context.Context, packages []string, everything bool) error {
	flags := []string{"-timeout", "60m", "-p", "1"}
	if everything {
		flags = []string{"-timeout", "3h", "-tags", "everything", "-p", "1"}
	}
	withRace, without, rest := split(packages, everything)
	pattern, err := notRaced(rest)
	if err != nil {
		return err
	}
	hub := slices.DeleteFunc(slices.Clone(packages), func(p string) bool { return !slices.Contains(hubToo, p) })
	out := &events{to: os.Stdout}
	lanes := [][]job{ // which take about as long as one another
		{
			{goTest(ctx, true, append(slices.Clone(flags), "-p", "2"), withRace), " -race"},
			{throughHub(goTest(ctx, false, flags, hub)), " hub"},
		},
		{{goTest(ctx, false, flags, without), ""}},
		{{goTest(ctx, false, append(slices.Clone(flags), "-run", pattern), rest), ""}},
	}
	errs := make([]error, len(lanes))
	var all sync.WaitGroup
	for i, lane := range lanes {
		all.Go(func() {
			for _, j := range lane {
				errs[i] = errors.Join(errs[i], out.copyFrom(j.cmd, j.mark))
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// job is one go test. The mark tells the ways apart: a package may be tested in both at once.
type job struct {
	cmd  *exec.Cmd
	mark string
}

// goTest is go test for some packages; nil for none.
func goTest(ctx context.Context, race bool, flags, packages []string) *exec.Cmd {
	if len(packages) == 0 {
		return nil
	}
	args := append([]string{"-json", "-count=1", "-vet=off"}, flags...)
	env, err := exec.LookPath("env")
	if err == nil {
		as := env + " -u GOGC"
		if set, is := os.LookupEnv("GOGC"); is {
			as = env + " GOGC=" + set
		}
		args = append(args, "-exec", as)
	}
	cmd := goCommand(ctx, race, "test", append(args, packages...)...)
	if err == nil {
		cmd.Env = append(cmd.Env, "GOGC=400") // a sixth of what the compiler does is collecting; the tests collect as the program does
	}
	cmd.Stderr = os.Stderr
	return cmd
}

// throughHub has tests that know how run through a hub; internal/apptest/behindhub reads the variable.
func throughHub(cmd *exec.Cmd) *exec.Cmd {
	if cmd != nil {
		cmd.Env = append(cmd.Env, "MAQUININHA_TEST_THROUGH_HUB=1")
	}
	return cmd
}

// events is where all of them write, a line at a time.
type events struct {
	mu sync.Mutex
	to io.Writer
}

var packageField = []byte(`"Package":"` + module)

// copyFrom runs go test and copies its events.
func (e *events) copyFrom(cmd *exec.Cmd, mark string) error {
	if cmd == nil {
		return nil
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if err := e.write(named(line, mark)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	err = cmd.Wait()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() == 1 {
		return errFailed
	}
	return err
}

// named writes a package as a person would, with the way it is run.
func named(line []byte, mark string) []byte {
	at := bytes.Index(line, packageField)
	if at < 0 {
		return line
	}
	at += len(packageField)
	end := at + bytes.IndexByte(line[at:], '"')
	name := string(line[at:end])
	return append(append(append([]byte(nil), line[:at-len(module)]...), name+mark...), line[end:]...)
}

func (e *events) write(line []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err := e.to.Write(line)
	return err
}
