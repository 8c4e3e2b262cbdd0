package witness

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/referee"
)

// stage is a terminal of a few lines behind a witness.
func stage(t *testing.T, terminal http.HandlerFunc) (*Witness, string) {
	t.Helper()
	w := &Witness{}
	server := httptest.NewServer(w.Wrap(terminal, terminal))
	t.Cleanup(server.Close)
	return w, server.URL
}

func send(t *testing.T, ctx context.Context, method, url, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	r.SetBasicAuth("a", "b")
	if answer, err := http.DefaultClient.Do(r); err == nil {
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}

// seen waits until all is over.
func seen(t *testing.T, w *Witness) []referee.Exchange {
	t.Helper()
	w.AwaitQuiet(t.Context())
	watch, missed := w.Seen()
	if missed != 0 {
		t.Errorf("%d missed", missed)
	}
	return watch.Exchanges
}

func TestRoutes(t *testing.T) {
	for request, want := range map[string]string{
		"POST /transaction":                "POST /transaction ",
		"GET /transaction/a%2Fb":           "GET /transaction/{referenceId} a/b",
		"POST /transaction/a%20b/reversal": "POST /transaction/{referenceId}/reversal a b",
		"POST /operation/cancel":           "POST /operation/cancel ",
		"GET /operation/stream":            "GET /operation/stream ",
		"POST /sale/item":                  "POST /sale/item ",
		"PATCH /sale/item/7":               "PATCH /sale/item/{id} ",
		"DELETE /sale/discount/clear":      "DELETE /sale/discount/{id} ",
		"DELETE /sale/clear":               "DELETE /sale/clear ",
		"GET /sales/7":                     "GET /sales/{saleId} ",
		"POST /sale/item/7/cancel":         "POST /sale/item/{id}/cancel ",
		"POST /print/xml":                  "POST /print/xml ",
		"GET /status":                      "GET /status ",
		"GET /emulator/screen":             " ",
		"GET /logs/stream":                 " ",
		"GET /docs":                        " ",
		"GET /":                            " ",
	} {
		method, path, _ := strings.Cut(request, " ")
		if route, reference := routeOf(method, path); route+" "+reference != want {
			t.Errorf("%s: %q %q", request, route, reference)
		}
	}
}

func TestWhatIsTakenDown(t *testing.T) {
	w, url := stage(t, func(out http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		switch r.Method + " " + r.URL.Path {
		case "POST /transaction":
			fmt.Fprint(out, `{"nsu":"1","message":"Transação aprovada","details":{"status":"approved","amount":10.50}}`)
		case "POST /transaction/a/reversal":
			fmt.Fprint(out, `{"nsu":"1","message":"Estorno aprovado","details":{"status":"approved","amount":10.50,"reversed":4}}`)
		case "POST /sale/item":
			out.WriteHeader(400)
			fmt.Fprint(out, `{"code":400,"message":"Item já existente na venda!"}`)
		case "GET /sale":
			fmt.Fprint(out, `{"summary":{"total":30.5},"payments":[{"tPag":"credit","value":10.5},{"tPag":"pix","value":1},{"tPag":null,"value":2},{"tPag":"money","value":3},{"tPag":"cancel","value":1}]}`)
		}
	})
	send(t, t.Context(), "POST", url+"/transaction", "\ufeff"+`{"tPag":"03","amount":10.50,"referenceId":"a","installments":2,"installmentType":"seller","details":{"referenceId":"b"}}`)
	send(t, t.Context(), "POST", url+"/sale/item", `{"code":"7","total":5}`)
	send(t, t.Context(), "POST", url+"/sale/finalize", "")
	send(t, t.Context(), "OPTIONS", url+"/sale", "")
	send(t, t.Context(), "GET", url+"/transaction/4111111111111111", "")
	send(t, t.Context(), "POST", url+"/transaction/a/reversal", `{"amount":4,"reversalId":"troca-7"}`)
	send(t, t.Context(), "POST", url+"/transaction/a/reversal", "")
	send(t, t.Context(), "POST", url+"/operation/cancel", `{"referenceId":"a"}`)
	got := seen(t, w)
	if len(got) != 7 {
		t.Fatalf("%d exchanges", len(got))
	}
	if part, rest, wish := got[4], got[5], got[6]; part.Part == nil || part.Part.Cents() != "4.00" || part.PartID != "troca-7" || part.Reference != "a" ||
		part.Back.Cents() != "4.00" || rest.Part != nil || rest.Reference != "a" || wish.Reference != "a" {
		t.Errorf("%+v\n%+v\n%+v", part, rest, wish)
	}
	pay, item, end, look := got[0], got[1], got[2], got[3]
	if pay.Reference != "a" || pay.Charge.TPag != "03" || pay.Charge.Amount.Cents() != "10.50" || pay.Charge.Installments != "2" || pay.Charge.Type != "seller" {
		t.Errorf("%+v", pay)
	}
	if pay.Outcome != "approved" || pay.Amount == nil || pay.Amount.Cents() != "10.50" || pay.Status != 200 || !pay.Credentials || pay.Answered.Before(pay.Arrived) || !pay.Left.IsZero() {
		t.Errorf("%+v", pay)
	}
	if item.Item.Code != "7" || item.Item.Total.Cents() != "5.00" || item.Status != 400 || item.Message != "Item já existente na venda!" {
		t.Errorf("%+v", item)
	}
	if s := end.Sale; s == nil || !s.Cancels || s.Total.Cents() != "30.50" || s.Electronic.Cents() != "11.50" || s.Other.Cents() != "5.00" {
		t.Errorf("%+v", end)
	}
	if look.Path != "/transaction/411111******1111" {
		t.Errorf("%+v", look)
	}
}

// A hang-up is one before the answer, with its moment; the broken connection of a scenario is none.
func TestHangUps(t *testing.T) {
	held := make(chan struct{})
	w, url := stage(t, func(out http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		switch r.URL.Path {
		case "/ask":
			close(held)
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		case "/transaction":
			Cut(r, 200)
			panic(http.ErrAbortHandler)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	asking.Go(func() { send(t, ctx, "POST", url+"/ask", "{}") })
	<-held
	watch, _ := w.Seen()
	if x := watch.Exchanges[0]; !x.Left.IsZero() || !x.Answered.IsZero() || x.Status != 0 {
		t.Errorf("while it is held: %+v", x)
	}
	cancel()
	asking.Wait()
	send(t, t.Context(), "POST", url+"/transaction", `{"tPag":"03"}`)
	send(t, t.Context(), "GET", url+"/status", "")
	got := seen(t, w)
	if x := got[0]; x.Left.Before(x.Arrived) || !x.Answered.IsZero() || x.Status != 0 {
		t.Errorf("hung up: %+v", x)
	}
	if x := got[1]; !x.Cut || !x.Left.IsZero() || x.Answered.IsZero() {
		t.Errorf("cut: %+v", x)
	}
	if x := got[2]; x.Cut || !x.Left.IsZero() || x.Status != 200 {
		t.Errorf("answered: %+v", x)
	}
}

// unluckyContext is one in the instant of its end: whoever waits for it is let go, and what was to run after it has not begun.
type unluckyContext struct{ context.Context }

func (unluckyContext) Value(any) any { return nil } // the standard library would look below it

func (unluckyContext) AfterFunc(func()) (stop func() bool) { return func() bool { return true } }

// A hang-up counts even when the handler sees it first, and whatever it then writes.
func TestHangUpsThatTheHandlerSeesFirst(t *testing.T) {
	for name, write := range map[string]func(http.ResponseWriter){
		"nothing": func(http.ResponseWriter) {},
		"200":     func(out http.ResponseWriter) { fmt.Fprint(out, "{}") },
		"503":     func(out http.ResponseWriter) { out.WriteHeader(http.StatusServiceUnavailable) },
	} {
		ctx, hangUp := context.WithCancel(t.Context())
		w := &Witness{}
		terminal := http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			hangUp()
			<-r.Context().Done()
			write(out)
		})
		r := httptest.NewRequest(http.MethodPost, "/ask", strings.NewReader("{}")).WithContext(unluckyContext{ctx})
		w.Wrap(terminal, terminal).ServeHTTP(httptest.NewRecorder(), r)
		if x := seen(t, w)[0]; x.Left.IsZero() {
			t.Errorf("%s written: taken for an answer: %+v", name, x)
		}
	}
}

// Streams flow through it.
func TestStreamsAreFlushed(t *testing.T) {
	w, url := stage(t, func(out http.ResponseWriter, r *http.Request) {
		fmt.Fprint(out, "data: 1\n\n")
		if err := http.NewResponseController(out).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", url+"/logs/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 7)
	if _, err := io.ReadFull(answer.Body, line); err != nil || string(line) != "data: 1" {
		t.Fatalf("%q %v", line, err)
	}
	cancel()
	answer.Body.Close()
	if got := seen(t, w); len(got) != 1 || got[0].Route != "" || got[0].Status != 200 {
		t.Errorf("%+v", got)
	}
}

// Memory is bounded, in the number of exchanges and in what is looked at of each; the terminal sees everything.
func TestBounds(t *testing.T) {
	took := 0
	terminal := http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		took += int(n)
	})
	const most = 500
	w := &Witness{most: most}
	h := w.Wrap(terminal, terminal)
	long := `{"details":"` + strings.Repeat("x", 2*longest) + `","referenceId":"a"}`
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/transaction", strings.NewReader(long)))
	if took != len(long) {
		t.Errorf("the terminal got %d bytes of %d", took, len(long))
	}
	if watch, _ := w.Seen(); watch.Exchanges[0].Charge.TPag != "" {
		t.Errorf("%+v", watch.Exchanges[0])
	}
	for range most {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/status", nil))
	}
	watch, missed := w.Seen()
	if len(watch.Exchanges) != most || missed != 1 || time.Since(watch.End) < 0 {
		t.Errorf("%d kept, %d missed", len(watch.Exchanges), missed)
	}
	if diff := cmp.Diff(most, watch.Exchanges[most-1].N); diff != "" {
		t.Error(diff)
	}
}

// The same question, and the same print, are known again, whatever they look like; what did not come whole is not known.
func TestContents(t *testing.T) {
	w, url := stage(t, func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Unread") == "" {
			io.Copy(io.Discard, r.Body)
		}
		out.WriteHeader(503)
	})
	const cpf = `{"question":{"type":"CPF","text":"CPF?"}}`
	for _, body := range []string{cpf, `{ "parameters": {"title":"De novo"}, "question": {"text":"CPF?","type":"CPF"} }`, `{"question":{"type":"CPF","text":"E o seu?"}}`, "{", "{}", ""} {
		send(t, t.Context(), "POST", url+"/ask", body)
	}
	long := strings.Repeat("x", 2*longest)
	for _, body := range []string{long, long, long + "y"} {
		send(t, t.Context(), "POST", url+"/print/image", body)
	}
	r, err := http.NewRequestWithContext(t.Context(), "POST", url+"/ask", strings.NewReader(cpf))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Unread", "1")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	var got []string
	names := map[string]string{"": "-"}
	for _, x := range seen(t, w) {
		if names[x.Content] == "" {
			names[x.Content] = string(rune('a' + len(names) - 1))
		}
		got = append(got, names[x.Content])
		if x.Caller == "" {
			t.Errorf("%+v", x)
		}
	}
	if diff := cmp.Diff("a a b c d - e e f -", strings.Join(got, " ")); diff != "" {
		t.Error(diff)
	}
}
