package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// projectLicence is the text that everything of ours is under.
func projectLicence() []byte {
	content, err := os.ReadFile(source("LICENSE"))
	if err != nil {
		panic(err) // it lies where the sources do
	}
	return content
}

func sortByName(files []entry) {
	slices.SortFunc(files, func(a, b entry) int { return strings.Compare(a.name, b.name) })
}

// gather reads files of the repository below a folder, to stand below another one.
func gather(from, to string, wanted func(name string) bool) (all []entry, err error) {
	root := source(from)
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil || !wanted(filepath.ToSlash(name)) {
			return err
		}
		content, err := os.ReadFile(path)
		all = append(all, entry{name: to + "/" + filepath.ToSlash(name), mode: 0o644, content: content})
		return err
	})
	all = append(all, entry{name: to + "/LICENSE", mode: 0o644, content: projectLicence()})
	sortByName(all)
	return all, err
}

// goClient is the client's module, to be unpacked beside the caller's own and named in its go.mod.
func (r release) goClient() ([]byte, error) {
	files, err := gather("client", "maquininha-client-go", func(name string) bool { return name == "go.mod" || strings.HasSuffix(name, ".go") })
	if err != nil {
		return nil, err
	}
	return r.pack(files)
}

// npmClient is the client as npm packs it: below package/, with the version of this release and, where there is one, the address.
func (r release) npmClient() ([]byte, error) {
	files, err := gather("clients/typescript", "package", func(name string) bool {
		return name == "package.json" || name == "README.md" || strings.HasPrefix(name, "src/")
	})
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		if f.name == "package/package.json" {
			if files[i].content, err = r.npmDescription(f.content); err != nil {
				return nil, err
			}
		}
	}
	return r.pack(files)
}

func (r release) npmDescription(written []byte) ([]byte, error) {
	d := map[string]json.RawMessage{} // what lies deeper keeps its order: Node takes the first of the exports that it can
	if err := json.Unmarshal(written, &d); err != nil {
		return nil, fmt.Errorf("package.json: %w", err)
	}
	delete(d, "scripts") // they are for what stays here
	set := map[string]any{"version": r.Version}
	if r.Repository != "" {
		set["homepage"] = r.Repository
		set["repository"] = map[string]string{"type": "git", "url": "git+" + r.Repository + ".git", "directory": "clients/typescript"}
	}
	for name, value := range set {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		d[name] = text
	}
	out, err := json.MarshalIndent(d, "", "  ")
	return append(out, '\n'), err
}

func (r release) writeClients(out string) error {
	for name, build := range map[string]func() ([]byte, error){
		"maquininha-client-%s.tgz": r.npmClient, "maquininha-client-go-%s.tar.gz": r.goClient,
	} {
		content, err := build()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, fmt.Sprintf(name, r.Version)), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
