package httpsim

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Control serves, below /sim, what an API does not have: people, what goes wrong, and what tests want to know. Every simulator
// has these commands; Commands are its own.
//
//	GET  /sim                                                    what there is
//	POST /sim/next    {"misbehaviour", "on"?, "times"?, "ms"?}   misbehave
//	POST /sim/behave                                             … or not any more
//	GET  /sim/violations                                         the requests that broke a rule
type Control struct {
	Whims      *Whims
	Violations func() []string
	Commands   map[string]Command // by method and first word, like "POST pay"
	Manual     map[string]string  // in words for people, like "POST /sim/pay"
	Missing    []error            // mean that there is no such thing
	Conflicts  []error            // mean that it is not in the state for that
}

// Command does something; argument is the rest of the path.
type Command func(argument string, body []byte) (any, error)

// By is a command that does something with what its argument names, and has nothing to tell.
func By(do func(id string) error) Command {
	return func(id string, _ []byte) (any, error) { return Done, do(id) }
}

var errNoCommand = errors.New("comando desconhecido: veja GET /sim")

// Done is what a command answers that has nothing to tell.
var Done = map[string]bool{"ok": true}

func (c Control) answer(r *http.Request, body []byte, problem func(int, string) Reply) Reply {
	name, argument, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/sim"), "/"), "/")
	if len(body) == 0 {
		body = []byte("{}")
	}
	is := func(err error) func(error) bool { return func(kind error) bool { return errors.Is(err, kind) } }
	answer, err := c.do(r.Method+" "+name, argument, body)
	switch {
	case errors.Is(err, errNoCommand) || slices.ContainsFunc(c.Missing, is(err)):
		return problem(http.StatusNotFound, err.Error())
	case slices.ContainsFunc(c.Conflicts, is(err)):
		return problem(http.StatusConflict, err.Error())
	case err != nil:
		return problem(http.StatusBadRequest, err.Error())
	}
	return Reply{Status: http.StatusOK, Body: answer}
}

func (c Control) do(name, argument string, body []byte) (any, error) {
	switch name {
	case "GET ":
		return c.manual(), nil
	case "POST next":
		return Done, c.next(body)
	case "POST behave":
		c.Whims.Behave()
		return Done, nil
	case "GET violations":
		return map[string][]string{"violations": append([]string{}, c.Violations()...)}, nil
	}
	if own, known := c.Commands[name]; known {
		return own(argument, body)
	}
	return nil, errNoCommand
}

func (c Control) next(body []byte) error {
	how := struct {
		Misbehaviour Misdeed `json:"misbehaviour"`
		On           Call    `json:"on"`
		Times        int     `json:"times"`
		MS           int     `json:"ms"`
	}{Times: 1}
	if err := Decode(body, &how); err != nil {
		return err
	}
	return c.Whims.Next(Misbehaviour{Kind: how.Misbehaviour, On: how.On, Times: how.Times, Delay: time.Duration(how.MS) * time.Millisecond})
}

// manual is what can be asked for.
func (c Control) manual() any {
	all := c.Whims.repertoire
	misdeeds := map[Misdeed]string{}
	for _, m := range all.Misdeeds() {
		misdeeds[m] = all.Meaning(m)
	}
	manual := map[string]any{
		"POST /sim/next":      `{"misbehaviour":"…","on":"…","times":1,"ms":0}: o que dará errado; on e o mais podem faltar`,
		"POST /sim/behave":    "esquece o que daria errado",
		"GET /sim/violations": "os pedidos que violaram uma regra da API",
		"misbehaviour":        misdeeds,
		"on":                  all.Calls,
	}
	for command, meaning := range c.Manual {
		manual[command] = meaning
	}
	return manual
}
