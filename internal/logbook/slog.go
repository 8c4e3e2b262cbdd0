package logbook

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Levels that slog has no name for, between and beyond its own.
const (
	SlogFatal = slog.LevelError + 4
	SlogTrace = slog.LevelInfo - 1
	SlogPath  = slog.LevelInfo - 2
)

// levelOf takes a level of slog's to the nearest of the book's that is not graver.
func levelOf(l slog.Level) Level {
	switch {
	case l >= SlogFatal:
		return Fatal
	case l >= slog.LevelError:
		return Error
	case l >= slog.LevelWarn:
		return Warning
	case l >= slog.LevelInfo:
		return Info
	case l >= SlogTrace:
		return Trace
	case l >= SlogPath:
		return Path
	}
	return Debug
}

// Handler lets the rest of the program log through a *slog.Logger: the message is
// the entry's message, each attribute a line key=value of its details.
func (b *Book) Handler(source Source) slog.Handler {
	return &handler{book: b, source: source}
}

type handler struct {
	book    *Book
	source  Source
	details string // of WithAttrs
	prefix  string // of WithGroup: "group."
}

func (h *handler) Enabled(context.Context, slog.Level) bool { return true }

func (h *handler) Handle(_ context.Context, r slog.Record) error {
	details := h.details
	if r.NumAttrs() > 0 {
		var text strings.Builder
		text.WriteString(h.details)
		r.Attrs(func(a slog.Attr) bool {
			writeAttr(&text, h.prefix, a)
			return true
		})
		details = text.String()
	}
	h.book.Add(levelOf(r.Level), h.source, r.Message, strings.TrimSuffix(details, "\n"))
	return nil
}

func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	var text strings.Builder
	text.WriteString(h.details)
	for _, a := range attrs {
		writeAttr(&text, h.prefix, a)
	}
	with := *h
	with.details = text.String()
	return &with
}

func (h *handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	with := *h
	with.prefix += name + "."
	return &with
}

// writeAttr writes an attribute as lines, each ended.
func writeAttr(text *strings.Builder, prefix string, a slog.Attr) {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		if a.Key != "" {
			prefix += a.Key + "."
		}
		for _, member := range value.Group() {
			writeAttr(text, prefix, member)
		}
		return
	}
	if a.Equal(slog.Attr{}) {
		return
	}
	text.WriteString(prefix)
	text.WriteString(a.Key)
	text.WriteByte('=')
	text.WriteString(valueText(a.Key, value))
	text.WriteByte('\n')
}

// valueText is a value for people. What must never be in a log is left out here
// too, should a caller forget.
func valueText(key string, value slog.Value) string {
	switch strings.ToLower(key) {
	case "password", "senha", "authorization":
		return "***"
	}
	switch value.Kind() {
	case slog.KindTime:
		return value.Time().Format(time.RFC3339Nano)
	case slog.KindAny:
		if bytes, ok := value.Any().([]byte); ok {
			return fmt.Sprintf("(%d bytes)", len(bytes))
		}
	}
	return value.String()
}
