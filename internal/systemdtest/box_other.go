//go:build !linux

package systemdtest
