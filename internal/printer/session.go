package printer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/printing"
)

// line is an open way to a printer. Reading and writing wait for at most the
// time given; os.ErrDeadlineExceeded then says that nothing, or not all, went.
type line interface {
	read(p []byte, within time.Duration) (int, error)
	write(p []byte, within time.Duration) (int, error)
	// unsent is how many bytes were taken but are not with the printer yet; 0
	// where nobody knows.
	unsent() int
	// close ends a line on which all went well.
	close() error
	// drop ends a line on which something went wrong; what was not sent is lost.
	drop()
}

// errMute means a line that nothing can be read from.
var errMute = errors.New("the printer can't be heard")

const (
	// silenceTimeout is how long a printer may show no sign of life. It has a small
	// buffer and must be waited for, but a dead one may cost five seconds in all.
	silenceTimeout = 4200 * time.Millisecond
	// provenAfter is how long a printer must have worked to count as one that lives:
	// before, it may be only the buffers on the way that take what is sent.
	provenAfter = 2 * time.Second
	// standstill is a wait too long for anything but a printer at work.
	standstill = 500 * time.Millisecond
	// answerTimeout is how long a printer has to say how it is. One that says
	// nothing can't.
	answerTimeout = 500 * time.Millisecond
	// printerBuffer is what a printer holds without having printed it, in bytes;
	// slowest is how long it may take for that.
	printerBuffer = 16 << 10
	slowest       = 30 * time.Second
	// pollInterval is how often a wait looks at what else happened.
	pollInterval = 100 * time.Millisecond
)

// pace is how long a printer is waited for.
type pace struct {
	silence time.Duration // while it shows no sign of life
	answer  time.Duration // for how it is
}

// session is one job on a line.
type session struct {
	ctx     context.Context
	line    line
	dialect escpos.Dialect
	pace    pace
	started time.Time
	opened  time.Time // when the printer was reached
	alive   time.Time // when the printer last gave a sign of life
	sent    int       // bytes, in all
	queue   int       // of them not with the printer when last looked
	working bool      // what stood still went on: no buffer does that, only a printer
	reports bool      // it answers when asked how it is
}

// Write sends all of p, at the printer's pace.
func (s *session) Write(p []byte) (int, error) {
	sent := 0
	for sent < len(p) {
		if err := s.ctx.Err(); err != nil {
			return sent, err
		}
		n, err := s.line.write(p[sent:], pollInterval)
		sent += n
		s.track(n)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return sent, fmt.Errorf("%w: writing: %w", printing.ErrOffline, err)
		}
		if err := s.checkAlive(); err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// track counts what the line took, and looks whether any of what it holds has gone:
// a line may take nothing for seconds while the printer empties it.
func (s *session) track(n int) {
	s.sent += n
	now := s.line.unsent()
	if now < s.queue+n {
		s.working = s.working || s.queue > 0 && time.Since(s.alive) > standstill
		s.alive = time.Now()
	}
	s.queue = now
}

// remaining is how long the printer is still waited for. One that lives is given the
// time of its own pace.
func (s *session) remaining() time.Duration {
	if !s.working && s.alive.Sub(s.started) < provenAfter {
		return s.pace.silence - time.Since(s.started)
	}
	return s.pace.silence + s.bufferTime() - time.Since(s.alive)
}

// checkAlive is an error once the printer has been silent for too long.
func (s *session) checkAlive() error {
	if s.remaining() > 0 {
		return nil
	}
	return fmt.Errorf("%w: it stopped taking what it was sent", printing.ErrOffline)
}

// ready asks the printer how it is before anything is sent.
func (s *session) ready() error {
	status, answered, err := s.ask(s.pace.answer)
	if err != nil {
		return err
	}
	if s.reports = answered; answered {
		s.alive = time.Now()
	}
	return s.checkStatus(status)
}

// confirm makes sure that the printer has everything and is well: paper that ran
// out in the middle is not on the counter.
func (s *session) confirm() error {
	for s.track(0); s.queue > 0; s.track(0) {
		if err := s.checkAlive(); err != nil {
			return err
		}
		if err := s.pause(pollInterval / 10); err != nil {
			return err
		}
	}
	if !s.reports {
		return s.listen()
	}
	status, answered, err := s.ask(max(s.remaining(), s.pace.answer+s.bufferTime()))
	if err != nil {
		return err
	}
	if !answered {
		return fmt.Errorf("%w: it no longer answers", printing.ErrOffline)
	}
	return s.checkStatus(status)
}

// bufferTime is how long the printer may need for what it holds itself, at the pace
// it has shown since it was reached: many make room, or answer, only once they have printed that.
func (s *session) bufferTime() time.Duration {
	gone := max(s.sent-s.queue, printerBuffer/4)
	return min(s.alive.Sub(s.opened)*printerBuffer/time.Duration(gone), slowest)
}

// listen waits for a moment whether the line breaks: a printer that can't report
// can at least hang up on what it did not read. One that ends a conversation in
// which it took everything has done its part.
func (s *session) listen() error {
	var buffer [64]byte
	for until := time.Now().Add(pollInterval); time.Now().Before(until); {
		_, err := s.line.read(buffer[:], time.Until(until))
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, errMute), errors.Is(err, io.EOF):
			return nil
		default:
			return fmt.Errorf("%w: %w", printing.ErrOffline, err)
		}
	}
	return nil
}

// checkStatus turns a status into an error. Trouble must be said twice: dots can look
// like a question, and a printer that answers those too puts the answers out of
// step.
func (s *session) checkStatus(status escpos.Status) error {
	if statusError(status) == nil {
		return nil
	}
	if err := s.pause(pollInterval); err != nil {
		return err
	}
	again, answered, err := s.ask(s.pace.answer)
	if err != nil {
		return err
	}
	if answered {
		status = again
	}
	if err := statusError(status); err != nil {
		return fmt.Errorf("%w (%v)", err, status)
	}
	return nil
}

// statusError is why a printer can't print. An open cover is named first: it mostly
// means no paper at the sensor and off-line too.
func statusError(s escpos.Status) error {
	switch {
	case s.Has(escpos.CoverOpen):
		return printing.ErrCoverOpen
	case s.Has(escpos.PaperOut):
		return printing.ErrPaperOut
	case s.Has(escpos.Offline | escpos.Failing):
		return printing.ErrOffline
	}
	return nil
}

// ask asks everything there is to ask; false when there is no answer in time.
func (s *session) ask(wait time.Duration) (status escpos.Status, answered bool, err error) {
	var stale [64]byte
	if _, err := s.line.read(stale[:], time.Millisecond); errors.Is(err, errMute) {
		return 0, false, nil
	}
	for i, q := range s.dialect.Questions {
		if _, err := s.Write(q.Ask); err != nil {
			return 0, false, err
		}
		said, ok, err := s.answer(q, wait)
		if err != nil {
			return 0, false, err
		}
		if !ok && i == 0 && wait <= s.pace.answer {
			wait /= 2
			continue // some do not answer the first question
		}
		if !ok {
			break // some answer the first question only
		}
		answered, wait = true, s.pace.answer
		status |= said
	}
	return status, answered, nil
}

func (s *session) answer(q escpos.Question, wait time.Duration) (escpos.Status, bool, error) {
	var b [1]byte
	var said []byte
	for until := time.Now().Add(wait); time.Now().Before(until); {
		if err := s.ctx.Err(); err != nil {
			return 0, false, err
		}
		n, err := s.line.read(b[:], min(pollInterval, time.Until(until)))
		switch {
		case errors.Is(err, errMute):
			return 0, false, nil
		case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
			return 0, false, fmt.Errorf("%w: asking how it is: %w", printing.ErrOffline, err)
		}
		if n == 0 {
			continue
		}
		s.alive = time.Now()
		if len(said) > 0 || q.Begins(b[0]) {
			said = append(said, b[0])
		}
		if status, ok := q.Status(said); ok {
			return status, true, nil
		}
	}
	return 0, false, nil
}

func (s *session) pause(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}
