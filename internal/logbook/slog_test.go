package logbook

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestHandler(t *testing.T) {
	storage := &memory{}
	b := openBook(t, storage, Options{})
	log := slog.New(b.Handler(Router))

	log.Error("falhou", "err", errors.New("sem papel"), "tentativa", 2)
	log.Warn("lento", slog.Group("pedido", "rota", "/sale", slog.Group("", "método", "POST")))
	log.With("terminal", 7).WithGroup("venda").With("item", "42").Info("vendido", "total", 9.5, "at", time.Unix(0, 0).UTC())
	log.Debug("segredos", "Authorization", "Basic YTpi", "password", "1234", "image", []byte{1, 2, 3})
	log.Log(t.Context(), SlogFatal, "fim")
	log.Log(t.Context(), SlogTrace, "rastro")
	log.Log(t.Context(), SlogPath, "caminho")
	log.Log(t.Context(), slog.LevelDebug-4, "fundo", slog.Attr{})
	closeBook(t, b)

	want := []Entry{
		{Level: Error, Message: "falhou", Details: "err=sem papel\ntentativa=2"},
		{Level: Warning, Message: "lento", Details: "pedido.rota=/sale\npedido.método=POST"},
		{Level: Info, Message: "vendido", Details: "terminal=7\nvenda.item=42\nvenda.total=9.5\nvenda.at=1970-01-01T00:00:00Z"},
		{Level: Debug, Message: "segredos", Details: "Authorization=***\npassword=***\nimage=(3 bytes)"},
		{Level: Fatal, Message: "fim"},
		{Level: Trace, Message: "rastro"},
		{Level: Path, Message: "caminho"},
		{Level: Debug, Message: "fundo"},
	}
	for i := range want {
		want[i].Source = Router
	}
	if diff := cmp.Diff(want, storage.all(), cmpopts.IgnoreFields(Entry{}, "ID", "At")); diff != "" {
		t.Error(diff)
	}
}
