package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/daemon"
)

// serviceWords say what the service manager knows of a hub.
func serviceWords() string {
	m, err := daemon.Open(daemon.Setup{Program: daemon.Hub})
	if err != nil {
		return "esta máquina não tem um gerenciador de serviços conhecido"
	}
	switch s, err := m.Status(); {
	case errors.Is(err, daemon.ErrNotInstalled):
		return "não instalado"
	case err != nil:
		return "não se sabe: o gerenciador de serviços não responde"
	case s.Running:
		return fmt.Sprintf("no ar, processo %d", s.PID)
	case s.Failing:
		return "falhando"
	}
	return "instalado, parado"
}

// metrics are what the hub counts.
func (e *examination) metrics(ctx context.Context, w io.Writer, _ *console.Findings) error {
	if err := e.askable(); err != nil {
		return err
	}
	code, body, err := e.fetch(ctx, "/metrics")
	if err == nil && code != http.StatusOK {
		err = fmt.Errorf("o hub recusou a chave ou não conseguiu responder: status %d", code)
	}
	if err == nil {
		_, err = w.Write(body)
	}
	return err
}
