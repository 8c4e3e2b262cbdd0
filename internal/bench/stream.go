package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

const streamReaders = 50

// listener is one reader of the log stream.
type listener struct {
	body     io.ReadCloser
	commands atomic.Int64 // entries of the commands sent here
	last     int64        // id
	failure  chan error
}

// measureStream has many follow the log while commands come in as fast as they can, and counts what each was
// sent: one entry a command, in order, with no id left out.
func (b *bench) measureStream() ([]figures.Row, error) {
	service, err := b.freshService("stream")
	if err != nil {
		return nil, err
	}
	defer service.Stop() //nolint:errcheck // what it answered is counted already
	if _, err := rig.Send(service.Address, openSale); err != nil {
		return nil, err
	}
	listeners := make([]*listener, streamReaders)
	for i := range listeners {
		if listeners[i], err = listen(service.Address); err != nil {
			return nil, err
		}
		defer listeners[i].body.Close()
	}
	started := time.Now()
	var sent atomic.Int64
	rate, err := rig.Drive(service.Address, manyClients, func() []byte { sent.Add(1); return addItem }, rig.During(b.stream))
	if err != nil {
		return nil, err
	}
	const patience = 10 * time.Second
	received, err := b.gather(listeners, sent.Load(), patience)
	if err != nil {
		return nil, err
	}
	delivered := float64(received) / time.Since(started).Seconds()
	expected := sent.Load() * streamReaders
	return []figures.Row{{
		Measure: fmt.Sprintf("log stream, %d readers", streamReaders), Value: figures.Thousands(int(delivered)) + " entries/s",
		Against: fmt.Sprintf("%s commands at %s: %s entries lost", figures.Thousands(int(sent.Load())), figures.PerSecond(rate), figures.Thousands(int(expected-received))),
		Ratio:   float64(received) / float64(expected), Goal: "every entry", OK: received == expected,
	}}, nil
}

// gather waits until every reader has an entry for each command, or has had its time, and counts the entries.
func (b *bench) gather(listeners []*listener, commands int64, patience time.Duration) (received int64, err error) {
	deadline := time.Now().Add(patience)
	for {
		received = 0
		for _, l := range listeners {
			select {
			case err := <-l.failure:
				return 0, fmt.Errorf("a reader of the stream: %w", err)
			default:
			}
			received += l.commands.Load()
		}
		if received >= commands*int64(len(listeners)) || time.Now().After(deadline) {
			return received, b.ctx.Err()
		}
		time.Sleep(time.Millisecond)
	}
}

// listen begins to read; it returns when the service has begun to send, so that no later entry may be missing.
func listen(address string) (*listener, error) {
	r, err := http.NewRequest("GET", "http://"+address+"/logs/stream", nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", rig.Authorization)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, errors.New("the log stream was answered with " + answer.Status)
	}
	l := &listener{body: answer.Body, failure: make(chan error, 1)}
	go func() { l.failure <- l.read() }()
	return l, nil
}

func (l *listener) read() error {
	lines := bufio.NewScanner(l.body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		var entry struct{ ID, Message string }
		if err := json.Unmarshal(data, &entry); err != nil {
			return err
		}
		id, err := strconv.ParseInt(entry.ID, 10, 64)
		if err != nil {
			return err
		}
		if l.last != 0 && id != l.last+1 {
			return fmt.Errorf("entry %d follows entry %d", id, l.last)
		}
		l.last = id
		if strings.HasPrefix(entry.Message, "POST /sale/item ") {
			l.commands.Add(1)
		}
	}
	return errors.Join(lines.Err(), io.ErrUnexpectedEOF)
}
