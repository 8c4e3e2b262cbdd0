package tunnel

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/portuguese"
)

func TestJoin(t *testing.T) {
	t.Parallel()
	h := newHost(t, nil)
	var asked JoinRequest
	answers := map[string]func(http.ResponseWriter){
		"ABCD2345": func(w http.ResponseWriter) {
			json.NewEncoder(w).Encode(JoinAnswer{Terminal: terminalID, Hub: hubID, HubKey: publicOf(h.Key), Name: "Caixa 1", Account: "Loja"}) //nolint:errcheck // it would show
		},
		"EXPIRED2": func(w http.ResponseWriter) {
			http.Error(w, `{"code":410,"message":"Código vencido"}`, http.StatusGone)
		},
		"NOTFOUND": func(w http.ResponseWriter) { http.NotFound(w, nil) },
		"NOKEYS22": func(w http.ResponseWriter) { w.Write([]byte(`{"terminal":"t","hub":"h"}`)) }, //nolint:errcheck // it would show
		"NOJSON22": func(w http.ResponseWriter) { w.Write([]byte("<html>")) },                     //nolint:errcheck // it would show
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/under"+JoinPath || r.Method != http.MethodPost {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		answers[asked.Code](w)
	}))
	defer server.Close()
	pin := Pin(server.Certificate())
	ctx := context.Background()

	m, err := Join(ctx, Invitation{Address: server.URL + "/under/", Code: " abcd-2345", Pin: pin, Name: "Balcão", Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	want := Membership{Address: server.URL + "/under", Pin: pin, Hub: hubID, Terminal: terminalID, Key: m.Key, HubKey: publicOf(h.Key), Name: "Caixa 1", Account: "Loja"}
	if d := cmp.Diff(want, m); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(JoinRequest{Code: "ABCD2345", PublicKey: publicOf(m.Key), Name: "Balcão", Version: "1.2.3"}, asked); d != "" {
		t.Error(d)
	}

	if _, err := Join(ctx, Invitation{Address: server.URL + "/under", Code: "EXPIRED2", Pin: pin}); !errors.Is(err, Refused{http.StatusGone, "Código vencido"}) {
		t.Errorf("an expired code: %v", err)
	}
	other := strings.Replace(pin, pin[10:12], "AA", 1)
	for name, c := range map[string]struct {
		Invitation
		want error
	}{
		"not there":    {Invitation{Address: server.URL + "/under", Code: "NOTFOUND", Pin: pin}, ErrNoHub},
		"no keys":      {Invitation{Address: server.URL + "/under", Code: "NOKEYS22", Pin: pin}, ErrNoHub},
		"no JSON":      {Invitation{Address: server.URL + "/under", Code: "NOJSON22", Pin: pin}, ErrNoHub},
		"other pin":    {Invitation{Address: server.URL + "/under", Code: "ABCD2345", Pin: other}, ErrPin},
		"no pin":       {Invitation{Address: server.URL + "/under", Code: "ABCD2345"}, ErrUntrusted},
		"a bad pin":    {Invitation{Address: server.URL, Code: "ABCD2345", Pin: "sha256/x"}, ErrBadPin},
		"a bad proxy":  {Invitation{Address: server.URL, Code: "ABCD2345", Pin: pin, Proxy: "proxy:3128"}, errProxy},
		"plain HTTP":   {Invitation{Address: "http://hub.example", Code: "ABCD2345"}, ErrAddress},
		"a bad URL":    {Invitation{Address: "https://", Code: "ABCD2345"}, ErrAddress},
		"with a query": {Invitation{Address: "https://hub.example/?a=b", Code: "ABCD2345"}, ErrAddress},
	} {
		if _, err := Join(ctx, c.Invitation); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		} else if said := portuguese.Error(err); strings.Contains(said, " the ") || strings.Contains(said, "not a") {
			t.Errorf("%s is said in English: %s", name, said)
		}
	}
}

func TestPins(t *testing.T) {
	t.Parallel()
	const sum = "/vbRSKwGvXDrZN8zv5wT1OtAlSfBqGXVVnYGUG3Z2y4=" // begins with a slash: both ways must still be told apart
	for text, ok := range map[string]bool{
		"sha256/" + sum: true, "sha256//" + sum: true, sum: false, "sha1/" + sum: false, "": false, "sha256/": false, "sha256/" + sum[4:]: false, "sha256///" + sum: false,
	} {
		if got, err := parsePin(text); (err == nil) != ok || ok && got[0] != 0xfe {
			t.Errorf("%q: %x, %v", text, got, err)
		}
	}
}

func TestMembershipIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Load(dir); !errors.Is(err, ErrNotJoined) {
		t.Errorf("in a new folder: %v", err)
	}
	if err := Remove(dir); !errors.Is(err, ErrNotJoined) {
		t.Errorf("leaving nobody: %v", err)
	}
	m := memberOf(t, newHost(t, nil))
	m.Name = "Caixa 1"
	for range 2 { // the second takes the first one's place
		if err := m.Save(dir); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, File)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	got, err := Load(dir)
	if d := cmp.Diff(m, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string]string{
		"empty": "", "cut": string(text[:len(text)/2]), "without keys": `{"address":"https://hub","hub":"h","terminal":"t"}`,
		"with another's key": strings.Replace(string(text), `"key": "`, `"key": "AAAA`, 1),
	} {
		if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Remove(dir); err != nil {
		t.Error(err)
	}
}
