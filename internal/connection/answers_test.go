package connection_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/waittest"
)

// While answers are awaited, one that nobody takes ends; one that is held and writes nothing goes on.
func TestAwaitedAnswers(t *testing.T) {
	t.Parallel()
	answers := connection.NewAnswers(time.Millisecond)
	stuck, held, let := make(chan error, 1), make(chan struct{}), make(chan struct{})
	server := httptest.NewUnstartedServer(answers.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/stuck":
			piece := make([]byte, 1<<20)
			for {
				if _, err := w.Write(piece); err != nil {
					stuck <- err
					return
				}
			}
		case "/held":
			close(held)
			<-let
		}
		io.WriteString(w, "fim") //nolint:errcheck // the test reads it, or not
	})))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	unread, err := server.Client().Get(server.URL + "/stuck")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unread.Body.Close() })
	answered := make(chan string, 1)
	go func() {
		resp, err := server.Client().Get(server.URL + "/held")
		if err != nil {
			answered <- err.Error()
			return
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		answered <- string(body)
	}()
	waittest.Receive(t, "the held request", held)
	answers.SetWriteDeadlines()
	waittest.Receive(t, "the end of what nobody takes", stuck)
	answers.ClearWriteDeadlines()
	close(let)
	if got := waittest.Receive(t, "the held answer", answered); got != "fim" {
		t.Errorf("the held request was answered with %q", got)
	}
}
