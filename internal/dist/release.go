package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// release is what is published at once.
type release struct {
	Version, Build string
	Flags          string
	Time           time.Time
}

// target is a platform, and the Debian architecture of its package, if there is one.
type target struct{ system, processor, debian string }

var targets = []target{
	{"linux", "amd64", "amd64"},
	{"linux", "arm64", "arm64"},
	{"windows", "amd64", ""},
	{"android", "arm64", ""},
}

const program = "github.com/maquininha/maquininha/cmd/maquininha"

// name is the binary's among the others.
func (t target) name(version string) string {
	name := fmt.Sprintf("maquininha-%s-%s-%s", version, t.system, t.processor)
	if t.system == "windows" {
		name += ".exe"
	}
	return name
}

// make fills the folder anew.
func (r release) make(ctx context.Context, out string, targets []target) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	config, err := defaultConfig(ctx)
	if err != nil {
		return err
	}
	for _, t := range targets {
		path := filepath.Join(out, t.name(r.Version))
		if err := r.compile(ctx, t, path); err != nil {
			return err
		}
		binary, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch {
		case t.debian != "":
			err = r.writeDeb(out, t.debian, binary, config)
		case t.system == "windows":
			err = r.writeZip(out, binary)
		}
		if err != nil {
			return err
		}
	}
	return writeSums(out)
}

func (r release) compile(ctx context.Context, t target, path string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", r.Flags, "-o", path, program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.processor)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building for %s/%s: %w\n%s", t.system, t.processor, err, out)
	}
	return nil
}

// defaultConfig is the file that "maquininha init" writes for a service, made by that command itself.
func defaultConfig(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "run", "-trimpath", program, "init", "--data", "/var/lib/maquininha", "--output", "-")
	cmd.Env = []string{"CGO_ENABLED=0", "GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH}
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "MAQUININHA_") && name != "GOOS" && name != "GOARCH" && name != "CGO_ENABLED" {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("making the configuration file: %w", err)
	}
	return out, nil
}

// writeSums is for whoever downloads: sha256sum --check SHA256SUMS.
func writeSums(out string) error {
	files, err := os.ReadDir(out) // sorted
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(out, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), f.Name())
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
