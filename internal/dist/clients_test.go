package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// guideBlock is the one block of shell commands in the chapter of the clients that has a word in it.
func guideBlock(t *testing.T, word string) string {
	t.Helper()
	guide, err := os.ReadFile(source("docs/guia/clientes.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(guide, -1) {
		if strings.Contains(string(found[1]), word) {
			return string(found[1])
		}
	}
	t.Fatalf("the guide has no commands with %s", word)
	return ""
}

// Who follows the guide has the Go client from the release's files, without an address and without dependencies.
func TestGoClientFromTheFiles(t *testing.T) {
	t.Parallel()
	file, dir := made(t, goClient), t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module example.com/pdv\n\ngo 1.23\n")
	put("main.go", "package main\n\nimport \"github.com/maquininha/maquininha/client\"\n\nfunc main() {\n\tif _, err := client.New(\"http://localhost:9050\", \"a\", \"b\"); err != nil {\n\t\tpanic(err)\n\t}\n}\n")
	if err := os.Link(file, filepath.Join(dir, goClient)); err != nil {
		t.Fatal(err)
	}
	offline := "export GOPROXY=off GOWORK=off GOFLAGS=-mod=mod\nset -e\n"
	run(t, dir, "sh", "-c", offline+guideBlock(t, "go mod edit")+"go mod tidy\ngo run .\n")
	if _, err := os.Stat(filepath.Join(dir, "go.sum")); err == nil {
		t.Error("the client has dependencies")
	}
	if _, err := os.Stat(filepath.Join(dir, "maquininha-client-go", "LICENSE")); err != nil {
		t.Error(err)
	}
}

// Likewise the TypeScript client, by npm itself.
func TestNPMClientFromTheFiles(t *testing.T) {
	t.Parallel()
	file, dir := made(t, npmClient), t.TempDir()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is missing")
	}
	if err := os.Link(file, filepath.Join(dir, npmClient)); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "sh", "-ec", "export npm_config_offline=true npm_config_cache="+t.TempDir()+"\n"+guideBlock(t, "npm install"))
	said := run(t, dir, "node", "--input-type=module", "-e", `import { Client } from '@maquininha/client'; import { readFileSync } from 'node:fs';
const about = JSON.parse(readFileSync('node_modules/@maquininha/client/package.json')); console.log(typeof new Client('http://localhost:9050', 'a', 'b').pay, about.version, about.license, about.repository.url, import.meta.resolve('@maquininha/client').split('/').pop(), about.scripts);`)
	if want := "function 1.2.3 Apache-2.0 git+" + sample.Repository + ".git node.js undefined\n"; said != want {
		t.Errorf("%q, want %q", said, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules/@maquininha/client/LICENSE")); err != nil {
		t.Error(err)
	}
}

// Without an address nothing names one.
func TestNoAddressInWhatIsPublished(t *testing.T) {
	nowhere := sample
	nowhere.Repository = ""
	for _, build := range []func() ([]byte, error){
		func() ([]byte, error) { return nowhere.npmDescription([]byte(`{"name": "it"}`)) },
		func() ([]byte, error) { return nowhere.bill(products[0], linuxAMD64, nil, nil) },
		func() ([]byte, error) { return nowhere.image(linuxAMD64, nil, nil) },
	} {
		content, err := build()
		if err != nil {
			t.Fatal(err)
		}
		if text := string(content); strings.Contains(text, "repository") || strings.Contains(text, "image.source") || strings.Contains(text, "externalReferences") {
			t.Errorf("%.400s", text)
		}
	}
	for _, f := range formats {
		dir := t.TempDir()
		config, err := nowhere.describe(dir, f, products[0], linuxAMD64, nil)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(config); err != nil || strings.Contains(string(text), "homepage") {
			t.Errorf("%s: %v %s", f.name, err, text)
		}
	}
}
