package httpapi

import (
	"archive/zip"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

type logBody struct {
	ID        string         `json:"id"`
	Level     logbook.Level  `json:"level"`
	Source    logbook.Source `json:"source"`
	Message   string         `json:"message"`
	Details   *string        `json:"details"`
	CreatedAt stamp          `json:"createdAt"`

	of logbook.Entry // for who needs more than is shown
}

func logOf(e logbook.Entry) logBody {
	return logBody{strconv.FormatInt(e.ID, 10), e.Level, e.Source, e.Message, orNull(e.Details), stampOf(e.At), e}
}

const defaultLogs = 1000

func (api *API) listLogs(r *http.Request) (any, error) {
	q, err := readQuery(r)
	if err != nil {
		return nil, err
	}
	find, err := q.logs(defaultLogs)
	if err != nil {
		return nil, err
	}
	find.Search = q.Get("search")
	details, err := q.flag("includeDetails", true)
	if err != nil {
		return nil, err
	}
	return list(func(emit func(any) error) error {
		return api.Logs.Find(r.Context(), find, func(e logbook.Entry) error {
			if !details {
				e.Details = ""
			}
			return emit(logOf(e))
		})
	}), nil
}

// logs reads the filters that both ways to read the log share.
func (q query) logs(limit int) (find logbook.Query, err error) {
	if find.Level = logbook.Level(q.Get("level")); find.Level != "" && !find.Level.Known() {
		return find, invalid("level", "deve ser um de: fatal, error, warning, info, trace, path, debug")
	}
	if find.Source = logbook.Source(q.Get("source")); find.Source != "" && !find.Source.Known() {
		return find, invalid("source", "deve ser um de: app, router, http")
	}
	if find.From, err = q.moment("dateFrom", false); err != nil {
		return find, err
	}
	if find.To, err = q.moment("dateTo", true); err != nil {
		return find, err
	}
	find.Limit, err = q.limit(limit)
	return find, err
}

// logArchive is the download of the log under a name.
func (api *API) logArchive(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { api.downloadLogs(w, r, name) }
}

// downloadLogs sends what the filters leave as it reads it: a month of logs is never in memory.
func (api *API) downloadLogs(w http.ResponseWriter, r *http.Request, name string) {
	started := time.Now()
	q, err := readQuery(r)
	if err != nil {
		api.fail(w, r, started, logbook.HTTP, err)
		return
	}
	find, err := q.logs(0)
	if err != nil {
		api.fail(w, r, started, logbook.HTTP, err)
		return
	}
	if find, err = api.newestOldestFirst(r, find); err != nil {
		api.fail(w, r, started, logbook.HTTP, err)
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	expose(w.Header(), "Content-Disposition", `attachment; filename="`+name+`.zip"`)
	if r.Method == http.MethodHead {
		return
	}
	archive := zip.NewWriter(w)
	file, err := archive.CreateHeader(&zip.FileHeader{Name: name + ".log", Method: zip.Deflate, Modified: time.Now()})
	if err == nil {
		var line []byte
		err = api.Logs.Find(r.Context(), find, func(e logbook.Entry) error {
			line = logbook.AppendLine(line[:0], e)
			_, err := file.Write(line)
			return err
		})
	}
	if err == nil {
		err = archive.Close()
	}
	if err != nil {
		panic(http.ErrAbortHandler) // half an archive must not look like a whole one
	}
}

// newestOldestFirst asks for the same entries the other way round: a limit means the newest, wherever it is asked.
func (api *API) newestOldestFirst(r *http.Request, find logbook.Query) (logbook.Query, error) {
	if find.Limit > 0 {
		err := api.Logs.Find(r.Context(), find, func(e logbook.Entry) error {
			find.FromID = e.ID
			return nil
		})
		if err != nil {
			return find, err
		}
	}
	find.OldestFirst = true
	return find, nil
}

// streamPiece is about how much of a stream is held at once: where many follow a log that is written at full speed,
// each of them has fallen behind by hundreds of entries.
const streamPiece = 16 << 10

// streamPatience is how long a reader of the stream may stall, a person's pause for instance: it holds nothing but its connection,
// and loses no entry.
const streamPatience = 24 * time.Hour

// logStream is the stream of the log, each entry as write has it.
func (api *API) logStream(write func(logBody) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { api.streamLogs(w, r, write) }
}

// streamLogs sends every entry made while the connection is open. A slow reader catches up from the store.
func (api *API) streamLogs(w http.ResponseWriter, r *http.Request, write func(logBody) any) {
	follower := api.Logs.Follow()
	out, ok := beginEvents(w, r)
	if !ok {
		return
	}
	ctx, cancel := mergeContexts(r.Context(), api.stopping)
	defer cancel()
	var event []byte
	for {
		entries, err := nextEntries(ctx, follower, api.Timeouts.KeepAlive)
		if err != nil {
			return
		}
		out.SetWriteDeadline(time.Now().Add(streamPatience)) //nolint:errcheck // the connection may be gone
		event = event[:0]
		if len(entries) == 0 {
			event = append(event, ": \n\n"...)
		}
		for _, e := range entries {
			body, err := json.Marshal(write(logOf(e)))
			if err != nil {
				return
			}
			event = append(append(append(event, "data: "...), body...), "\n\n"...)
			if len(event) < streamPiece {
				continue
			}
			if _, err := w.Write(event); err != nil {
				return
			}
			event = event[:0]
		}
		if _, err := w.Write(event); err != nil || out.Flush() != nil {
			return
		}
	}
}
