package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"syscall"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/syserror"
)

// settingLocal is where commands of this machine find the running service, and the key that lets them in: address and key, with a blank
// between them.
const settingLocal = "local_access"

// openLocal keeps where the service is found, and makes the key once.
func openLocal(screen net.Addr, files *store.Store) (key string, err error) {
	kept, err := files.Setting(settingLocal)
	if err != nil {
		return "", err
	}
	address, key, _ := strings.Cut(kept, " ")
	if now := connection.Reachable(screen); key == "" || address != now {
		key = rand.Text()
		err = files.SetSettings(map[string]string{settingLocal: now + " " + key})
	}
	return key, err
}

// screenHandler is the page behind its guard, and beside it the door for commands of this machine.
func (a *App) screenHandler() http.Handler {
	page := screenui.NewGuard(a.ports[1].Addr(), a.service.token).Wrap(http.HandlerFunc(a.serveScreen))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != screenui.LocalMenu {
			page.ServeHTTP(w, r)
			return
		}
		a.current.RLock()
		defer a.current.RUnlock()
		a.service.screen.ServeLocal(w, r, func() { connection.MarkKnown(r.Context()) })
	})
}

var errStoppedInMenu = errors.New("o terminal parou antes de o menu ser encerrado; veja o desfecho na tela e em maquininha logs")

// OpenMenu has the service that runs on a data folder open its acquirer's own menu, and waits until it was left. opening is told once the
// terminal is held for it.
func OpenMenu(ctx context.Context, dir string, opening func()) (end screenui.LocalEnd, err error) {
	if !datafolder.InUse(dir) {
		return end, fmt.Errorf("o terminal não está no ar com os dados em %s: inicie-o e repita", dir)
	}
	address, key, err := localAccess(dir)
	if err != nil {
		return end, err
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
		opening()
		return nil
	}})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+screenui.LocalMenu, nil)
	if err != nil {
		return end, err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r) // no proxy stands between a machine and itself
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return end, errStoppedInMenu
	case err != nil:
		return end, fmt.Errorf("o terminal não respondeu em %s: %s", address, portuguese.Error(syserror.Reason(err)))
	}
	defer resp.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(resp.Body); err != nil {
		return end, errStoppedInMenu
	}
	if resp.StatusCode != http.StatusOK {
		var said struct{ Message string }
		_ = json.Unmarshal(body.Bytes(), &said) // without words the status must do
		return end, fmt.Errorf("o terminal recusou (%d): %s", resp.StatusCode, said.Message)
	}
	return end, json.Unmarshal(body.Bytes(), &end)
}

// localAccess is where the service that runs on a data folder is found.
func localAccess(dir string) (address, key string, err error) {
	r, err := OpenReader(dir)
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	text, err := r.Setting(settingLocal)
	if err != nil {
		return "", "", err
	}
	address, key, found := strings.Cut(text, " ")
	if !found {
		return "", "", errors.New("o serviço que está no ar é de uma versão sem este comando: reinicie-o")
	}
	return address, key, nil
}
