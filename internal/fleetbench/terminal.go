package main

import "github.com/maquininha/maquininha/internal/rig/figures"

func (b *bench) measureTerminal() ([]figures.Row, error) { return nil, nil }
func (b *bench) measurePostgres() ([]figures.Row, error) { return nil, nil }
