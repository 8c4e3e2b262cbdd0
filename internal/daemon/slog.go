package daemon

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/maquininha/maquininha/internal/logbook"
)

// Handler has what a program tells slog, from a level on, in the system's log.
func (l *Log) Handler(from slog.Level) slog.Handler { return handler{log: l, from: from} }

type handler struct {
	log  *Log
	from slog.Level
	with string // what every record ends with
	in   string // before the names of what is told
}

func (h handler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.from }

func (h handler) Handle(_ context.Context, r slog.Record) error {
	text := r.Message + h.with
	r.Attrs(func(a slog.Attr) bool {
		text += h.pair(a)
		return true
	})
	h.log.Add(logbook.Entry{At: r.Time, Level: levelOf(r.Level), Source: logbook.App, Message: text})
	return nil
}

func (h handler) WithAttrs(all []slog.Attr) slog.Handler {
	for _, a := range all {
		h.with += h.pair(a)
	}
	return h
}

func (h handler) WithGroup(name string) slog.Handler {
	h.in += name + "."
	return h
}

func (h handler) pair(a slog.Attr) string {
	return fmt.Sprintf(", %s%s: %s", h.in, a.Key, a.Value.Resolve())
}

func levelOf(l slog.Level) logbook.Level {
	switch {
	case l >= slog.LevelError:
		return logbook.Error
	case l >= slog.LevelWarn:
		return logbook.Warning
	case l >= slog.LevelInfo:
		return logbook.Info
	}
	return logbook.Debug
}
