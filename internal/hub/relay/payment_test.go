package relay

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/operations"
)

// A body that gets a reference is the same but for it, as the terminal reads it: the last of two names counts.
func FuzzAddReference(f *testing.F) {
	for _, seed := range []string{`{}`, `{"amount":1}`, ` { "referenceId" : null } `, "\xef\xbb\xbf{}", `{"a":"}"}`, `{"referenceId":""}`, `{"referenceId":"a"}`, `{"referenceId":5}`, `[]`, `null`, ``, `{"a":1}{}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if !lacksReference(body) {
			return
		}
		with := addReference(body, "hub-x")
		if got, ok := referenceIn(with, "referenceId"); !ok || got != "hub-x" {
			t.Fatalf("%q became %q", body, with)
		}
		var before, after map[string]json.RawMessage
		if json.Unmarshal(bytes.TrimPrefix(body, byteOrderMark), &before) != nil || json.Unmarshal(bytes.TrimPrefix(with, byteOrderMark), &after) != nil {
			t.Fatalf("%q became %q", body, with)
		}
		delete(before, "referenceId")
		delete(after, "referenceId")
		if len(before) != len(after) {
			t.Errorf("%q became %q", body, with)
		}
	})
}

func TestPreference(t *testing.T) {
	for _, c := range []struct {
		prefer []string
		async  bool
		wait   time.Duration
	}{
		{nil, false, 0},
		{[]string{"respond-async"}, true, 0},
		{[]string{"Respond-Async, wait=10"}, true, 10 * time.Second},
		{[]string{"return=minimal", `wait="5"`}, false, 5 * time.Second},
		{[]string{"respond-async; x=1"}, true, 0},
		{[]string{"wait=99999999999999999999", "wait=-1"}, false, 0},
		{[]string{"wait=4000"}, false, mostWait},
	} {
		async, wait := preference(&http.Request{Header: http.Header{"Prefer": c.prefer}})
		if async != c.async || wait != c.wait {
			t.Errorf("%q: %v %v", c.prefer, async, wait)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		method, path string
		want         kind
	}{
		{"POST", "/transaction", payment},
		{"POST", "/%74ransaction", payment},
		{"POST", "/transaction/", other},
		{"GET", "/transaction", other},
		{"POST", "/transaction/a%2Fb/reversal", reversal},
		{"POST", "/transaction/a/b/reversal", other},
		{"POST", "/ask", question},
		{"POST", "/ask/form", question},
		{"POST", "/ask/cancel", other},
		{"POST", "/print/xml", print},
		{"POST", "/render/xml", other},
		{"POST", "/", other},
	} {
		steps, ok := segments(c.path)
		if !ok || kindOf(c.method, steps) != c.want {
			t.Errorf("%s %s: %v", c.method, c.path, kindOf(c.method, steps))
		}
	}
	if _, ok := segments("/%zz"); ok {
		t.Error("what can't be read is a path")
	}
}

// Whatever a terminal answers to an operation, what callers are shown of it is JSON.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{`{"message":"ok"}`, `<html>`, "\xff\x00", ``, `{"a":1}{}`, `"\ud800"`} {
		f.Add([]byte(seed), 200)
	}
	f.Fuzz(func(t *testing.T, answer []byte, status int) {
		o := operations.Operation{ID: "x", State: operations.Done, Status: status, Headers: map[string]string{"X-Motivo": string(answer)}, Answer: answer}
		text, err := json.Marshal(bodyOf(o))
		if err != nil || !json.Valid(text) {
			t.Errorf("%s: %v", text, err)
		}
	})
}
