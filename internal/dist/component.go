package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// component is something of others that is inside a program, with the texts that must go along with it.
type component struct {
	name, version string
	purl          string
	licence       string // SPDX
	texts         []string
}

// vendored is what lies in this repository: scripts and fonts, each with the package that carries it.
type vendored struct {
	name, version, kind, licence string
	carrier                      string
	files                        []string // its licence, and what else goes along
}

var vendor = []vendored{
	{"preact", "11.2.0", "npm", "MIT", "internal/pagekit", []string{"internal/pagekit/files/vendor/LICENSE-preact.txt"}},
	{"htm", "3.1.1", "npm", "Apache-2.0", "internal/pagekit", []string{"internal/pagekit/files/vendor/LICENSE-htm.txt"}},
	{"inter", "4.0", "generic", "OFL-1.1", "internal/pagekit", []string{"internal/pagekit/files/vendor/LICENSE-inter.txt"}},
	{"swagger-ui-dist", "5.34.1", "npm", "Apache-2.0", "internal/docpage", []string{
		"internal/docpage/swagger-ui-5.34.1/LICENSE", "internal/docpage/swagger-ui-5.34.1/NOTICE", "internal/docpage/swagger-ui-5.34.1/swagger-ui-bundle.js.LICENSE.txt",
	}},
	{"dejavu", "2.37", "generic", "Bitstream-Vera", "internal/receipt", []string{"internal/receipt/fonts/LICENSE-DejaVu.txt"}},
}

// listed is what the go command tells of a package that is compiled in.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct{ Path, Version, Dir string }
}

// components are those of a program for a platform: every module that a package of it is from, Go itself, and what those carry that are ours.
func (p product) components(ctx context.Context, t target) ([]component, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Dir,Standard,Module", p.path())
	// Without -trimpath, which would hide where Go itself is.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.system, "GOARCH="+t.processor, "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing what is in %s: %w", p.Name, err)
	}
	found := map[string]component{}
	folders := map[string][]string{} // of the packages of a module
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if l.Standard || l.Module == nil {
			continue
		}
		if ours, is := strings.CutPrefix(l.ImportPath, module); is {
			for _, v := range vendor {
				if v.carrier == ours {
					found[v.name] = component{name: v.name, version: v.version, purl: "pkg:" + v.kind + "/" + v.name + "@" + v.version, licence: v.licence}
				}
			}
			continue
		}
		m := l.Module
		found[m.Path] = component{name: m.Path, version: m.Version, purl: "pkg:golang/" + m.Path + "@" + m.Version}
		if !slices.Contains(folders[m.Path], m.Dir) {
			folders[m.Path] = append(folders[m.Path], m.Dir)
		}
		folders[m.Path] = append(folders[m.Path], l.Dir)
	}
	for name, dirs := range folders {
		c := found[name]
		if c.texts, c.licence, err = licenceOf(dirs); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		found[name] = c
	}
	for _, v := range vendor {
		if c, is := found[v.name]; is {
			for _, f := range v.files {
				c.texts = append(c.texts, source(f))
			}
			found[v.name] = c
		}
	}
	runs, licence, err := licenceOf([]string{goRoot(ctx)})
	if err != nil {
		return nil, fmt.Errorf("go itself: %w", err)
	}
	number := strings.TrimPrefix(runtime.Version(), "go")
	found["std"] = component{name: "std", version: number, purl: "pkg:golang/std@" + number, licence: licence, texts: runs}
	return slices.SortedFunc(maps.Values(found), func(a, b component) int { return cmp.Compare(a.name, b.name) }), nil
}

func goRoot(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "" // there is no licence there, and that is said
	}
	return strings.TrimSpace(string(out))
}

// legal are the files that must go along, the licence itself first.
var legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|patents)([-._].*)?$`)

// licenceOf finds the texts that lie in a module's folder and beside its packages, and which licence it is.
func licenceOf(dirs []string) (texts []string, spdx string, err error) {
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, "", err
		}
		for _, e := range entries {
			if e.Type().IsRegular() && legal.MatchString(e.Name()) && !strings.HasSuffix(e.Name(), ".go") {
				texts = append(texts, filepath.Join(dir, e.Name()))
			}
		}
	}
	if len(texts) == 0 {
		return nil, "", errors.New("no licence lies there")
	}
	content, err := os.ReadFile(texts[0])
	if err != nil {
		return nil, "", err
	}
	spdx, err = recognise(string(content))
	return texts, spdx, err
}

// recognise tells which licence a text is, by sentences that only it has.
func recognise(text string) (spdx string, err error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	has := func(sentence string) bool { return strings.Contains(text, sentence) }
	switch {
	case has("apache license version 2.0"):
		return "Apache-2.0", nil
	case has("permission is hereby granted, free of charge, to any person obtaining a copy of this software"):
		return "MIT", nil
	case has("redistribution and use in source and binary forms") && (has("neither the name") || has("names of its contributors may")):
		return "BSD-3-Clause", nil
	case has("redistribution and use in source and binary forms"):
		return "BSD-2-Clause", nil
	case has("permission to use, copy, modify, and/or distribute this software for any purpose"), has("permission to use, copy, modify, and distribute this software for any purpose"):
		return "ISC", nil
	case has("this is free and unencumbered software released into the public domain"):
		return "Unlicense", nil
	case has("altered source versions must be plainly marked as such"):
		return "Zlib", nil
	}
	return "", fmt.Errorf("a licence that nobody here knows: %.60s", text)
}
