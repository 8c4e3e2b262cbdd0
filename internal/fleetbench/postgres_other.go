//go:build !linux

package main

import "github.com/maquininha/maquininha/internal/rig/figures"

func (b *bench) measurePostgres() ([]figures.Row, error) {
	return []figures.Row{{Measure: "records read, PostgreSQL", Value: "not measured: known on Linux only"}}, nil
}
