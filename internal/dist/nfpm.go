package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/daemon"
)

// format is a kind of package: where a system keeps its services, and what differs in the files.
type format struct {
	name    string
	scripts string // where they lie among the files
	depends []string
	units   string // the folder of systemd's units; "": it has another service manager
	words   []string
	file    func(r release, name string, t target) string
}

var formats = []format{
	{
		name: "deb", scripts: "deb", depends: []string{"passwd", "init-system-helpers"}, units: "lib/systemd/system/",
		file: func(r release, name string, t target) string {
			return fmt.Sprintf("%s_%s-%s_%s.deb", name, r.Version, r.Build, t.processor)
		},
	},
	{
		name: "rpm", scripts: "rpm", depends: []string{"shadow-utils", "systemd"}, units: "usr/lib/systemd/system/",
		words: []string{
			"no Debian, no Ubuntu e no Raspberry Pi OS", "no Fedora e em outros sistemas com RPM", "no Debian e no Ubuntu", "no Fedora e em outros sistemas com RPM",
			"apt install chromium cage xwayland", "dnf install chromium cage xorg-x11-server-Xwayland", "sudo apt install", "sudo dnf install",
		},
		file: func(r release, name string, t target) string {
			return fmt.Sprintf("%s-%s-%s.%s.rpm", name, r.Version, r.Build, machine(t))
		},
	},
	{
		name: "apk", scripts: "apk", depends: []string{"openrc"},
		file: func(r release, name string, t target) string {
			return fmt.Sprintf("%s-%s-r%s.%s.apk", name, r.Version, r.Build, machine(t))
		},
	},
}

// machine is what the kernel calls a processor.
func machine(t target) string {
	return map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[t.processor]
}

// The description of a package, as nfpm reads it. It reads YAML, of which JSON is a part.
type (
	description struct {
		Name        string    `json:"name"`
		Arch        string    `json:"arch"`
		Platform    string    `json:"platform"`
		Version     string    `json:"version"`
		Schema      string    `json:"version_schema"`
		Release     string    `json:"release"`
		Section     string    `json:"section"`
		Priority    string    `json:"priority"`
		Maintainer  string    `json:"maintainer"`
		Description string    `json:"description"`
		Homepage    string    `json:"homepage,omitempty"`
		License     string    `json:"license"`
		Globbing    bool      `json:"disable_globbing"`
		MTime       time.Time `json:"mtime"`

		Depends    []string          `json:"depends"`
		Recommends []string          `json:"recommends,omitempty"`
		Contents   []content         `json:"contents"`
		Scripts    map[string]string `json:"scripts"`
		Deb        map[string]string `json:"deb,omitempty"`
		RPM        map[string]string `json:"rpm,omitempty"`
		APK        map[string]any    `json:"apk,omitempty"`
	}
	content struct {
		Source string      `json:"src"`
		Place  string      `json:"dst"`
		Type   string      `json:"type,omitempty"`
		Info   contentInfo `json:"file_info"`
	}
	contentInfo struct {
		Mode  int64     `json:"mode"`
		Owner string    `json:"owner"`
		Group string    `json:"group"`
		MTime time.Time `json:"mtime"`
	}
)

// scriptNames are the files of the scripts, by nfpm's names.
var scriptNames = map[string]string{"preinstall": "preinst", "postinstall": "postinst", "preremove": "prerm", "postremove": "postrm"}

// contents are the files of a package.
func (f format) contents(p product, binary, config, notices []byte) []entry {
	program, doc := "usr/bin/"+p.Name, "usr/share/doc/"+p.Name+"/"
	all := []entry{
		// It may come to hold secrets: the service's user alone reads it, once there is one.
		{name: strings.TrimPrefix(p.UnitConfig(), "/"), mode: 0o600, content: config, kept: true},
		{name: program, mode: 0o755, content: binary},
		{name: doc + "LICENSE", mode: 0o644, content: projectLicence()},
		{name: doc + "NOTICES.txt", mode: 0o644, content: notices},
	}
	if f.units == "" {
		return append(all,
			entry{name: "etc/init.d/" + p.Name, mode: 0o755, content: p.fill(text("apk/service.sh"))},
			entry{name: doc + "LEIA-ME", mode: 0o644, content: p.fill(text("apk/LEIA-ME"))})
	}
	unit := daemon.Unit(daemon.Setup{Program: p.Program, Executable: "/" + program, Config: p.UnitConfig(), Data: p.UnitData(), User: p.UnitUser()}, p.Groups)
	here := strings.NewReplacer(f.words...)
	all = append(all, entry{name: f.units + p.Name + ".service", mode: 0o644, content: []byte(unit)})
	for _, e := range p.more {
		e.name = strings.Replace(e.name, unitsFolder, f.units, 1)
		e.content = []byte(here.Replace(string(e.content)))
		all = append(all, e)
	}
	page := doc + "LEIA-ME"
	if f.name == "deb" {
		page += ".Debian"
	}
	return append(all, entry{name: page, mode: 0o644, content: []byte(here.Replace(string(text(p.page))))})
}

// describe writes the files of a package into a folder, with what nfpm needs to know of them, whose name it returns.
func (r release) describe(dir string, f format, p product, t target, files []entry) (config string, err error) {
	d := description{
		Name: p.Name, Arch: t.processor, Platform: t.system, Version: r.Version, Schema: "none", Release: r.Build, Section: "misc", Priority: "optional",
		Maintainer: "Maquininha <maquininha@localhost>", Description: p.about, Homepage: r.Repository, License: licence, Globbing: true, MTime: r.Time,
		Depends: f.depends, Scripts: map[string]string{},
	}
	write := func(name string, content []byte) (string, error) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return "", err
		}
		return path, os.Chtimes(path, r.Time, r.Time) // an .apk tells the time of its scripts
	}
	for i, e := range files {
		c := content{Place: "/" + e.name, Info: contentInfo{e.mode, "root", "root", r.Time}}
		if e.kept {
			c.Type = "config|noreplace"
		}
		if c.Source, err = write(fmt.Sprintf("file%d", i), e.content); err != nil {
			return "", err
		}
		d.Contents = append(d.Contents, c)
	}
	for key, name := range scriptNames {
		if d.Scripts[key], err = write(name, p.script(f, name)); err != nil {
			return "", err
		}
	}
	switch f.name {
	case "deb":
		d.Deb, d.Recommends = map[string]string{"compression": r.quicker("gzip", "none")}, p.recommends
	case "rpm":
		// A name of the machine would make other bytes elsewhere.
		d.RPM = map[string]string{"compression": r.quicker("gzip:9", "gzip:1"), "buildhost": "localhost", "group": "Applications/System", "summary": strings.SplitN(p.about, "\n", 2)[0]}
	case "apk":
		upgraded, err := write("upgraded", p.script(f, "upgraded"))
		if err != nil {
			return "", err
		}
		d.Description = strings.SplitN(p.about, "\n", 2)[0] // it is one line there
		d.APK = map[string]any{"scripts": map[string]string{"postupgrade": upgraded}}
	}
	text, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	return write("nfpm.json", text)
}

// quicker is one of two ways to compress.
func (r release) quicker(published, short string) string {
	if r.Short {
		return short
	}
	return published
}

// packer is the program that makes the packages, nfpm, which Go builds once and keeps.
func packer(ctx context.Context) (path string, err error) {
	cmd := exec.CommandContext(ctx, "go", "tool", "-modfile="+source("tools/go.mod"), "-n", "nfpm")
	cmd.Env = ownEnvironment()
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("building nfpm: %w\n%s", err, complaints.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// writePackages writes those of an architecture.
func (r release) writePackages(ctx context.Context, tool, out string, p product, t target, binary, config, notices []byte) error {
	for _, f := range formats {
		if err := r.writePackage(ctx, tool, filepath.Join(out, f.file(r, p.Name, t)), f, p, t, f.contents(p, binary, config, notices)); err != nil {
			return fmt.Errorf("%s of %s: %w", f.name, p.Name, err)
		}
	}
	return nil
}

func (r release) writePackage(ctx context.Context, tool, path string, f format, p product, t target, files []entry) error {
	dir, err := os.MkdirTemp("", "maquininha-package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	config, err := r.describe(dir, f, p, t, files)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, tool, "package", "--config", config, "--packager", f.name, "--target", path)
	cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.Time.Unix()))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
