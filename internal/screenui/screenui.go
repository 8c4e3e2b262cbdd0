// Package screenui is the terminal's side: what a customer and an operator see and touch, on a listener of its own.
//
// For now it says so and no more: until the page exists, the autopilot or /emulator/* stand in for the people.
package screenui

import (
	_ "embed"
	"net/http"
)

//go:embed page.html
var page []byte

// Handler serves the page.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
		w.Write(page) //nolint:errcheck // the reader may be gone
	})
	return mux
}
