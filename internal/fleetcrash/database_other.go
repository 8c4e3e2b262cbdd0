//go:build !linux

package main

import "errors"

func newDatabase() (database, error) { return nil, errors.ErrUnsupported }
