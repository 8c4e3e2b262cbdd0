package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is wrong for one system is found for that one, in the bodies of functions too.
func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("starts another process")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module example\n\ngo 1.26\n",
		"main.go":         "package main\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n)\n\nfunc main() { fmt.Println(http.StatusOK, name()) }\n",
		"name_linux.go":   "package main\n\nfunc name() string { return \"linux\" }\n",
		"name_windows.go": "package main\n\nfunc name() string { return 1 }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for system, want := range map[string]string{"linux": "", "windows": "name_windows.go:3:29: cannot use 1", "darwin": "undefined: name"} {
		err := check(t.Context(), dir, system, "amd64", []string{"."})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", system, err)
		}
	}
	if err := check(t.Context(), dir, "linux", "amd64", []string{"./nothing"}); err == nil {
		t.Error("a package that is not there is well")
	}
}
