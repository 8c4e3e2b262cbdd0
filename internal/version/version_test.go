package version_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/maquininha/maquininha/internal/thorough"
	"github.com/maquininha/maquininha/internal/version"
)

const licence = "Apache-2.0"

// What is published together has one number and one licence: these files can't read them from the package.
func TestOneNumberAndOneLicence(t *testing.T) {
	for _, c := range []struct{ file, pattern, want string }{
		{"internal/httpapi/apidoc/openapi.yaml", `(?m)^  version: (\S+)$`, version.Number},
		{"internal/hub/httpapi/apidoc/openapi.yaml", `(?m)^  version: (\S+)$`, version.Number},
		{"clients/typescript/package.json", `"version": "(.*?)"`, version.Number},
		{"go.mod", `(?m)^\tgithub\.com/maquininha/maquininha/client v(\S+)$`, version.Number},
		{"docs/guia/testes.md", `maquininha-test-server:([0-9.]+)`, version.Number}, // the translation has the same
		{"docs/CHANGELOG.md", `(?m)^## ([0-9.]+)`, version.Number},                  // the first of its headings
		{"internal/httpapi/apidoc/openapi.yaml", `(?m)^  license: {.*identifier: (\S+)}$`, licence},
		{"internal/hub/httpapi/apidoc/openapi.yaml", `(?m)^  license: {.*identifier: (\S+)}$`, licence},
		{"clients/typescript/package.json", `"license": "(.*?)"`, licence},
		{"README.md", "SPDX: `(.*?)`", licence},
		{"README.pt-BR.md", "SPDX: `(.*?)`", licence},
		{"LICENSE", `Apache License\s+Version (2\.0), January 2004`, "2.0"},
	} {
		text, err := os.ReadFile(filepath.Join("../..", c.file))
		if err != nil {
			t.Fatal(err)
		}
		if found := regexp.MustCompile(c.pattern).FindSubmatch(text); found == nil || string(found[1]) != c.want {
			t.Errorf("%s: %q, want %s", c.file, found, c.want)
		}
	}
}

// Nobody owns an address before a build says so.
func TestNoAddressByDefault(t *testing.T) {
	if version.Repository != "" {
		t.Errorf("the sources are said to be at %s", version.Repository)
	}
}

// The client is built by the oldest Go that its module names. That vet finds nothing too new in it is part of make check.
func TestClientNeedsNoNewerGo(t *testing.T) {
	if !thorough.Everything {
		t.Skip("downloads an old Go, 70 MB: make test-all")
	}
	about, err := os.ReadFile("../../client/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	oldest := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(about)
	if oldest == nil {
		t.Fatalf("no Go in %s", about)
	}
	cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
	cmd.Dir, cmd.Env = "../../client", append(os.Environ(), "GOTOOLCHAIN=go"+string(oldest[1])+".0", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
