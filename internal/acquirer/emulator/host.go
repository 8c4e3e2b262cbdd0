package emulator

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// host is the bank's side of the emulator: its own memory of what was charged, on disk, so that a service that
// died in the middle can ask afterwards, as it would ask a real acquirer.
type host struct {
	mu   sync.Mutex
	file *os.File
	size int64 // of the whole lines
	nsu  int64
	last map[string]entry // by operation
}

// entry is one line of the file; the newest of an operation counts.
type entry struct {
	Operation string    `json:"operation"`
	State     hostState `json:"state"`
	NSU       int64     `json:"nsu"`
	At        time.Time `json:"at"`
}

type hostState string

const (
	charged hostState = "charged"
	undone  hostState = "undone"  // a charge taken back, or ruled out before it could happen
	givenUp hostState = "givenUp" // a reversal ruled out before it could happen
	repaid  hostState = "repaid"
)

// DamagedError means a line of the bank's file that it did not write so. The file is left as it is.
type DamagedError struct {
	Path string
	Line int
	err  error
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s, line %d: %v", e.Path, e.Line, e.err) }
func (e *DamagedError) Unwrap() error { return e.err }

func openHost(dir string) (*host, error) {
	path := filepath.Join(dir, "emulator-host.jsonl")
	h := &host{last: map[string]entry{}}
	var err error
	if h.size, err = h.read(path); err != nil {
		return nil, err
	}
	if h.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	// A line cut off by a power loss was never answered: write over it.
	if err := h.file.Truncate(h.size); err != nil {
		h.file.Close()
		return nil, err
	}
	if h.size == 0 {
		syncFolder(dir)
	}
	return h, nil
}

// syncFolder keeps the name of a new file, where folders can be synced; Windows does so by itself.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

// read takes in every whole line and returns where the last one ends.
func (h *host) read(path string) (good int64, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewReader(f)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return good, nil
		}
		if err != nil {
			return 0, err // of what can't be read nothing may be cut off
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			if _, end := lines.Peek(1); end != nil && bytes.IndexByte(line, 0) >= 0 {
				return good, nil // its end came to the disk before its beginning, which is zeros
			}
			return 0, &DamagedError{path, n, err}
		}
		good += int64(len(line))
		h.last[e.Operation] = e
		h.nsu = max(h.nsu, e.NSU)
	}
}

// record moves an operation to a new state, unless it is in one of those that rule it out; it returns the entry
// that counts now. It is on disk when record returns.
func (h *host) record(operation string, state hostState, ruledOutBy ...hostState) (entry, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.last[operation]
	for _, s := range ruledOutBy {
		if now.State == s {
			return now, nil
		}
	}
	e := entry{Operation: operation, State: state, NSU: h.nsu + 1, At: time.Now()}
	line, err := json.Marshal(e)
	if err != nil {
		return entry{}, err
	}
	line = append(line, '\n')
	if err := h.append(line); err != nil {
		return entry{}, err
	}
	h.nsu = e.NSU
	h.last[operation] = e
	return e, nil
}

// append keeps a line whole or not at all: the next one must not be written behind half of it.
func (h *host) append(line []byte) error {
	_, err := h.file.WriteAt(line, h.size)
	if err == nil {
		err = h.file.Sync()
	}
	if err != nil {
		return errors.Join(err, h.file.Truncate(h.size))
	}
	h.size += int64(len(line))
	return nil
}

func (h *host) close() error { return h.file.Close() }
