package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/daemon"
)

// release is what is published at once.
type release struct {
	Version, Build string
	Repository     string // the address of the sources; "": nothing links there
	Flags          string
	Time           time.Time
	Short          bool // for tests: nothing for arm64, and hardly compressed
}

// targets are those to make a product for. only is the one system; empty: all.
func (r release) targets(p product, only string) []target {
	return slices.DeleteFunc(slices.Clone(p.targets), func(t target) bool {
		return only != "" && t.system != only || r.Short && t.processor == "arm64"
	})
}

// target is a platform.
type target struct{ system, processor string }

var (
	linuxAMD64   = target{"linux", "amd64"}
	linuxARM64   = target{"linux", "arm64"}
	windowsAMD64 = target{"windows", "amd64"}
	androidARM64 = target{"android", "arm64"}
)

// name is the binary's among the others.
func (t target) name(program, version string) string {
	name := fmt.Sprintf("%s-%s-%s-%s", program, version, t.system, t.processor)
	if t.system == "windows" {
		name += ".exe"
	}
	return name
}

// make fills the folder anew. only is the one system to make things for; empty: all.
func (r release) make(ctx context.Context, out, only string) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	tool, err := packer(ctx)
	if err != nil {
		return err
	}
	for _, p := range products {
		if err := r.makeProduct(ctx, tool, out, only, p); err != nil {
			return err
		}
	}
	if err := r.writeClients(out); err != nil {
		return err
	}
	return writeSums(out)
}

func (r release) makeProduct(ctx context.Context, tool, out, only string, p product) error {
	targets, binaries := r.targets(p, only), map[target][]byte{}
	var inside [][]component
	for _, t := range targets {
		path := filepath.Join(out, t.name(p.Name, r.Version))
		if err := r.compile(ctx, p, t, path); err != nil {
			return err
		}
		var err error
		if binaries[t], err = os.ReadFile(path); err != nil {
			return err
		}
		parts, err := p.components(ctx, t)
		if err != nil {
			return err
		}
		inside = append(inside, parts)
		bill, err := r.bill(p, t, binaries[t], parts)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path+".cdx.json", bill, 0o644); err != nil {
			return err
		}
	}
	notices, err := p.notices(union(inside...))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, p.Name+"-"+r.Version+"-NOTICES.txt"), notices, 0o644); err != nil {
		return err
	}
	config, err := p.defaultConfig(ctx)
	if err != nil {
		return err
	}
	for _, t := range targets {
		terminal := p.Name == daemon.Terminal.Name
		if t.system == "linux" {
			err = r.writePackages(ctx, tool, out, p, t, binaries[t], config, notices)
		}
		if t.system == "linux" && terminal && err == nil {
			err = r.writeImage(out, t, binaries[t], notices)
		}
		if t.system == "windows" && terminal && err == nil {
			if err = r.writeZip(out, binaries[t], notices); err == nil {
				err = r.writeInstaller(ctx, out, binaries[t], notices)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r release) compile(ctx context.Context, p product, t target, path string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", r.Flags, "-o", path, p.path())
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.processor)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s for %s/%s: %w\n%s", p.Name, t.system, t.processor, err, out)
	}
	return nil
}

// defaultConfig is the file that "maquininha init" writes for a service, made by that command itself.
func (p product) defaultConfig(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "run", "-trimpath", p.path(), "init", "--data", p.UnitData(), "--output", "-")
	cmd.Env = ownEnvironment()
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("making the configuration file: %w", err)
	}
	return out, nil
}

// ownEnvironment is for what is built to run here, whatever this is built for.
func ownEnvironment() []string {
	env := []string{"CGO_ENABLED=0", "GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH}
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "MAQUININHA_") && name != "GOOS" && name != "GOARCH" && name != "CGO_ENABLED" {
			env = append(env, variable)
		}
	}
	return env
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
