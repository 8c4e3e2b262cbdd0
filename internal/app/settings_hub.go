package app

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/hubfeed"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// setOfHub is what was made of the hub's last set. It is kept with the values that were taken, in one write.
type setOfHub struct {
	Terminal string            // whom the hub takes this terminal for: the next membership has another id
	Start    string            // what the start of the service had decided by then
	Mark     string            // of the set
	Taken    []string          // names
	Refused  map[string]string // why, by name
}

// lastOfHub is what the hub that the terminal belongs to has decided; nothing once it has left, though the values stay.
func (s *settings) lastOfHub() (last setOfHub, member tunnel.Membership) {
	text := s.get(settingOfHub)
	if s.member == nil {
		return last, member
	}
	member, err := s.member()
	if err != nil || text == "" || json.Unmarshal([]byte(text), &last) != nil || last.Terminal != member.Terminal {
		return setOfHub{}, member
	}
	return last, member
}

// fromHub are the fields that the hub decided. Without a PIN the operator may choose one: nobody could get in.
func (s *settings) fromHub() []string {
	if s.get(settingOfHub) == "" {
		return nil
	}
	last, _ := s.lastOfHub()
	fixed := s.fixed()
	return slices.DeleteFunc(last.Taken, func(name string) bool {
		return slices.Contains(fixed, name) || name == "pin" && s.get(settingPIN) == ""
	})
}

// start is what the start of the service has decided: by it values are taken or refused.
func (s *settings) start() string { return strings.Join(append(s.fixed(), string(s.config.Mode)), " ") }

// ofHub fills hubfeed.Settings.
type ofHub struct{ *settings }

// Report names no set where another start of the service could take or refuse other values of it: the hub sends it again.
func (s ofHub) Report() tunnel.SettingsReport {
	last, _ := s.lastOfHub()
	if last.Start != s.start() {
		return tunnel.SettingsReport{}
	}
	return tunnel.SettingsReport{Mark: last.Mark, Refused: last.Refused}
}

// Take checks each value as if the operator had typed it, and keeps those that are good.
func (s ofHub) Take(set tunnel.SettingsSet) (tunnel.SettingsReport, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	if report := s.Report(); report.Mark == set.Mark {
		return report, nil
	}
	_, member := s.lastOfHub()
	if member.Terminal == "" { // it has just left
		return tunnel.SettingsReport{}, tunnel.ErrNotJoined
	}
	values, refused := opened(set, member)
	change := screenui.Change{}
	next := setOfHub{Terminal: member.Terminal, Start: s.start(), Mark: set.Mark, Refused: refused}
	for _, f := range s.fields(&change) {
		value, is := values[f.name]
		if !is || !slices.Contains(tunnel.Settings, f.name) {
			continue
		}
		delete(values, f.name)
		if why := s.whyNot(f, value); why != "" {
			refused[f.name] = why
			continue
		}
		*f.value = &value
		next.Taken = append(next.Taken, f.name)
	}
	for name := range values {
		refused[name] = "Este terminal não conhece esta configuração"
	}
	altered, err := s.altered(change)
	if err != nil {
		return tunnel.SettingsReport{}, err
	}
	kept, err := json.Marshal(next)
	if err != nil {
		return tunnel.SettingsReport{}, err
	}
	altered[settingOfHub] = string(kept)
	if err := s.apply(change, altered, "pelo hub"); errors.Is(err, errBusy) {
		return tunnel.SettingsReport{}, hubfeed.ErrBusy
	} else if err != nil {
		return tunnel.SettingsReport{}, err
	}
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		s.log.Warn("configuração do hub recusada", name, refused[name])
	}
	return tunnel.SettingsReport{Mark: next.Mark, Refused: refused}, nil
}

// opened are the values of a set, and why some of its secrets are none.
func opened(set tunnel.SettingsSet, member tunnel.Membership) (values, refused map[string]string) {
	values, refused = map[string]string{}, map[string]string{}
	for name, value := range set.Values {
		if tunnel.SecretSetting(name) {
			refused[name] = "Um segredo só é aceito cifrado para este terminal"
			continue
		}
		values[name] = value
	}
	for name, sealed := range set.Secrets {
		text, err := member.OpenSetting(set.Mark, name, sealed)
		if err != nil {
			refused[name] = "Não foi cifrado para este terminal"
			continue
		}
		values[name] = text
	}
	return values, refused
}
