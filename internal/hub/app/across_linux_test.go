package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// shop is a hub with all that a backup must bring along, as its callers see it.
type shop struct {
	*running
	client   *http.Client
	url, key string
	config   app.Config
}

// send posts a body, with headers in pairs, and gives the answer.
func (s *shop) send(t *testing.T, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	id, secret, _ := strings.Cut(s.key, ":")
	r.SetBasicAuth(id, secret)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

// made posts something that is new, and reads what is told of it.
func (s *shop) made(t *testing.T, path, body string) (told struct{ ID, Secret, Password string }) {
	t.Helper()
	resp, text := s.send(t, path, body)
	if resp.StatusCode != http.StatusCreated || json.Unmarshal([]byte(text), &told) != nil {
		t.Fatal(path, resp.StatusCode, text)
	}
	return told
}

// book is everything that the hub answers from its records, by address.
func (s *shop) book(t *testing.T, more ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, path := range append([]string{
		"/api/v1/tenants", "/api/v1/shops", "/api/v1/keys", "/api/v1/people", "/api/v1/audit", "/api/v1/transactions", "/api/v1/closings", "/api/v1/logs", "/api/v1/gaps", "/api/v1/operations", "/api/v1/webhooks", "/api/v1/webhook-events",
	}, more...) {
		code, body := ask(t, s.client, "GET", s.url+path, s.key)
		if code != http.StatusOK {
			t.Fatal(path, code, body)
		}
		all[path] = usedAt.ReplaceAllString(body, "")
	}
	return all
}

// usedAt is of the very key that asks.
var usedAt = regexp.MustCompile(`"lastUsedAt":("[^"]*"|null)`)

// online tells of a terminal that proved itself to this hub.
func (s *shop) online(t *testing.T, terminal string) func() bool {
	return func() bool {
		var told struct {
			Online     bool
			Name, Shop string
		}
		code, body := ask(t, s.client, "GET", s.url+"/api/v1/terminals/"+terminal, s.key)
		return code == http.StatusOK && json.Unmarshal([]byte(body), &told) == nil && told.Online && told.Name == "Caixa 1" && told.Shop != ""
	}
}

// move puts a backup of a hub that runs into another place, of the other kind, and starts a hub there: at the same address, so that
// terminals find it.
func (s *shop) move(t *testing.T, database string) *shop {
	t.Helper()
	var backup bytes.Buffer
	if _, err := app.Backup(t.Context(), s.config, &backup); err != nil {
		t.Fatal(err)
	}
	s.stop()
	to := &shop{client: s.client, url: s.url, key: s.key, config: app.Config{Listen: s.config.Listen, Data: filepath.Join(t.TempDir(), "data"), Database: database, Version: "9.9"}}
	if _, err := app.Restore(t.Context(), to.config, bytes.NewReader(backup.Bytes())); err != nil {
		t.Fatal(err)
	}
	to.running = start(t, to.config)
	again := to.config
	if database != "" {
		again.Data = filepath.Join(t.TempDir(), "empty")
	} else {
		to.stop()
	}
	if _, err := app.Restore(t.Context(), again, bytes.NewReader(backup.Bytes())); err == nil || !strings.Contains(err.Error(), "não está vazi") {
		t.Errorf("restored over what is there: %v", err)
	}
	if database == "" {
		to.running = start(t, to.config)
	}
	return to
}

// A hub goes from SQLite to PostgreSQL and back, or the other way round, while its terminal lives: it comes back by its key, and everything
// that the hub answered before it answers then.
func TestBackupFromOneDatabaseToTheOther(t *testing.T) {
	cluster := hubtest.StartPostgres(t)
	for _, way := range [][]string{{"", cluster.Database(t), ""}, {cluster.Database(t), "", cluster.Database(t)}} {
		t.Run(map[bool]string{true: "from SQLite", false: "from PostgreSQL"}[way[0] == ""], func(t *testing.T) {
			s := &shop{config: app.Config{Listen: place(), Data: filepath.Join(t.TempDir(), "data"), Database: way[0], Version: "9.9"}}
			s.running = start(t, s.config)
			s.key, s.url, s.client = s.said("Chave de API"), s.said("Página"), client(t, s.config.Data)
			line := strings.Fields(s.welcome[strings.Index(s.welcome, "maquininha join"):])
			terminal := hubtest.Join(t, tunnel.Invitation{Address: line[2], Code: line[3], Pin: line[5], Name: "Caixa 1"}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)                     //nolint:errcheck // a test
				fmt.Fprintf(w, "%s %s \x00ção", r.URL.Path, body) //nolint:errcheck // a test
			}))
			waittest.Until(t, "the terminal is there", s.online(t, terminal.ID))
			sold(terminal, 1, 5)
			waittest.Until(t, "the hub has read five", func() bool {
				references, lines := known(t, s.client, s.url, s.key)
				return len(references) >= 5 && len(lines) >= 5
			})
			tenant := s.made(t, "/api/v1/tenants", `{"name":"Padaria \"Ação\""}`)
			s.made(t, "/api/v1/shops", `{"name":"Filial","tenant":"`+tenant.ID+`"}`)
			key := s.made(t, "/api/v1/keys", `{"name":"PDV","role":"reads","needsReferences":true}`)
			s.made(t, "/api/v1/webhooks", `{"name":"Retaguarda","url":"https://loja.example/eventos"}`)
			person := s.made(t, "/api/v1/people", `{"name":"ana","role":"operates"}`)
			if code, body := ask(t, s.client, "DELETE", s.url+"/api/v1/keys/"+s.made(t, "/api/v1/keys", `{"name":"velha","role":"reads"}`).ID, s.key); code != http.StatusNoContent {
				t.Fatal(code, body)
			}
			resp, text := s.send(t, "/terminals/"+terminal.ID+"/print/text", `[{"text":"olá"}]`, "Prefer", "respond-async", "Idempotency-Key", "k1", "Content-Type", "application/json")
			operation := resp.Header.Get("Location")
			if resp.StatusCode != http.StatusAccepted {
				t.Fatal(resp.Status, text)
			}
			waittest.Until(t, "the operation is over", func() bool {
				_, body := ask(t, s.client, "GET", s.url+operation, s.key)
				return strings.Contains(body, `"state":"done"`)
			})
			before := s.book(t, operation)
			for _, database := range way[1:] {
				s = s.move(t, database)
				waittest.Until(t, "the terminal is back", s.online(t, terminal.ID))
				for path, now := range s.book(t, operation) {
					if now != before[path] {
						t.Errorf("%s answers\n%s, answered\n%s", path, now, before[path])
					}
				}
				s.works(t, terminal, key.ID+":"+key.Secret, person.Password)
			}
		})
	}
}

// works tries who may come in, and what an operation's key still means.
func (s *shop) works(t *testing.T, terminal *hubtest.Terminal, key, password string) {
	t.Helper()
	if code, body := ask(t, s.client, "GET", s.url+"/api/v1/terminals", key); code != http.StatusOK {
		t.Error(code, body)
	}
	resp, text := s.send(t, "/api/v1/session", `{"name":"ana","password":"`+password+`"}`, "Content-Type", "application/json")
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusCreated || !strings.Contains(text, `"operates"`) {
		t.Error("ana signs in: ", resp.Status, text)
	}
	resp, text = s.send(t, "/terminals/"+terminal.ID+"/print/text", `[{"text":"outro"}]`, "Idempotency-Key", "k1", "Content-Type", "application/json")
	if resp.StatusCode != http.StatusUnprocessableEntity {
		t.Error("a key that was used for another request: ", resp.Status, text)
	}
	if code, body := ask(t, s.client, "GET", s.url+"/terminals/"+terminal.ID+"/olá", s.key); code != http.StatusOK || !strings.HasPrefix(body, "/olá") {
		t.Error("the terminal, through the hub: ", code, body)
	}
}
