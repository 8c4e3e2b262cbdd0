package app_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
)

func init() {
	kinds["PostgreSQL"] = func(t *testing.T) func() string {
		cluster := hubtest.StartPostgres(t)
		return func() string { return cluster.Database(t) }
	}
}
