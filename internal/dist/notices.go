package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// notices is the text that goes along with a program: of each thing of others that is in it, who made it and under which terms.
func (p product) notices(all []component) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s contém o que segue, de outros, cada parte sob a sua licença. A do próprio programa é Apache-2.0 (LICENSE).\n", p.Name)
	said := map[[32]byte]string{} // the same text stands once
	for _, c := range all {
		fmt.Fprintf(&b, "\n%s\n%s %s, %s\n%[1]s\n", strings.Repeat("=", 80), c.name, c.version, c.licence)
		for _, path := range c.texts {
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			sum, name := sha256.Sum256(content), filepath.Base(path)
			if before := said[sum]; before != "" {
				fmt.Fprintf(&b, "\n%s: o mesmo texto de %s, acima.\n", name, before)
				continue
			}
			said[sum] = c.name
			fmt.Fprintf(&b, "\n%s:\n\n%s\n", name, strings.TrimSpace(strings.ReplaceAll(string(content), "\r\n", "\n")))
		}
	}
	return []byte(b.String()), nil
}

// union has each component once, sorted: those of a program for several platforms.
func union(lists ...[]component) []component {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b component) int { return strings.Compare(a.name, b.name) })
	return slices.CompactFunc(all, func(a, b component) bool { return a.name == b.name })
}

// The parts of a bill of materials that are used, as CycloneDX 1.6 names them.
type (
	bom struct {
		Format       string           `json:"bomFormat"`
		Spec         string           `json:"specVersion"`
		Serial       string           `json:"serialNumber"`
		Version      int              `json:"version"`
		Metadata     bomMetadata      `json:"metadata"`
		Components   []bomComponent   `json:"components"`
		Dependencies []bomDependsItem `json:"dependencies"`
	}
	bomMetadata struct {
		Timestamp string       `json:"timestamp"`
		Component bomComponent `json:"component"`
	}
	bomComponent struct {
		Type     string         `json:"type"`
		Ref      string         `json:"bom-ref"`
		Name     string         `json:"name"`
		Version  string         `json:"version"`
		Hashes   []bomHash      `json:"hashes,omitempty"`
		Licences []bomLicence   `json:"licenses"`
		PURL     string         `json:"purl,omitempty"`
		Links    []bomReference `json:"externalReferences,omitempty"`
	}
	bomHash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	bomLicence struct {
		Licence struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	bomReference struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	}
	bomDependsItem struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn"`
	}
)

// bill is the bill of materials of one binary.
func (r release) bill(p product, t target, binary []byte, all []component) ([]byte, error) {
	sum := sha256.Sum256(binary)
	licensed := func(spdx string) (l []bomLicence) {
		l = make([]bomLicence, 1)
		l[0].Licence.ID = spdx
		return l
	}
	name := t.name(p.Name, r.Version)
	self := bomComponent{
		Type: "application", Ref: name, Name: p.Name, Version: r.Version, Licences: licensed(licence),
		Hashes: []bomHash{{"SHA-256", fmt.Sprintf("%x", sum)}},
	}
	if r.Repository != "" {
		self.Links = []bomReference{{"vcs", r.Repository}}
	}
	// A UUID is asked for; the same binary has the same.
	id := sha256.Sum256(append([]byte("cyclonedx "), sum[:]...))
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	b := bom{
		Format: "CycloneDX", Spec: "1.6", Serial: fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16]), Version: 1,
		Metadata:     bomMetadata{r.Time.Format("2006-01-02T15:04:05Z"), self},
		Components:   []bomComponent{},
		Dependencies: []bomDependsItem{{Ref: name, DependsOn: []string{}}},
	}
	for _, c := range all {
		b.Components = append(b.Components, bomComponent{Type: "library", Ref: c.purl, Name: c.name, Version: c.version, PURL: c.purl, Licences: licensed(c.licence)})
		b.Dependencies[0].DependsOn = append(b.Dependencies[0].DependsOn, c.purl)
	}
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}
