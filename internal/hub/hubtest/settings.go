package hubtest

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/maquininha/maquininha/internal/tunnel"
)

// Settings is how a terminal takes what its hub decides. Until it takes any it is of a version that knows nothing of them.
type Settings struct {
	mu      sync.Mutex
	takes   bool
	busy    bool
	refuses map[string]string // why, by name
	values  map[string]string // with secrets in the clear
	report  tunnel.SettingsReport
	sets    int // how many were sent
	asked   int // how often it was asked what it has
}

// TakeSettings has the terminal take settings from now on, but for some, for which it has reasons.
func (x *Terminal) TakeSettings(busy bool, refuses map[string]string) {
	s := &x.settings
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takes, s.busy, s.refuses = true, busy, refuses
}

// Settings are the values that the hub has decided, and how many sets it sent.
func (x *Terminal) Settings() (values map[string]string, sets int) {
	s := &x.settings
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values, s.sets
}

// SettingsAsked is how often the hub has asked what the terminal has.
func (x *Terminal) SettingsAsked() int {
	x.settings.mu.Lock()
	defer x.settings.mu.Unlock()
	return x.settings.asked
}

func (x *Terminal) serveSettings(w http.ResponseWriter, r *http.Request) {
	s := &x.settings
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.takes:
		x.Handle.ServeHTTP(w, r)
		return
	case r.Method == http.MethodGet:
		s.asked++
	case r.Method == http.MethodPut && s.busy:
		w.WriteHeader(http.StatusConflict)
		return
	case r.Method == http.MethodPut:
		var set tunnel.SettingsSet
		if err := json.NewDecoder(r.Body).Decode(&set); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		s.sets++
		s.values, s.report = map[string]string{}, tunnel.SettingsReport{Mark: set.Mark, Refused: map[string]string{}}
		for name, sealed := range set.Secrets {
			text, err := x.member.OpenSetting(set.Mark, name, sealed)
			if err != nil {
				text = err.Error()
			}
			s.take(name, text)
		}
		for name, value := range set.Values {
			s.take(name, value)
		}
	}
	json.NewEncoder(w).Encode(s.report) //nolint:errcheck // the hub may be gone
}

func (s *Settings) take(name, value string) {
	if why := s.refuses[name]; why != "" {
		s.report.Refused[name] = why
		return
	}
	s.values[name] = value
}
