//go:build !linux

package main

import "errors"

func newDatabase(bool) (database, error) { return nil, errors.ErrUnsupported }
