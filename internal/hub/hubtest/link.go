package hubtest

import (
	"context"
	"errors"
	"net/http"
)

// Link is a terminal's link without a connection: what is asked on it is answered by a function. It fills links.Link.
type Link struct {
	id      string
	answer  func(*http.Request) (*http.Response, error)
	endless bool
	ctx     context.Context
	end     context.CancelFunc
}

// NewLink is one that has news once. Without an answer nothing can be asked on it.
func NewLink(terminal string, answer func(*http.Request) (*http.Response, error)) *Link {
	l := &Link{id: terminal, answer: answer}
	l.ctx, l.end = context.WithCancel(context.Background())
	return l
}

// NewEndlessLink is one that has news again and again.
func NewEndlessLink(terminal string, answer func(*http.Request) (*http.Response, error)) *Link {
	l := NewLink(terminal, answer)
	l.endless = true
	return l
}

var errNoAnswer = errors.New("nobody answers on this link")

// RoundTrip answers a request.
func (l *Link) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.answer == nil {
		return nil, errNoAnswer
	}
	return l.answer(r)
}

// OnNews has somebody look, as tunnel.Conn does.
func (l *Link) OnNews(look func() error) {
	go func() {
		for l.ctx.Err() == nil && (look() != nil || l.endless) {
		}
	}()
}

// Terminal is its id.
func (l *Link) Terminal() string { return l.id }

// Version is the terminal's.
func (l *Link) Version() string { return "1" }

// Context ends with the link.
func (l *Link) Context() context.Context { return l.ctx }

// Close ends it.
func (l *Link) Close() error {
	l.end()
	return nil
}

// Closed tells whether it has ended.
func (l *Link) Closed() bool { return l.ctx.Err() != nil }
