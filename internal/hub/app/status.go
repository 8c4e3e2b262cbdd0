package app

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// status tells whoever watches the hub whether it works: 200, or 503 while the database is away. It says nothing of whose it is.
func (a *App) status(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), pingPatience)
	defer cancel()
	said := struct {
		Version  string `json:"version"`
		Uptime   int64  `json:"uptime"`
		Database string `json:"database"` // ok or away
	}{a.config.Version, int64(time.Since(a.started).Seconds()), "ok"}
	code := http.StatusOK
	if a.store.Ping(ctx) != nil {
		said.Database, code = "away", http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(said) //nolint:errcheck // whoever asked may be gone
}
