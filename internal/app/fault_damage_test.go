//go:build unix && (!race || everything)

package app_test

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

const pageSize = 4096

// usedFolder is a data folder after some work: three hundred items sold, ten payments, a sale left open.
func usedFolder(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	p := serve(t, data, withSecret(), "--autopilot-delay", "0s")
	p.ok(t, "POST", "/sale", "")
	for i := range 300 {
		p.ok(t, "POST", "/sale/item", itemBody(strconv.Itoa(i), "1.00"))
	}
	for i := range 10 {
		p.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"r`+strconv.Itoa(i)+`"}`)
	}
	p.ok(t, "POST", "/sale/finalize", "")
	p.ok(t, "POST", "/sale", "")
	p.terminate(t)
	return data
}

func overwrite(t *testing.T, path string, at, n int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteAt(bytes.Repeat([]byte{0xA5}, int(n)), at)
	must(t, err, f.Close())
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info.Size()
}

// spoilers are the ways a database file can be found one morning.
var spoilers = map[string]func(t *testing.T, path string){
	"header overwritten": func(t *testing.T, path string) { overwrite(t, path, 0, 100) },
	"page overwritten": func(t *testing.T, path string) {
		overwrite(t, path, fileSize(t, path)/pageSize/2*pageSize, pageSize)
	},
	"truncated": func(t *testing.T, path string) { must(t, os.Truncate(path, fileSize(t, path)/2)) },
	"cut in a page": func(t *testing.T, path string) {
		must(t, os.Truncate(path, fileSize(t, path)-pageSize-100))
	},
	"one byte short": func(t *testing.T, path string) { must(t, os.Truncate(path, fileSize(t, path)-1)) },
	"a text": func(t *testing.T, path string) {
		must(t, os.WriteFile(path, []byte(strings.Repeat("not a database\n", 999)), 0o600))
	},
	"another database": func(t *testing.T, path string) {
		must(t, os.Remove(path))
		db, err := sql.Open("sqlite", path)
		must(t, err)
		// That it is made a database with a write-ahead log is the one thing a start would change.
		_, err = db.Exec("PRAGMA journal_mode = WAL; CREATE TABLE recipe (name TEXT); PRAGMA user_version = 1")
		must(t, err, db.Close())
	},
}

// refusesData runs the service on damaged data and returns the one line it says.
func refusesData(t *testing.T, data string) string {
	t.Helper()
	stdout, stderr, code := run(t, withSecret(), "--data", data, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
	refused(t, stdout, stderr, code, filepath.Join(data, "maquininha.db"), "maquininha repair --data "+data)
	return stderr
}

var keptAs = regexp.MustCompile(`guardado como (\S+)`)

// The service never begins without its ledger by itself; told to, it does, and what was there is kept as it was.
func TestDamagedDatabase(t *testing.T) {
	t.Parallel()
	ways := map[string]func(t *testing.T, path string){
		"empty":   func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) },
		"missing": func(t *testing.T, path string) { must(t, os.Remove(path)) },
		"line of the open sale": func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", path)
			must(t, err)
			_, err = db.Exec(`INSERT INTO item SELECT number << 32 | 1, '{"id":"x","total"' FROM sale WHERE state = 'open'`)
			must(t, err, db.Close())
		},
	}
	for name, spoil := range spoilers {
		ways[name] = spoil
	}
	for name, spoil := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := usedFolder(t)
			path := filepath.Join(data, "maquininha.db")
			spoil(t, path)
			before, _ := os.ReadFile(path) // missing is nothing
			said := refusesData(t, data)
			t.Log(strings.TrimSpace(strings.ReplaceAll(said, data, "DATA")))
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the start changed the damaged file")
			}
			out, said, code := run(t, environment(), "repair", "--data", data)
			if code != 0 || said != "" {
				t.Fatalf("repair: %d %s%s", code, out, said)
			}
			if len(before) > 0 {
				found := keptAs.FindStringSubmatch(out)
				if found == nil {
					t.Fatalf("repair does not say where the file is:\n%s", out)
				}
				kept, err := os.ReadFile(found[1])
				must(t, err)
				if !bytes.Equal(kept, before) {
					t.Error("the file that was put aside is not the one that was there")
				}
			}
			beginsAnew(t, data)
		})
	}
}

// beginsAnew checks that the terminal works as a new one, and that the bank takes no new payment for an old one.
func beginsAnew(t *testing.T, data string) {
	t.Helper()
	p := serve(t, data, withSecret(), "--autopilot-delay", "0s")
	if status, body := p.call(t, "GET", "/sale", ""); status != http.StatusConflict {
		t.Errorf("a sale in the new file: %d %s", status, body)
	}
	p.ok(t, "POST", "/sale", "")
	p.ok(t, "POST", "/sale/item", itemBody("1", "1.00"))
	told := map[string]string{}
	for i := range 12 {
		reference := "new" + strconv.Itoa(i)
		p.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"`+reference+`"}`)
		told[reference] = "approved"
	}
	p.terminate(t)
	if p.stderr.String() != "" {
		t.Errorf("on stderr: %s", p.stderr)
	}
	if out, said, code := run(t, environment(), "repair", "--data", data); code != 0 || said != "" || !strings.Contains(out, "Nada a reparar.") {
		t.Errorf("repair of what is in order: %d %s%s", code, out, said)
	}
	for reference, charges := range chargedIn(t, data) {
		if charges != 1 {
			t.Errorf("%s was charged %d times", reference, charges)
		}
		delete(told, reference)
	}
	if len(told) != 0 {
		t.Errorf("told as approved, not charged: %v", told)
	}
}

// chargedIn counts, for each reference of the ledger, the operations that stand in the bank's books.
func chargedIn(t *testing.T, data string) map[string]int {
	t.Helper()
	states := bankStates(t, data)
	db, err := sql.Open("sqlite", filepath.Join(data, "maquininha.db"))
	must(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT id, reference FROM ledger`)
	must(t, err)
	defer rows.Close()
	charged := map[string]int{}
	for rows.Next() {
		var id, reference string
		must(t, rows.Scan(&id, &reference))
		if states[id] == "charged" {
			charged[reference]++
		}
	}
	must(t, rows.Err())
	return charged
}

// What was acknowledged may be in the write-ahead log only: one that is none must not be dropped in silence.
func TestDamagedWriteAheadLog(t *testing.T) {
	t.Parallel()
	data := usedFolder(t)
	p := serve(t, data, withSecret())
	p.ok(t, "POST", "/sale/item", itemBody("only in the log", "1.00"))
	must(t, p.cmd.Process.Kill())
	p.exit(t)
	wal := filepath.Join(data, "maquininha.db-wal")
	sound, err := os.ReadFile(wal)
	must(t, err)
	overwrite(t, wal, 0, 64)
	refusesData(t, data)
	// Somebody may have a copy of it.
	must(t, os.WriteFile(wal, sound, 0o600))
	p = serve(t, data, withSecret())
	if sale := p.ok(t, "GET", "/sale", ""); !strings.Contains(sale, "only in the log") {
		t.Errorf("the sale is %s", sale)
	}
	must(t, p.cmd.Process.Kill())
	p.exit(t)
	overwrite(t, wal, 0, 64)
	out, said, code := run(t, environment(), "repair", "--data", data)
	if code != 0 || said != "" {
		t.Fatalf("repair: %d %s%s", code, out, said)
	}
	kept := keptAs.FindStringSubmatch(out)
	if kept == nil {
		t.Fatalf("repair does not say where the file is:\n%s", out)
	}
	if _, err := os.Stat(kept[1] + "-wal"); err != nil {
		t.Errorf("the log is not kept with its file: %v", err)
	}
	beginsAnew(t, data)
}

// A log that is gone after a kill takes acknowledged payments with it: the start says so, and so does whoever reads.
func TestLostWriteAheadLog(t *testing.T) {
	t.Parallel()
	data := usedFolder(t)
	p := serve(t, data, withSecret(), "--autopilot-delay", "0s")
	for i := range 5 {
		p.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"lost`+strconv.Itoa(i)+`"}`)
	}
	must(t, p.cmd.Process.Kill())
	p.exit(t)
	if _, said, code := run(t, environment(), "transactions", "--data", data); code != 0 {
		t.Fatalf("after a kill nothing is lost: %s", said)
	}
	must(t, os.Remove(filepath.Join(data, "maquininha.db-wal")))
	const missing = "faltam os dados mais novos"
	for range 2 {
		if said := refusesData(t, data); !strings.Contains(said, missing) {
			t.Errorf("the start says %s", said)
		}
		for _, command := range [][]string{{"transactions"}, {"closing"}, {"logs"}, {"check"}} {
			out, said, _ := run(t, environment(), append(command, "--data", data)...)
			if !strings.Contains(out+said, missing) {
				t.Errorf("%s says %s%s", command[0], out, said)
			}
		}
	}
	out, said, code := run(t, environment(), "repair", "--data", data)
	if code != 0 || said != "" || !strings.Contains(out, missing) || !strings.Contains(out, "transações em dúvida: 0") {
		t.Fatalf("repair: %d %s%s", code, out, said)
	}
	p = serve(t, data, withSecret(), "--autopilot-delay", "0s")
	p.ok(t, "GET", "/transaction/r3", "")
	if status, answer := p.call(t, "GET", "/transaction/lost3", ""); status != 404 {
		t.Errorf("%d %s", status, answer)
	}
	p.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"next"}`)
	must(t, p.cmd.Process.Kill())
	p.exit(t)
	serve(t, data, withSecret()).terminate(t)
}

// Logs are not money: a damaged one is put aside by itself and the service goes on.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	type entry struct{ Message, Details string }
	for name, spoil := range spoilers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := usedFolder(t)
			path := filepath.Join(data, "logs.db")
			spoil(t, path)
			p := serve(t, data, withSecret())
			var told string
			waittest.Until(t, "the log tells", func() bool {
				for _, e := range get[[]entry](t, p.caller, "/logs") {
					if strings.HasPrefix(e.Message, "Logs danificados") {
						told = e.Message
					}
				}
				return told != ""
			})
			kept := strings.TrimPrefix(told, "Logs danificados; os antigos foram guardados em ")
			if _, err := os.Stat(kept); err != nil {
				t.Errorf("%s: %v", told, err)
			}
			waittest.Until(t, "so does the service where it was started", func() bool { return strings.Contains(p.stderr.String(), kept) })
			p.ok(t, "POST", "/sale/item", itemBody("1", "1.00"))
			if status, body := p.call(t, "GET", "/logs?search=item", ""); status != http.StatusOK || !strings.Contains(body, "/sale/item") {
				t.Errorf("the new log: %d %s", status, body)
			}
			p.terminate(t)
			serve(t, data, withSecret()).ok(t, "GET", "/sale", "") // and it is sound
		})
	}
}

// A large file is looked at beside the start; who meets the damage first is told, and the rest goes on.
func TestDamageMetWhileRunning(t *testing.T) {
	t.Parallel()
	data := usedFolder(t)
	p := serve(t, data, withSecret())
	p.ok(t, "POST", "/sale/finalize", "") // a start reads the lines of an open one
	p.terminate(t)
	path := filepath.Join(data, "maquininha.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 80000)
		INSERT INTO item SELECT 1 << 32 | 1000 + i, '{"id":"' || i || '","code":"7891000100103","description":"Café 500 g","quantity":1,"unitPrice":1.00,"total":1.00}' FROM n`)
	must(t, err, db.Close())
	size := fileSize(t, path)
	if size < 8<<20 {
		t.Fatalf("only %d bytes", size)
	}
	overwrite(t, path, 1<<20, size-1<<20) // the tables' first pages are before
	began := time.Now()
	p = serve(t, data, withSecret(), "--autopilot-delay", "0s")
	t.Logf("answers %v after it was started on %d MiB", time.Since(began).Round(time.Millisecond), size>>20)
	p.ok(t, "POST", "/sale", "")
	status, body := p.call(t, "POST", "/sale/item", itemBody("1", "1.00"))
	if status != http.StatusServiceUnavailable || !strings.Contains(body, `"code":503`) {
		t.Errorf("a write that meets damage: %d %s", status, body)
	}
	waittest.Until(t, "the damage is told", func() bool {
		return strings.Contains(p.stderr.String(), "Banco de dados danificado") && strings.Contains(p.stderr.String(), "maquininha repair")
	})
	p.ok(t, "GET", "/status", "")
	p.ok(t, "GET", "/transaction/r1", "")
	p.ok(t, "POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"still"}`)
	p.ok(t, "POST", "/display/text", `{"content":[{"text":{"value":"ainda aqui"}}],"backgroundColor":"#fff"}`)
	must(t, p.cmd.Process.Kill())
	p.exit(t)
	out, said, code := run(t, environment(), "repair", "--data", data)
	if code != 0 || said != "" || !keptAs.MatchString(out) {
		t.Fatalf("repair: %d %s%s", code, out, said)
	}
	beginsAnew(t, data)
}
