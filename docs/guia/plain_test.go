//go:build !race

package guia_test

var buildFlags []string
