package counter

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// Ending is how the people and the other side are to end an operation.
type Ending string

// The endings.
const (
	Approve Ending = "approve"
	Refuse  Ending = "refuse"
	Cancel  Ending = "cancel"
	Silent  Ending = "silent" // the other side does not answer as it should
)

// person stands in front of the terminal, cashier and customer in one: looks at the screen as the page does, by its feed,
// and does what it asks for.
type person struct {
	screen string // its address
	pix    string // the customer's bank; empty: none
	device string // the acquirer of the device that the customer stands at; empty: none
	// keepsWaiting tells of a device where a card that is refused ends nothing: somebody has to cancel.
	keepsWaiting bool

	client  *http.Client
	wishes  func() Ending
	emulate bool                 // the emulator's own panel plays card and customer
	later   func(func())         // does something whatever becomes of the terminal
	hurry   func() time.Duration // how long the customer takes
	heard   func(feed string)    // all that the screen is told
}

// watch follows the screen, and comes back to it as the page does when its connection is lost.
func (p *person) watch(ctx context.Context) {
	for ctx.Err() == nil {
		p.follow(ctx)
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// follow looks at the screen until the feed ends.
func (p *person) follow(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+p.screen+"/feed", nil)
	if err != nil {
		return
	}
	response, err := p.client.Do(r)
	if err != nil {
		return
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	event := ""
	for lines.Scan() {
		p.heard(lines.Text())
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event = name
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			p.see(ctx, event, []byte(data))
		}
	}
}

func (p *person) see(ctx context.Context, event string, data []byte) {
	var seen struct {
		Page     string
		Payment  *prompt
		Question *asked
	}
	if json.Unmarshal(data, &seen) != nil {
		return
	}
	if event == "hello" {
		p.post(ctx, p.screen, "/page/visible", map[string]any{"page": seen.Page, "visible": true})
		go p.beat(ctx, seen.Page)
	}
	if seen.Payment != nil {
		p.act(ctx, *seen.Payment)
	}
	if seen.Question != nil {
		p.answer(ctx, *seen.Question)
	}
}

// beat says every second that the page lives.
func (p *person) beat(ctx context.Context, page string) {
	for ctx.Err() == nil {
		select {
		case <-time.After(time.Second):
			p.post(ctx, p.screen, "/page/beat", map[string]any{"page": page})
		case <-ctx.Done():
		}
	}
}

// prompt is the payment on the screen.
type prompt struct {
	Serial  uint64
	Kind    string
	Step    string
	Methods []string
	BRCode  string

	Cancellable bool
}

// txidPattern is a charge of the terminal's within a BR Code.
var txidPattern = regexp.MustCompile(`mq[a-z2-7]{32}`)

func (p *person) act(ctx context.Context, now prompt) {
	do := func(action string, more ...string) {
		body := map[string]any{"serial": now.Serial, "action": action}
		if len(more) > 0 {
			body["method"] = more[0]
		}
		p.post(ctx, p.screen, "/payment/act", body)
	}
	switch {
	case p.emulate && (now.Step == "card" || now.Step == "pix" || now.Step == "confirm" || now.Step == "choose"):
		outcome := p.wishes()
		if outcome == Silent {
			p.post(ctx, p.screen, "/emulator/acquirer", map[string]any{"next": "timeout"})
			outcome = Approve
		}
		p.post(ctx, p.screen, "/emulator/payment", map[string]any{"outcome": outcome})
	case now.Step == "choose":
		do("choose", now.Methods[0])
	case now.Step == "confirm" && p.wishes() == Cancel:
		do("cancel")
	case now.Step == "confirm":
		do("confirm")
	case (now.Step == "pix" || now.Step == "card" && p.device != "") && p.wishes() == Cancel && now.Cancellable:
		do("cancel")
	case now.Step == "card" && p.device != "":
		p.useCard()
	case now.Step == "pix":
		p.pay(txidPattern.FindString(now.BRCode))
	}
}

// useCard is the customer at the device, who pays even if the terminal is gone by then.
func (p *person) useCard() {
	what := map[Ending]string{Refuse: "refuse", Cancel: "cancel"}[p.wishes()]
	if what == "refuse" && p.keepsWaiting {
		what = "cancel"
	}
	p.atSimulator(p.device, "/sim/"+cmp.Or(what, "pay"))
}

// pay is the customer, who has seen the code and pays even if the terminal is gone by then.
func (p *person) pay(txid string) {
	what := "pay"
	if p.wishes() == Refuse {
		what = "remove"
	}
	p.atSimulator(p.pix, fmt.Sprintf("/sim/%s/%s", what, txid))
}

// atSimulator does something after a moment, whatever becomes of the terminal.
func (p *person) atSimulator(at, path string) {
	wait := p.hurry()
	p.later(func() {
		time.Sleep(wait)
		ctx, cancel := context.WithTimeout(context.Background(), Patience)
		defer cancel()
		p.post(ctx, at, path, map[string]any{})
	})
}

// asked is the question on the screen.
type asked struct {
	Serial uint64
	Index  int
}

// Answered is what the person says to every question.
const Answered = "obrigado"

func (p *person) answer(ctx context.Context, q asked) {
	if p.wishes() == Cancel {
		p.post(ctx, p.screen, "/question/cancel", map[string]any{"serial": q.Serial})
		return
	}
	p.post(ctx, p.screen, "/question/answer", map[string]any{"serial": q.Serial, "index": q.Index, "value": Answered})
}

func (p *person) post(ctx context.Context, to, path string, body map[string]any) {
	Post(ctx, p.client, to, path, body)
}

// Post does one thing at an address; who is gone meanwhile does not hear it.
func Post(ctx context.Context, client *http.Client, to, path string, body map[string]any) {
	text, err := json.Marshal(body)
	if err != nil {
		return
	}
	if !strings.Contains(to, "://") {
		to = "http://" + to
	}
	r, err := http.NewRequestWithContext(ctx, "POST", to+path, bytes.NewReader(text))
	if err != nil {
		return
	}
	r.Header.Set("Origin", to)
	if response, err := client.Do(r); err == nil {
		response.Body.Close()
	}
}
