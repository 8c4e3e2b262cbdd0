package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func newLines(r io.Reader) *bufio.Scanner {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20) // a long cart comes as one line
	return lines
}

// between waits for a while that is never the same; false when the campaign ended.
func between(ctx context.Context, least, most time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(least + rand.N(most-least)):
		return true
	}
}

// readLogs follows the log for a while.
func (s *shop) readLogs(ctx context.Context) {
	for between(ctx, 10*time.Millisecond, time.Second) {
		while, leave := context.WithTimeout(ctx, 100*time.Millisecond+rand.N(4*time.Second))
		s.follow(while, s.api+"/logs/stream", func(string) {})
		leave()
	}
}

// sitBefore is a page that comes and goes, with a person before it who does what it asks: while it is open the
// autopilot keeps its hands off.
func (s *shop) sitBefore(ctx context.Context) {
	for between(ctx, time.Second, 3*time.Second) {
		while, leave := context.WithTimeout(ctx, 500*time.Millisecond+rand.N(1500*time.Millisecond))
		p := &page{shop: s, ctx: while}
		s.follow(while, s.screen+"/feed", p.line)
		leave()
	}
}

type page struct {
	*shop
	ctx         context.Context
	event, data string
}

// line takes one in. An event counts once the empty line after it is there: who leaves has half a line in hand.
func (p *page) line(text string) {
	name, value, _ := strings.Cut(text, ": ")
	switch {
	case name == "event":
		p.event = value
	case name == "data":
		p.data = value
	case text == "" && p.event == "hello":
		var hello struct{ Page string }
		if err := json.Unmarshal([]byte(p.data), &hello); err != nil {
			p.failed("the feed: " + err.Error())
			return
		}
		// A restart forgets the page.
		p.touch(p.ctx, "/page/visible", `{"page":`+strconv.Quote(hello.Page)+`,"visible":true}`, http.StatusNotFound)
	case text == "" && p.event == "state":
		p.act(p.data)
	}
	if text == "" {
		p.event, p.data = "", ""
	}
}

// act answers what is asked. The screen may have moved on by then: that is a 409.
func (p *page) act(value string) {
	var state struct {
		Question *struct {
			Serial   uint64
			Index    int
			Question struct{ DefaultValue string }
		}
		Payment *struct{ Step string }
	}
	if err := json.Unmarshal([]byte(value), &state); err != nil {
		p.failed("the feed: " + err.Error())
		return
	}
	if q := state.Question; q != nil {
		answer, err := json.Marshal(q.Question.DefaultValue)
		if err != nil {
			panic(err) // a string
		}
		p.touch(p.ctx, "/question/answer", fmt.Sprintf(`{"serial":%d,"index":%d,"value":%s}`, q.Serial, q.Index, answer), http.StatusConflict)
	}
	if state.Payment != nil {
		p.touch(p.ctx, "/emulator/payment", `{"outcome":"approve"}`, http.StatusConflict)
	}
}
