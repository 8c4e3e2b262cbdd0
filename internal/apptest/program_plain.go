//go:build !race

package apptest

var buildFlags []string
