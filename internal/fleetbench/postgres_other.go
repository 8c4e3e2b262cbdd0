//go:build !linux

package main

import "github.com/maquininha/maquininha/internal/rig/figures"

func (b *bench) measurePostgres() ([]figures.Row, error) { return notHere("records read, PostgreSQL") }

func (b *bench) measureSeveral() ([]figures.Row, error) { return notHere("several hubs") }

func notHere(measure string) ([]figures.Row, error) {
	return []figures.Row{{Measure: measure, Value: "not measured: known on Linux only"}}, nil
}
