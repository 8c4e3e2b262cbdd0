package main

import (
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/thorough"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { os.Exit(apptest.WithProgram(m)) }

// firstData is the folder that the first version left when it was killed in a payment: testdata/make-first.sh.
func firstData(t *testing.T) string {
	t.Helper()
	apptest.OtherProcess(t)
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "tar", "xzf", "testdata/first.tar.gz", "--no-same-owner", "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, "first")
}

// The fixture grows older: nothing of it may be forgotten for its age.
var keepAll = []string{"--sale-days", "36500", "--log-days", "36500"}

type transaction struct {
	NSU     string
	Details struct {
		Status string
		Amount float64
	}
}

// statusOf is how a payment of the first version stands.
func statusOf(p *apptest.Process, reference string) (found transaction) {
	p.Call(http.MethodGet, "/transaction/"+reference, "", &found)
	return found
}

// Today's program in the place of the first one finds everything, settles what was open, and charges nobody for it.
func TestUpgradeByReplacingTheFile(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcessIn(t, firstData(t), keepAll...)
	check := func() {
		t.Helper()
		waittest.Until(t, "the open payment is settled", func() bool { return statusOf(p, "pedido-4").Details.Status != "pending" })
		for reference, want := range map[string]string{
			"pedido-1": "000000001 approved 54.24", "pedido-2": "000000002 reversed 10.00", "pedido-3": " refused 7.10", "pedido-4": " cancelled 5.50",
		} {
			got := statusOf(p, reference)
			if text := fmt.Sprintf("%s %s %.2f", got.NSU, got.Details.Status, got.Details.Amount); text != want {
				t.Errorf("%s is %q, want %q", reference, text, want)
			}
		}
		var open struct {
			Sale  struct{ CustomerName string }
			Items []struct{ Description string }
		}
		p.Call(http.MethodGet, "/sale", "", &open)
		if open.Sale.CustomerName != "Zé" || len(open.Items) != 1 || open.Items[0].Description != "Açúcar" {
			t.Errorf("the open sale is %+v", open)
		}
		var ended []struct {
			SaleID string
			Status string
			Sale   struct{ CustomerName string }
		}
		p.Call(http.MethodGet, "/sales", "", &ended)
		if len(ended) != 1 || ended[0].Status != "finalized" || ended[0].Sale.CustomerName != "Ana" {
			t.Fatalf("the sales that ended are %+v", ended)
		}
		var whole struct {
			Items    []struct{ Total float64 }
			Payments []struct{ Value float64 }
		}
		p.Call(http.MethodGet, "/sales/"+ended[0].SaleID, "", &whole)
		if len(whole.Items) != 2 || len(whole.Payments) != 1 || whole.Payments[0].Value != 54.24 {
			t.Errorf("the sale that ended has %+v", whole)
		}
		var logs []struct{ Message string }
		p.Call(http.MethodGet, "/logs?search=pedido-2/reversal", "", &logs)
		if len(logs) == 0 {
			t.Error("the first version's log is gone")
		}
	}
	check()
	if n := p.Approved(); n != 1 {
		t.Errorf("%d payments are approved", n)
	}
	p.Kill()
	p.Again()
	check()
	// Numbers go on above those that were given.
	var paid transaction
	if code := p.Call(http.MethodPost, "/transaction", `{"tPag": "03", "amount": 1.00, "referenceId": "pedido-5"}`, &paid); code != http.StatusOK || paid.NSU <= "000000003" {
		t.Errorf("%d: %+v", code, paid)
	}
}

// contents are all files of a folder that hold data: not what readers of a database share while they read, nor an empty log.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if !strings.HasSuffix(path, "-shm") && (len(text) > 0 || !strings.HasSuffix(path, "-wal")) {
			all[path] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// refuses runs a program that is older than the data: it must say so and change nothing.
func refuses(t *testing.T, program, data, words string, args ...string) {
	t.Helper()
	before := contents(t, data)
	cmd := exec.CommandContext(t.Context(), program, append(args, "--data", data)...)
	said, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(said), words) {
		t.Errorf("%q: %v: %s", args, err, said)
	}
	if after := contents(t, data); !maps.Equal(before, after) {
		for name := range after {
			if after[name] != before[name] {
				t.Errorf("%q has changed %s", args, name)
			}
		}
		for name := range before {
			if _, is := after[name]; !is {
				t.Errorf("%q has removed %s", args, name)
			}
		}
	}
}

// setSchema makes data those of another version: the number of a database's schema lies in its first page.
func setSchema(t *testing.T, data string, change int) {
	t.Helper()
	const at = 60
	f, err := os.OpenFile(filepath.Join(data, "maquininha.db"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var number [4]byte
	if _, err := f.ReadAt(number[:], at); err != nil {
		t.Fatal(err)
	}
	binary.BigEndian.PutUint32(number[:], binary.BigEndian.Uint32(number[:])+uint32(change))
	if _, err := f.WriteAt(number[:], at); err != nil {
		t.Fatal(err)
	}
}

// Today's program with data of a later one is the older of the two.
func TestOlderProgramSaysSoAndTouchesNothing(t *testing.T) {
	t.Parallel()
	data := firstData(t)
	p := apptest.StartProcessIn(t, data, keepAll...)
	waittest.Until(t, "the open payment is settled", func() bool { return statusOf(p, "pedido-4").Details.Status != "pending" })
	p.Stop()
	setSchema(t, data, 1)
	const words = "de uma versão mais nova do programa"
	for _, command := range [][]string{{"serve", "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0"}, {"repair"}, {"transactions"}, {"closing"}, {"password"}} {
		refuses(t, apptest.Program(t), data, words, command...)
	}
	// The later version finds all of it.
	setSchema(t, data, -1)
	p = apptest.StartProcessIn(t, data, keepAll...)
	if got := statusOf(p, "pedido-1"); got.Details.Status != "approved" {
		t.Errorf("%+v", got)
	}
}

// The first version itself, with data that today's program had.
func TestFirstVersionRefusesTodaysData(t *testing.T) {
	t.Parallel()
	if !thorough.Everything {
		t.Skip("builds the first version: make test-all")
	}
	script, err := os.ReadFile("testdata/make-first.sh")
	if err != nil {
		t.Fatal(err)
	}
	commit := regexp.MustCompile(`(?m)^first=(\w+)`).FindSubmatch(script)
	if commit == nil {
		t.Fatal("the script names no commit")
	}
	if err := exec.CommandContext(t.Context(), "git", "cat-file", "-e", string(commit[1])).Run(); err != nil {
		t.Skip("the first version is not in this copy of the repository")
	}
	data, source := firstData(t), t.TempDir()
	first := filepath.Join(source, "first")
	build := exec.CommandContext(t.Context(), "sh", "-euc", `(cd ../.. && git archive "$1") | tar x -C "$2"; cd "$2"; CGO_ENABLED=0 GOFLAGS=-mod=mod go build -o "$3" ./cmd/maquininha`,
		"sh", string(commit[1]), source, first)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p := apptest.StartProcessIn(t, data, keepAll...)
	p.Stop()
	refuses(t, first, data, "is newer than this program's", "serve", "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
	p.Again()
	if got := statusOf(p, "pedido-1"); got.Details.Status != "approved" {
		t.Errorf("%+v", got)
	}
}
