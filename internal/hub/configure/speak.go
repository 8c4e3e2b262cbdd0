package configure

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// conversation is one with a terminal.
type conversation struct {
	terminal string
	key      ed25519.PublicKey
	link     links.Link
	decided  settings.Effective
}

const (
	patience   = 30 * time.Second // of one question
	busyPause  = 2 * time.Second
	errorPause = 15 * time.Second
)

var (
	errOld  = errors.New("the terminal takes no settings")
	errBusy = errors.New("the terminal is busy")
	errOdd  = errors.New("the terminal answers something else")
)

// speak brings a terminal what is decided for it, and writes down what it says. It returns when to try again; 0: not on this link.
func (c *Configurer) speak(ctx context.Context, of conversation) time.Duration {
	select {
	case c.turns <- struct{}{}:
		defer func() { <-c.turns }()
	case <-ctx.Done():
		return errorPause
	}
	report, err := c.bring(ctx, of)
	pause, trouble := time.Duration(0), ""
	switch {
	case err == nil:
	case errors.Is(err, errOld):
		trouble = "A versão do terminal não aceita configurações do hub: atualize-o"
	case errors.Is(err, errBusy):
		pause, trouble = busyPause, "Há uma operação em andamento no terminal"
	case errors.Is(err, fleet.ErrOtherSecret):
		pause, trouble = errorPause, "Um segredo foi gravado por um hub com outra chave: grave-o de novo"
	default:
		pause, trouble = errorPause, "O terminal não respondeu como esperado"
	}
	if over(ctx, of.link) {
		return errorPause // the next link says
	}
	var news bool
	if trouble == "" {
		news, err = c.Desk.Took(ctx, of.terminal, of.decided, report.Refused)
	} else {
		c.Log("configurações do terminal "+of.terminal, err)
		news, err = c.Desk.Troubled(ctx, of.terminal, trouble)
	}
	if err != nil {
		c.Log("configurações dos terminais", err)
		return errorPause
	}
	if news {
		c.Board.Changed(of.terminal) // pages look again
	}
	return pause
}

func over(ctx context.Context, link links.Link) bool {
	return link.Context().Err() != nil || ctx.Err() != nil
}

// bring asks a terminal what it has, and sends it what is decided where that is something else.
func (c *Configurer) bring(ctx context.Context, of conversation) (tunnel.SettingsReport, error) {
	has, err := ask(ctx, of.link, http.MethodGet, nil)
	if err != nil || has.Mark == of.decided.Mark {
		return has, err
	}
	set := tunnel.SettingsSet{Mark: of.decided.Mark, Values: of.decided.Values, Secrets: map[string][]byte{}}
	secrets, err := c.Desk.Secrets(of.decided)
	if err != nil {
		return has, err
	}
	for name, text := range secrets {
		if set.Secrets[name], err = tunnel.SealSetting(of.key, of.terminal, set.Mark, name, text); err != nil {
			return has, err
		}
	}
	body, err := json.Marshal(set)
	if err != nil {
		return has, err
	}
	has, err = ask(ctx, of.link, http.MethodPut, body)
	if err == nil && has.Mark != of.decided.Mark {
		err = errOdd
	}
	return has, err
}

// ask sends a terminal something of its settings, and reads its report.
func ask(ctx context.Context, link links.Link, method string, body []byte) (report tunnel.SettingsReport, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, "http://terminal"+tunnel.SettingsPath, bytes.NewReader(body))
	if err != nil {
		return report, err
	}
	resp, err := link.RoundTrip(r)
	if err != nil {
		return report, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return report, errOld
	case http.StatusConflict:
		return report, errBusy
	default:
		return report, fmt.Errorf("%w: %s %d", errOdd, method, resp.StatusCode)
	}
	const most = 64 << 10
	if err := json.NewDecoder(io.LimitReader(resp.Body, most)).Decode(&report); err != nil {
		return report, fmt.Errorf("%w: %w", errOdd, err)
	}
	return report, nil
}
