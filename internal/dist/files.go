package main

import (
	"embed"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed files
var files embed.FS

// text is one of the files that packages bring.
func text(name string) []byte {
	content, err := files.ReadFile("files/" + name)
	if err != nil {
		panic(err) // it is compiled in
	}
	return content
}

// root is where the sources are, in a folder of which this is run.
var root = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		panic(fmt.Errorf("looking for the sources: %w", err)) // nothing can be made without the go command
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
})

// source is where a file of the repository lies.
func source(name string) string { return filepath.Join(root(), filepath.FromSlash(name)) }
