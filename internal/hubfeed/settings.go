package hubfeed

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/maquininha/maquininha/internal/tunnel"
)

// Settings takes what the hub decides.
type Settings interface {
	// Report is what was made of the last set.
	Report() tunnel.SettingsReport
	// Take keeps a set and puts it to use, and tells what was not taken of it. ErrBusy: nothing was, and it may be later.
	Take(tunnel.SettingsSet) (tunnel.SettingsReport, error)
}

// ErrBusy means that an operation is under way which a change of the settings would end.
var ErrBusy = errors.New("an operation is under way")

const mostSettingsBytes = 64 << 10

func (f *Feed) showSettings(w http.ResponseWriter, _ *http.Request) {
	respond(w, http.StatusOK, f.Settings.Report())
}

func (f *Feed) takeSettings(w http.ResponseWriter, r *http.Request) {
	var set tunnel.SettingsSet
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostSettingsBytes)).Decode(&set); err != nil || set.Mark == "" {
		fail(w, http.StatusBadRequest, "Requisição inválida: não é um conjunto de configurações")
		return
	}
	report, err := f.Settings.Take(set)
	if errors.Is(err, ErrBusy) {
		fail(w, http.StatusConflict, "Há uma operação em andamento; tente de novo em instantes")
		return
	}
	f.answer(w, r, report, err)
}
