package store_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
)

func init() {
	postgres = func(t *testing.T) database {
		cluster := hubtest.StartPostgres(t)
		return func(t *testing.T) (string, string) { return "", cluster.Database(t) }
	}
}
