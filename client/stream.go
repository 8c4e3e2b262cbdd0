package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"time"
)

// silence is how long a stream may say nothing; the terminal sends a sign of life every 15 s.
const silence = 45 * time.Second

// stream opens a stream of events and reads each as a T; of what says whose.
func stream[T any](ctx context.Context, c *Client, path, of string) (iter.Seq2[T, error], error) {
	ctx, cancel := context.WithCancel(ctx)
	late := time.AfterFunc(c.timeout, cancel) // the stream has no end, but its beginning has
	answer, err := c.open(ctx, call{method: http.MethodGet, path: path})
	if !late.Stop() && err == nil {
		answer.Body.Close()
		err = fmt.Errorf("%w: %w", ErrNoAnswer, context.DeadlineExceeded)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	return func(yield func(T, error) bool) {
		defer answer.Body.Close()
		defer cancel()
		quiet := time.AfterFunc(silence, func() { answer.Body.Close() })
		defer quiet.Stop()
		lines := bufio.NewReader(answer.Body)
		var none T
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				if ctx.Err() == nil {
					yield(none, fmt.Errorf("%w: o acompanhamento %s caiu: %w", ErrNoAnswer, of, err))
				}
				return
			}
			quiet.Stop()
			if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				var e T
				if err := json.Unmarshal(text, &e); err != nil {
					yield(none, fmt.Errorf("%w: evento ilegível no acompanhamento %s: %w", ErrNoAnswer, of, err))
					return
				}
				if !yield(e, nil) { // a slow loop is not the terminal's silence
					return
				}
			}
			quiet.Reset(silence)
		}
	}, nil
}
