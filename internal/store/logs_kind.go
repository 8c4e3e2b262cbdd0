package store

import (
	"fmt"

	"github.com/maquininha/maquininha/internal/logbook"
)

// A kind is a level of a source, numbered by their places here. The numbers are
// on disk: add at the end of the levels, and never reorder.
var (
	logLevels = [...]logbook.Level{
		logbook.Fatal, logbook.Error, logbook.Warning, logbook.Info,
		logbook.Trace, logbook.Path, logbook.Debug,
	}
	logSources = [...]logbook.Source{logbook.App, logbook.Router, logbook.HTTP}
)

const logKinds = len(logLevels) * len(logSources)

func logKind(level logbook.Level, source logbook.Source) (kind int, ok bool) {
	for i, l := range logLevels {
		if l != level {
			continue
		}
		for j, s := range logSources {
			if s == source {
				return i*len(logSources) + j, true
			}
		}
	}
	return 0, false
}

func levelAndSource(kind int) (logbook.Level, logbook.Source, error) {
	if kind < 0 || kind >= logKinds {
		return "", "", fmt.Errorf("%w: log kind %d", ErrUnreadable, kind)
	}
	return logLevels[kind/len(logSources)], logSources[kind%len(logSources)], nil
}

// kindsOf is the set of kinds, one bit each, of a level and a source; "" is any.
func kindsOf(level logbook.Level, source logbook.Source) (kinds uint32) {
	for kind := range logKinds {
		if (level == "" || level == logLevels[kind/len(logSources)]) &&
			(source == "" || source == logSources[kind%len(logSources)]) {
			kinds |= 1 << kind
		}
	}
	return kinds
}
