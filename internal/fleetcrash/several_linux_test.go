package main

import (
	"testing"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
)

// Several hubs at one PostgreSQL: terminals and callers come to any of them, and nothing is lost or doubled by that.
func TestCampaignOfSeveralHubs(t *testing.T) {
	t.Parallel()
	hubtest.NewPostgres(t) // or there is none here
	figures := short(t, Config{Faults: 12, Shops: 3, Postgres: true, Hubs: 3, Scenes: [][]scene{{{.5, wiping}}, nil, nil}})
	if figures.Hubs != 3 {
		t.Errorf("%d hubs", figures.Hubs)
	}
}
