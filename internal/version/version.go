// Package version says which build of the project this is. Program, hub, clients and the descriptions of both interfaces have one
// number, which stands here; files that can't read it are held against it by this package's test.
package version

// Stamped at build time, where they differ: -ldflags "-X github.com/maquininha/maquininha/internal/version.Build=7".
var (
	// Number is the one of everything that is published together.
	Number = "0.1.0"
	// Build counts the commits that it was made of.
	Build = "dev"
	// Repository is the address where the sources can be read, without a slash at its end. Nothing links there while it is empty.
	Repository = ""
)
