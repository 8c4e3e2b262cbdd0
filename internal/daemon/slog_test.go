package daemon

import (
	"log/slog"
	"slices"
	"testing"

	"github.com/maquininha/maquininha/internal/logbook"
)

func TestHandler(t *testing.T) {
	var said []string
	l := newLog(func(e logbook.Entry) error {
		said = append(said, string(e.Level)+" "+e.Message)
		return nil
	})
	log := slog.New(l.Handler(slog.LevelInfo))
	log.Debug("not heard")
	log.Info("hub iniciado", "versão", "1.0")
	log.With("terminal", "m1").WithGroup("rede").Warn("caiu", "motivo", "fim", "vezes", 3)
	log.Error("acabou")
	l.Close()
	want := []string{
		string(logbook.Info) + " hub iniciado, versão: 1.0", string(logbook.Warning) + " caiu, terminal: m1, rede.motivo: fim, rede.vezes: 3", string(logbook.Error) + " acabou",
	}
	if !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}
