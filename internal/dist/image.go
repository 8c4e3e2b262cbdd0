package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// The parts of an image, as the Open Container Initiative names them.
type (
	imageConfig struct {
		Created      time.Time      `json:"created"`
		Architecture string         `json:"architecture"`
		OS           string         `json:"os"`
		Config       imageExecution `json:"config"`
		RootFS       imageLayers    `json:"rootfs"`
		History      []imageHistory `json:"history"`
	}
	imageExecution struct {
		User       string              `json:"User"`
		Ports      map[string]struct{} `json:"ExposedPorts"`
		Env        []string            `json:"Env"`
		Entrypoint []string            `json:"Entrypoint"`
		Cmd        []string            `json:"Cmd"`
		StopSignal string              `json:"StopSignal"`
		Labels     map[string]string   `json:"Labels"`
	}
	imageLayers struct {
		Type  string   `json:"type"`
		Diffs []string `json:"diff_ids"`
	}
	imageHistory struct {
		Created time.Time `json:"created"`
		By      string    `json:"created_by"`
	}
	imageManifest struct {
		Schema int         `json:"schemaVersion"`
		Type   string      `json:"mediaType"`
		Config imagePart   `json:"config"`
		Layers []imagePart `json:"layers"`
	}
	imageIndex struct {
		Schema    int         `json:"schemaVersion"`
		Type      string      `json:"mediaType"`
		Manifests []imagePart `json:"manifests"`
	}
	imagePart struct {
		Type        string            `json:"mediaType"`
		Digest      string            `json:"digest"`
		Size        int               `json:"size"`
		Platform    *imagePlatform    `json:"platform,omitempty"`
		Annotations map[string]string `json:"annotations,omitempty"`
	}
	imagePlatform struct {
		Architecture string `json:"architecture"`
		OS           string `json:"os"`
	}
	// What "docker load" of before 2024 reads beside.
	imageDocker struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
)

const (
	imageName = "maquininha-test-server"
	imageUser = "65532" // nobody in particular: it has no name in there
)

// imageFiles are what is in the image: no shell, no library, nothing but the program and its papers.
func imageFiles(binary, notices []byte) []entry {
	const doc = "usr/share/doc/maquininha/"
	return []entry{
		{name: "tmp/", mode: 0o1777},
		{name: "usr/bin/maquininha", mode: 0o755, content: binary},
		{name: doc + "LICENSE", mode: 0o644, content: projectLicence()},
		{name: doc + "NOTICES.txt", mode: 0o644, content: notices},
	}
}

// image is a terminal for the tests of others, as an OCI layout in a tar: podman, skopeo and docker load it. It needs neither a
// daemon to be made nor a registry.
func (r release) image(t target, binary, notices []byte) ([]byte, error) {
	layer, err := bundle(imageFiles(binary, notices), r.Time)
	if err != nil {
		return nil, err
	}
	packed, err := r.compress(layer)
	if err != nil {
		return nil, err
	}
	labels := map[string]string{
		"org.opencontainers.image.title": imageName, "org.opencontainers.image.version": r.Version, "org.opencontainers.image.licenses": licence,
		"org.opencontainers.image.description": "maquininha test-server: um terminal descartável para os testes de uma integração",
	}
	if r.Repository != "" {
		labels["org.opencontainers.image.source"] = r.Repository
	}
	var all []entry
	keep := func(kind string, content []byte) imagePart {
		sum := fmt.Sprintf("%x", sha256.Sum256(content))
		all = append(all, entry{name: "blobs/sha256/" + sum, mode: 0o644, content: content})
		return imagePart{Type: kind, Digest: "sha256:" + sum, Size: len(content)}
	}
	keepJSON := func(kind string, v any) (imagePart, error) {
		content, err := json.Marshal(v)
		return keep(kind, content), err
	}
	layerPart := keep("application/vnd.oci.image.layer.v1.tar+gzip", packed)
	config, err := keepJSON("application/vnd.oci.image.config.v1+json", imageConfig{
		Created: r.Time, Architecture: t.processor, OS: t.system,
		Config: imageExecution{
			User: imageUser, Ports: map[string]struct{}{"9050/tcp": {}}, Env: []string{"PATH=/usr/bin", "TMPDIR=/tmp", "HOME=/tmp"},
			Entrypoint: []string{"/usr/bin/maquininha", "test-server"}, Cmd: []string{"--listen", "0.0.0.0:9050"}, StopSignal: "SIGTERM", Labels: labels,
		},
		RootFS:  imageLayers{"layers", []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
		History: []imageHistory{{r.Time, "make dist"}},
	})
	if err != nil {
		return nil, err
	}
	manifest, err := keepJSON("application/vnd.oci.image.manifest.v1+json", imageManifest{2, "application/vnd.oci.image.manifest.v1+json", config, []imagePart{layerPart}})
	if err != nil {
		return nil, err
	}
	tag := imageName + ":" + r.Version
	manifest.Platform = &imagePlatform{t.processor, t.system}
	manifest.Annotations = map[string]string{"org.opencontainers.image.ref.name": r.Version, "io.containerd.image.name": "localhost/" + tag}
	path := func(p imagePart) string { return "blobs/sha256/" + p.Digest[len("sha256:"):] }
	for name, v := range map[string]any{
		"oci-layout":    map[string]string{"imageLayoutVersion": "1.0.0"},
		"index.json":    imageIndex{2, "application/vnd.oci.image.index.v1+json", []imagePart{manifest}},
		"manifest.json": []imageDocker{{path(config), []string{"localhost/" + tag}, []string{path(layerPart)}}},
	} {
		content, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		all = append(all, entry{name: name, mode: 0o644, content: content})
	}
	sortByName(all)
	return bundle(all, r.Time)
}

func (r release) imageFile(t target) string {
	return fmt.Sprintf("%s-%s-%s-%s.oci.tar", imageName, r.Version, t.system, t.processor)
}

func (r release) writeImage(out string, t target, binary, notices []byte) error {
	content, err := r.image(t, binary, notices)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, r.imageFile(t)), content, 0o644)
}
