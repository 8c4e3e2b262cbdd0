package referee

import (
	"fmt"
	"strings"
	"time"
)

// nothing finds a run without any request: its program calls another terminal, or none, and without this it would pass.
func (c *courtroom) nothing() {
	if c.find(func(x *Exchange) bool { return x.Route != "" }) == nil && !c.unfinished(c.Start) {
		c.faults = append(c.faults, Fault{Rule: NothingTested, At: c.End, What: "nenhuma rota do terminal foi chamada"})
	}
}

// leastWait is what callers must be ready to wait for a person: 60 s, of which the way here and the clocks may take a little.
const leastWait = 59 * time.Second

func (c *courtroom) hangUps() {
	for i := range c.Exchanges {
		x := &c.Exchanges[i]
		switch x.Route {
		case pay, reverse, ask, askForm:
		default:
			continue
		}
		if x.Left.IsZero() || c.unfinished(x.Left) || c.wasCalledOff(x) {
			continue
		}
		if waited := x.Left.Sub(x.Arrived); waited < leastWait {
			c.accuse(ShortTimeout, x, fmt.Sprintf("%s: o chamador desligou depois de %s, antes da resposta", x.sentence(), seconds(waited)))
		}
	}
}

func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return strings.Replace(fmt.Sprintf("%.1f s", d.Seconds()), ".", ",", 1)
	}
	return fmt.Sprintf("%d s", int(d.Seconds()))
}

// stubborn is how many refusals of one pair are no accident any more.
const stubborn = 3

// credentials looks for pairs that are sent again and again. Without any, many libraries ask first and answer the challenge
// then: that is no fault.
func (c *courtroom) credentials() {
	const wrongPair = "seguidas com usuário ou senha errados"
	var wrong, missing []*Exchange
	challenged := map[string]time.Time{} // when a request was last sent with some
	for i := range c.Exchanges {
		if x := &c.Exchanges[i]; x.Credentials {
			challenged[x.sentence()] = x.Arrived
		}
	}
	flush := func(all *[]*Exchange, what string) {
		if n := len(*all); n >= stubborn {
			c.accuse(WrongCredentials, (*all)[0], fmt.Sprintf("%d requisições %s", n, what))
		}
		*all = nil
	}
	for i := range c.Exchanges {
		x := &c.Exchanges[i]
		switch {
		case x.Status == 0 || x.Route == "" && x.Status != stranger:
		case x.Status != stranger:
			flush(&wrong, wrongPair)
		case x.Credentials:
			wrong = append(wrong, x)
		case !challenged[x.sentence()].After(x.Arrived):
			missing = append(missing, x)
		}
	}
	flush(&wrong, wrongPair)
	flush(&missing, "sem credenciais")
}

// Faster than this, for this long, without doing anything else, is a loop without a pause.
const (
	pollsPerSecond = 10
	pollingSpan    = 3 * time.Second
	mostPolls      = pollsPerSecond * int(pollingSpan/time.Second)
	// mostOneShots is for polls that each come by a connection of their own: nobody can tell whose they are, but so many of
	// which no two overlap are one caller's, who waits for each before the next.
	mostOneShots = 5 * mostPolls
)

// polling judges each connection by itself: several callers may read at once.
func (c *courtroom) polling() {
	uses := map[string]int{}
	for i := range c.Exchanges {
		uses[c.Exchanges[i].Caller]++
	}
	streaks := map[string][]*Exchange{}
	accused := map[string]bool{}
	for i := range c.Exchanges {
		x := &c.Exchanges[i]
		switch x.Route {
		case "GET /status", "GET /info", "GET /operation", seeSale, list, lookUp:
		case "", "GET /operation/stream":
			continue
		default:
			clear(streaks)
			clear(accused)
			continue
		}
		caller, most := x.Caller, mostPolls
		if uses[caller] == 1 {
			caller, most = "one-shot", mostOneShots
		}
		streak := streaks[caller]
		if n := len(streak); caller == "one-shot" && n > 0 && !streak[n-1].Answered.Before(x.Arrived) {
			streak = nil
		}
		streak = append(streak, x)
		if len(streak) > most {
			streak = streak[len(streak)-most-1:]
			if took := x.Arrived.Sub(streak[0].Arrived); !accused[caller] && took <= pollingSpan {
				accused[caller] = true
				c.accuse(FastPolling, streak[0], fmt.Sprintf("%s e outras: %d consultas em %s", streak[0].sentence(), len(streak), seconds(took)))
			}
		}
		streaks[caller] = streak
	}
}
