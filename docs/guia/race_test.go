//go:build race

package guia_test

// buildFlags are those of the tests: with them the packages are compiled already.
var buildFlags = []string{"-race"}
