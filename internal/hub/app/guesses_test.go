package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/httpapi"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/totp"
)

// guesser sends what may be guesses, each by another trusted proxy.
type guesser struct {
	t       *testing.T
	handler http.Handler
	sent    atomic.Int32
}

// guess tells how long the answer took. The header is a name and a value.
func (g *guesser) guess(from, path, body string, want int, header ...string) time.Duration {
	g.t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.RemoteAddr = fmt.Sprintf("127.0.0.%d:5", g.sent.Add(1))
	r.Header.Set("X-Forwarded-For", from)
	if len(header) > 0 {
		r.Header.Set(header[0], header[1])
	}
	w, began := httptest.NewRecorder(), time.Now()
	g.handler.ServeHTTP(w, r)
	if w.Code != want {
		g.t.Errorf("%s: %d %s", path, w.Code, w.Body)
	}
	return time.Since(began)
}

// Who tries names for new people, codes of second factors or the current password is slowed down by the address behind the proxies; others are not.
func TestGuessesAreSlowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files, err := store.Open(t.Context(), t.TempDir(), "")
		must(t, err)
		defer files.Close()
		desk := fleet.NewDesk(files.Fleet(), []byte("segredo"))
		founded, err := desk.Found(t.Context(), foundation)
		must(t, err)
		admin := founded.Person.Actor()
		other, err := desk.MakeTenant(t.Context(), admin, "Outro")
		must(t, err)
		_, secret, err := desk.MakeKey(t.Context(), admin, fleet.Wanted{Name: "x", Scope: fleet.Scope{Place: other.Place, Role: fleet.Administers}})
		must(t, err)
		trusted, err := parseNetworks("trusted-proxies", "127.0.0.0/8")
		must(t, err)
		api := httpapi.New(httpapi.Config{Fleet: desk})
		defer api.Close()
		g := &guesser{t: t, handler: behindProxies(trusted, api)}

		signIns := map[string]string{}
		for _, name := range []string{"ana", "bia"} {
			p, password, err := desk.MakePerson(t.Context(), admin, fleet.Wanted{Name: name, Scope: fleet.Scope{Place: founded.Tenant.Place, Role: fleet.Reads}})
			must(t, err)
			factor := totp.NewSecret()
			must(t, desk.SetFactor(t.Context(), p.Actor(), p.ID, factor.String(), factor.Code(time.Now()), ""))
			signIns[name] = fmt.Sprintf(`{"name":%q,"password":%q,"code":"x"}`, name, password)
		}
		session, err := desk.SignIn(t.Context(), "", founded.Person.Name, founded.Password, "")
		must(t, err)
		names := func(from string, _ int) time.Duration {
			return g.guess(from, "/api/v1/people", `{"name":"ana","role":"reads"}`, 409, "Authorization", "Bearer "+secret)
		}
		for i, c := range []struct {
			what  string
			guess func(from string, n int) time.Duration
		}{
			{"names of other customers' people", names},
			{"codes of a second factor", func(from string, n int) time.Duration {
				return g.guess(from, "/api/v1/session", signIns[[]string{"ana", "bia"}[n/10]], 403) // of each ten are taken
			}},
			{"the current password", func(from string, _ int) time.Duration {
				return g.guess(from, "/api/v1/people/"+admin.ID+"/password", `{"current":"x","password":"outra-longa"}`, 403, "Cookie", "__Host-maquininha-hub="+session.Token)
			}},
		} {
			from := fmt.Sprintf("198.51.100.%d", i)
			for n := range 10 {
				if took := c.guess(from, n); took != 0 {
					t.Errorf("%s: guess %d took %v", c.what, n, took)
				}
			}
			if took := c.guess(from, 10); took != time.Second {
				t.Errorf("%s: the eleventh guess took %v", c.what, took)
			}
			if took := c.guess("203.0.113.9", 11); took != 0 {
				t.Errorf("%s: another address waited %v", c.what, took)
			}
		}

		// Who waits keeps none of the customer's turns meanwhile.
		for range 8 {
			go names("198.51.100.0", 0)
		}
		synctest.Wait()
		if took := names("203.0.113.10", 0); took != 0 {
			t.Errorf("another of the same customer waited %v", took)
		}
		time.Sleep(time.Minute)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
