package main

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What a bill of materials names is what the binary itself says that it was linked from, with what this repository adds.
func TestBillNamesWhatIsInTheBinary(t *testing.T) {
	t.Parallel()
	for name, more := range map[string][]string{
		"maquininha-1.2.3-linux-amd64":     {"dejavu", "htm", "inter", "preact", "std", "swagger-ui-dist"},
		"maquininha-hub-1.2.3-linux-amd64": {"htm", "inter", "preact", "std", "swagger-ui-dist"},
	} {
		info, err := buildinfo.ReadFile(made(t, name))
		if err != nil {
			t.Fatal(err)
		}
		want := more
		for _, m := range info.Deps {
			if !strings.HasPrefix(m.Path, module) {
				want = append(want, m.Path+" "+m.Version)
			}
		}
		text, err := os.ReadFile(made(t, name+".cdx.json"))
		if err != nil {
			t.Fatal(err)
		}
		var b bom
		if err := json.Unmarshal(text, &b); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range b.Components {
			if strings.Contains(c.Name, ".") {
				got = append(got, c.Name+" "+c.Version)
			} else {
				got = append(got, c.Name)
			}
			if c.Licences[0].Licence.ID == "" {
				t.Errorf("%s has no licence", c.Name)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%q, want\n%q", name, got, want)
		}
		if b.Metadata.Component.Hashes[0].Content != sums(t, filepath.Dir(made(t, name)))[name] {
			t.Errorf("%s: the sum is another's", name)
		}
		fits(t, text)
	}
}

// cycloneDX is of the format's own rules what concerns the parts that are used.
const cycloneDX = `{
	"type": "object", "required": ["bomFormat", "specVersion", "serialNumber", "version"], "additionalProperties": false,
	"properties": {
		"bomFormat": {"const": "CycloneDX"}, "specVersion": {"const": "1.6"}, "version": {"type": "integer", "minimum": 1},
		"serialNumber": {"type": "string", "pattern": "^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"},
		"metadata": {"type": "object", "properties": {"timestamp": {"type": "string", "format": "date-time"}, "component": {"$ref": "#/$defs/component"}}},
		"components": {"type": "array", "minItems": 5, "uniqueItems": true, "items": {"$ref": "#/$defs/component"}},
		"dependencies": {"type": "array", "items": {"type": "object", "required": ["ref"], "properties": {"dependsOn": {"type": "array", "uniqueItems": true, "items": {"type": "string"}}}}}
	},
	"$defs": {"component": {
		"type": "object", "required": ["type", "name", "bom-ref"], "additionalProperties": false,
		"properties": {
			"type": {"enum": ["application", "library"]}, "name": {"type": "string"}, "version": {"type": "string"}, "bom-ref": {"type": "string", "minLength": 1},
			"purl": {"type": "string", "pattern": "^pkg:[a-z]+/"},
			"hashes": {"type": "array", "items": {"type": "object", "properties": {"alg": {"const": "SHA-256"}, "content": {"pattern": "^[0-9a-f]{64}$"}}}},
			"licenses": {"type": "array", "items": {"type": "object", "properties": {"license": {"type": "object", "required": ["id"]}}}},
			"externalReferences": {"type": "array", "items": {"type": "object", "required": ["type", "url"]}}
		}
	}}
}`

func fits(t *testing.T, text []byte) {
	t.Helper()
	rules, err := jsonschema.UnmarshalJSON(strings.NewReader(cycloneDX))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	const name = "https://maquininha.invalid/cyclonedx.json" // whole: a bare one would be taken for a file of the current folder
	if err := c.AddResource(name, rules); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
}

func TestNoticesHaveEveryLicence(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(made(t, "maquininha-1.2.3-NOTICES.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"modernc.org/sqlite v1", "LICENSE-SQLITE:", "preact 11.2.0, MIT", "Jason Miller", "dejavu 2.37", "Bitstream", "inter 4.0, OFL-1.1", "swagger-ui", "SmartBear", "The Go Authors",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in the notices", want)
		}
	}
	if strings.Contains(string(text), "\r") {
		t.Error("lines end in two ways")
	}
}

// No licence of what lies in the repository is forgotten, and none is of another version.
func TestVendoredFilesAreListed(t *testing.T) {
	listed := map[string]bool{"LICENSE": true}
	for _, v := range vendor {
		for _, f := range v.files {
			listed[f] = true
		}
		about := filepath.Join(filepath.Dir(source(v.files[0])), "VENDOR.md")
		if _, err := os.Stat(about); err != nil {
			about = filepath.Join(filepath.Dir(about), "README.md")
		}
		text, err := os.ReadFile(about)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`(?i)` + v.name + `\W+(version )?` + regexp.QuoteMeta(v.version)).Match(text) {
			t.Errorf("%s %s is not what %s tells", v.name, v.version, about)
		}
	}
	err := filepath.WalkDir(root(), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root(), path)
		if name = filepath.ToSlash(name); d.IsDir() && (name == ".git" || name == "internal/browsertest" || name == "bin" || name == "dist") {
			return filepath.SkipDir // browsertest's is in no program
		}
		if d.Type().IsRegular() && (legal.MatchString(d.Name()) || strings.HasSuffix(d.Name(), ".LICENSE.txt")) && !listed[name] {
			t.Errorf("%s belongs to nothing that is listed", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUnknownLicenceIsAnError(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := licenceOf([]string{dir}); err == nil {
		t.Error("a folder without a licence has one")
	}
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("All rights reserved."), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, spdx, err := licenceOf([]string{dir}); err == nil {
		t.Errorf("it is taken for %s", spdx)
	}
}
