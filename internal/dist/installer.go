package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
)

// writeInstaller writes the one file that a technician opens on Windows.
func (r release) writeInstaller(ctx context.Context, out string, binary, notices []byte) error {
	content, err := r.installer(ctx, binary, notices)
	if err != nil {
		return fmt.Errorf("making the installer for Windows: %w", err)
	}
	return os.WriteFile(filepath.Join(out, fmt.Sprintf("maquininha-%s-windows-amd64-instalador.exe", r.Version)), content, 0o644)
}

// installerOf writes an installer of a program that is there, for tests: no notices go with it.
func (r release) installerOf(ctx context.Context, program, out string) error {
	binary, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	content, err := r.installer(ctx, binary, nil)
	if err != nil {
		return err
	}
	return os.WriteFile(out, content, 0o644)
}

func (r release) installer(ctx context.Context, binary, notices []byte) ([]byte, error) {
	folder, err := os.MkdirTemp("", "maquininha-installer-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	// The mark tells the maker of installers, as old editors, that it is UTF-8.
	marked := func(text []byte) []byte { return append([]byte("\ufeff"), text...) }
	for _, f := range append(r.windowsFiles(binary, notices),
		entry{name: "instalador.nsi", content: marked(text("instalador.nsi"))},
		entry{name: "perguntas.nsh", content: marked(text("perguntas.nsh"))},
		entry{name: "gerenciadores.nsh", content: marked(managers(tef.Profiles))}) {
		if err := os.WriteFile(filepath.Join(folder, f.name), f.content, 0o644); err != nil {
			return nil, err
		}
	}
	made := filepath.Join(folder, "made.exe")
	args := []string{"-V2", "-WX", "-NOCONFIG", "-DVERSION=" + r.Version, "-DBUILD=" + r.Build, "-DFOLDER=" + folder, "-DOUTPUT=" + made}
	if r.Short {
		args = append(args, "-DQUICK")
	}
	cmd := exec.CommandContext(ctx, "makensis", append(args, filepath.Join(folder, "instalador.nsi"))...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.Time.Unix()))
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("makensis (package nsis): %w\n%s", err, said)
	}
	return os.ReadFile(made)
}

// managers are the payment managers as the installer's pages want them.
func managers(profiles []tef.Profile) []byte {
	var all strings.Builder
	row := func(p tef.Profile) {
		fmt.Fprintf(&all, "\t!insertmacro ${call} \"%s\" \"%s\" \"%s\"\n", p.Title, p.Name, p.Dirs[0])
	}
	fmt.Fprintf(&all, "!define FIRSTMANAGER %q\n!macro MOREMANAGERS call\n", profiles[0].Title)
	for _, p := range profiles[1:] {
		row(p)
	}
	all.WriteString("!macroend\n!macro ALLMANAGERS call\n")
	for _, p := range profiles {
		row(p)
	}
	all.WriteString("!macroend\n")
	return []byte(all.String())
}
