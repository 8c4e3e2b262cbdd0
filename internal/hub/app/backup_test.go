package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/archive"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// kinds are the databases that a hub may have: each makes an empty one. PostgreSQL is added where the system has it.
var kinds = map[string]func(t *testing.T) func() string{"SQLite": func(*testing.T) func() string { return func() string { return "" } }}

// begun is when terminals sell: not so long ago that their log would be forgotten.
var begun = time.Now().Add(-time.Hour)

// sold has a terminal record payments up to a number, and a line of its log for each.
func sold(x *hubtest.Terminal, from, upTo int) {
	x.Tell(func(_ *tunnel.State, steps *[]tunnel.Step, entries *[]tunnel.LogEntry) {
		for n := int64(from); n <= int64(upTo); n++ {
			at := begun.Add(time.Duration(n) * time.Second)
			*steps = append(*steps, tunnel.Step{
				Number: n, Attempt: n, At: at, Operation: "payment", State: "confirmed", Reference: fmt.Sprintf("r%d", n), Method: "credit", Amount: "10.00", Status: "approved",
				NSU: fmt.Sprint(n), Answer: json.RawMessage(`{}`),
			})
			*entries = append(*entries, tunnel.LogEntry{ID: n, At: at, Level: "info", Source: "api", Message: fmt.Sprintf("linha %d", n)})
		}
	})
}

// known are the references and the lines of the log that a hub has, in their order.
func known(t *testing.T, c *http.Client, url, key string) (references, lines []string) {
	t.Helper()
	var all struct {
		Transactions []struct{ ReferenceID string }
		Entries      []struct{ Message string }
	}
	for _, path := range []string{"/api/v1/transactions", "/api/v1/logs"} {
		if code, body := ask(t, c, "GET", url+path, key); code != http.StatusOK || json.Unmarshal([]byte(body), &all) != nil {
			t.Fatal(code, body)
		}
	}
	for _, x := range slices.Backward(all.Transactions) {
		references = append(references, x.ReferenceID)
	}
	for _, x := range slices.Backward(all.Entries) {
		lines = append(lines, x.Message)
	}
	return references, lines
}

func numbered(prefix string, upTo int) (all []string) {
	for n := range upTo {
		all = append(all, fmt.Sprintf("%s%d", prefix, n+1))
	}
	return all
}

// A backup is made of a hub that runs; what comes then is lost with the hub. Restored in another place the hub is the same to its terminals
// and callers, and reads what it lacks from the terminals: everything once.
func TestBackupAndRestore(t *testing.T) {
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			database := kind(t)
			config := app.Config{Listen: place(), Data: filepath.Join(t.TempDir(), "data"), Database: database(), Version: "9.9"}
			hub := start(t, config)
			key, url, c := hub.said("Chave de API"), hub.said("Página"), client(t, config.Data)
			line := strings.Fields(hub.welcome[strings.Index(hub.welcome, "maquininha join"):])
			terminal := hubtest.Join(t, tunnel.Invitation{Address: line[2], Code: line[3], Pin: line[5], Name: "Caixa 1"}, http.NotFoundHandler())
			has := func(n int) func() bool {
				return func() bool {
					references, lines := known(t, c, url, key)
					return len(references) >= n && len(lines) >= n
				}
			}
			sold(terminal, 1, 5)
			waittest.Until(t, "the hub has read five", has(5))
			var backup bytes.Buffer
			made, err := app.Backup(t.Context(), config, &backup)
			if err != nil || made.Terminals != 1 || made.Transactions != 5 || made.Version != "9.9" {
				t.Fatal(made, err)
			}
			sold(terminal, 6, 9)
			waittest.Until(t, "the hub has read nine", has(9))
			hub.stop()

			lost := config
			config.Data, config.Database = filepath.Join(t.TempDir(), "data"), database()
			done, err := app.Restore(t.Context(), config, bytes.NewReader(backup.Bytes()))
			if err != nil || done.Terminals != 1 || done.Transactions != 5 || done.Version != "9.9" || done.KeyKept {
				t.Fatal(done, err)
			}
			again := start(t, config)
			if again.Pin() != hub.Pin() || strings.Contains(again.welcome, "Senha") {
				t.Errorf("%s: %s", again.Pin(), again.welcome)
			}
			waittest.Until(t, "the hub has read nine again", has(9))
			sold(terminal, 10, 11)
			waittest.Until(t, "the hub reads on", has(11))
			references, lines := known(t, c, url, key)
			if !slices.Equal(references, numbered("r", 11)) || !slices.Equal(lines, numbered("linha ", 11)) {
				t.Error(references, lines)
			}
			if code, body := ask(t, c, "GET", url+"/api/v1/gaps", key); code != http.StatusOK || body != `{"gaps":[],"next":null}`+"\n" {
				t.Error(code, body)
			}
			again.stop()
			refusals(t, config, lost, backup.Bytes(), database)
		})
	}
}

// refusals are of a backup that is not whole, and of places that are not empty: nothing is written.
func refusals(t *testing.T, used, lost app.Config, backup []byte, database func() string) {
	t.Helper()
	empty := app.Config{Data: filepath.Join(t.TempDir(), "empty"), Database: database()}
	cut, changed := backup[:len(backup)-9], bytes.Clone(backup)
	changed[len(changed)/2] ^= 1
	for want, content := range map[string][]byte{
		"a cópia está danificada ou cortada, e nada foi gravado": cut, "a cópia está danificada": changed, "o arquivo não é uma cópia": []byte("uma lista de compras"),
	} {
		if _, err := app.Restore(t.Context(), empty, bytes.NewReader(content)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := os.Stat(empty.Data); err == nil {
			t.Error("something was written")
		}
	}
	restore := func(c app.Config, want string) {
		t.Helper()
		_, err := app.Restore(t.Context(), c, bytes.NewReader(backup))
		if err == nil && want != "" || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if used.Database == "" {
		restore(used, "não está vazia (tem hub.db, hub.key, tls-cert.pem, tls-key.pem); restaure em uma pasta vazia")
		endedBetweenFiles(t, backup)
	} else {
		restore(used, "o banco de dados de --database não está vazio")
		// The hub's own folder beside an empty database stays as it is; one with another key is another hub's.
		lost.Database = empty.Database
		restore(lost, "")
		if err := os.WriteFile(filepath.Join(lost.Data, app.KeyFile), []byte("outra"), 0o600); err != nil {
			t.Fatal(err)
		}
		lost.Database = database()
		restore(lost, "não está vazia")
	}
	if entries, err := filepath.Glob(filepath.Join(used.Data, "restoring")); err != nil || len(entries) > 0 {
		t.Error(entries, err)
	}
	if _, err := app.Backup(t.Context(), empty, &bytes.Buffer{}); err == nil || !strings.HasPrefix(err.Error(), "não há o que copiar em ") {
		t.Error(err)
	}
}

// endedBetweenFiles is about a restore that was killed when only the first of its files had their places: the next one ends it. What SQLite
// left beside records that are gone would be taken for the new ones' own.
func endedBetweenFiles(t *testing.T, backup []byte) {
	t.Helper()
	c := app.Config{Data: filepath.Join(t.TempDir(), "half")}
	if _, err := app.Restore(t.Context(), c, bytes.NewReader(backup)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(c.Data, store.File), filepath.Join(c.Data, store.File+"-wal")); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Restore(t.Context(), c, bytes.NewReader(backup)); err == nil || !strings.Contains(err.Error(), "não está vazia") {
		t.Errorf("beside what is left of SQLite's: %v", err)
	}
	if err := os.Remove(filepath.Join(c.Data, store.File+"-wal")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(c.Data, "restoring"), 0o700); err != nil {
		t.Fatal(err)
	}
	done, err := app.Restore(t.Context(), c, bytes.NewReader(backup))
	if err != nil || !done.KeyKept || done.Transactions != 5 {
		t.Errorf("the next restore: %+v, %v", done, err)
	}
}

// A file that no hub keeps has no place in the folder, and one that would leave the folder none at all.
func TestRestoreTakesOnlyTheHubsFiles(t *testing.T) {
	config := app.Config{Listen: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data")}
	start(t, config).stop()
	var backup, forged bytes.Buffer
	if _, err := app.Backup(t.Context(), config, &backup); err != nil {
		t.Fatal(err)
	}
	out, err := archive.NewWriter(&forged, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := archive.Read(&backup, out.Add); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(out.Add("files/../../stolen", []byte("x")), out.Add("files/more.toml", []byte("x")), out.Close()); err != nil {
		t.Fatal(err)
	}
	c := app.Config{Data: filepath.Join(t.TempDir(), "above", "data")}
	if _, err := app.Restore(t.Context(), c, bytes.NewReader(forged.Bytes())); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../stolen", "../../stolen", "more.toml"} {
		if _, err := os.Stat(filepath.Join(c.Data, path)); err == nil {
			t.Errorf("%s was written", path)
		}
	}
}
