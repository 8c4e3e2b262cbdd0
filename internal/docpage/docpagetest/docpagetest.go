// Package docpagetest holds a description against rules that every one of ours keeps, and exchanges against a description.
package docpagetest

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

var loaded sync.Map // *openapi3.T, by the description

// Load reads a description, once for all tests that ask. It also checks every example against its schema: Validate does so by default.
func Load(t testing.TB, description []byte) *openapi3.T {
	t.Helper()
	if doc, ok := loaded.Load(string(description)); ok {
		return doc.(*openapi3.T)
	}
	doc, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		t.Fatalf("loading: %v", err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatalf("validating: %v", err)
	}
	loaded.Store(string(description), doc)
	return doc
}

// Operations are what a description describes: a method and a path each, sorted.
func Operations(doc *openapi3.T) (all []string) {
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			all = append(all, method+" "+path)
		}
	}
	slices.Sort(all)
	return all
}

// Check holds what lies in the binary against the file it was made of, and against the rules. odd are messages whose body has
// another code than the status.
func Check(t *testing.T, description []byte, odd map[string]float64) {
	t.Helper()
	written, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, description) {
		t.Error("openapi.yaml has changed: go generate, in its folder")
	}
	doc := Load(t, description)
	t.Run("operations", func(t *testing.T) { checkOperations(t, doc) })
	t.Run("numbers", func(t *testing.T) { checkNumbers(t, string(description)) })
	t.Run("errors", func(t *testing.T) { checkErrors(t, doc, odd) })
}

func checkOperations(t *testing.T, doc *openapi3.T) {
	var tags []string
	for _, tag := range doc.Tags {
		tags = append(tags, tag.Name)
	}
	camelCase := regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)
	ids := map[string]string{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			name := method + " " + path
			if !camelCase.MatchString(op.OperationID) {
				t.Errorf("%s: operationId %q", name, op.OperationID)
			}
			if other, taken := ids[op.OperationID]; taken {
				t.Errorf("%s: operationId of %s too", name, other)
			}
			ids[op.OperationID] = name
			if op.Summary == "" || op.Description == "" {
				t.Errorf("%s: summary or description missing", name)
			}
			if len(op.Tags) != 1 || !slices.Contains(tags, op.Tags[0]) {
				t.Errorf("%s: tags %q", name, op.Tags)
			}
			public := op.Security != nil && len(*op.Security) == 0
			if (op.Responses.Value("401") == nil) != public {
				t.Errorf("%s: public is %v, and 401 does not agree", name, public)
			}
			checkResponses(t, name, op.Responses)
		}
	}
}

func checkResponses(t *testing.T, name string, responses *openapi3.Responses) {
	t.Helper()
	success, refusal := false, false
	for status, ref := range responses.Map() {
		refusal = refusal || strings.HasPrefix(status, "4")
		success = success || status == "204"
		for mime, media := range ref.Value.Content {
			if media.Schema == nil {
				t.Errorf("%s: %s %s has no schema", name, status, mime)
			}
			success = success || strings.HasPrefix(status, "2")
			if status >= "400" && media.Example == nil && len(media.Examples) == 0 {
				t.Errorf("%s: %s has no example", name, status)
			}
		}
	}
	if !success {
		t.Errorf("%s: no 2xx with content", name)
	}
	if !refusal {
		t.Errorf("%s: no 4xx", name)
	}
}

// A generator takes a number without a format for a float32, which has no room for the cents of 131072.01.
func checkNumbers(t *testing.T, description string) {
	number := regexp.MustCompile(`type: (?:number|\[number, 'null'\])(?:, |\n\s+)(format: double)?`)
	for _, n := range number.FindAllStringSubmatch(description, -1) {
		if n[1] == "" {
			t.Errorf("a number without a format: %q", n[0])
		}
	}
	if without := regexp.MustCompile(`type: number}`).FindAllString(description, -1); len(without) > 0 {
		t.Errorf("%d numbers have nothing but their type", len(without))
	}
}

// Callers rely on the code in the body.
func checkErrors(t *testing.T, doc *openapi3.T, odd map[string]float64) {
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			for status, ref := range op.Responses.Map() {
				media := ref.Value.Content.Get("application/json")
				if status < "400" || media == nil {
					continue
				}
				values := []any{media.Example}
				for _, e := range media.Examples {
					values = append(values, e.Value.Value)
				}
				for _, v := range values {
					body, ok := v.(map[string]any)
					message, isText := body["message"].(string)
					got, isCode := body["code"].(float64)
					if !ok || !isText || !isCode {
						continue
					}
					want, isOdd := odd[message]
					if !isOdd {
						want, _ = strconv.ParseFloat(strings.ReplaceAll(status, "X", "0"), 64)
					}
					if got != want && !(strings.HasSuffix(status, "XX") && got-want < 100 && got > want) {
						t.Errorf("%s %s: %s example has %v", method, path, status, body)
					}
				}
			}
		}
	}
}

// Description is one that exchanges are held against.
type Description struct {
	router routers.Router
	bodies *bodies
}

// New reads a description; it panics on one that is none, which Check tells better.
func New(description []byte) *Description {
	doc, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		panic(err)
	}
	doc.Servers = nil // any host serves it
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		panic(err)
	}
	bodies, err := newBodies(doc)
	if err != nil {
		panic(err)
	}
	return &Description{router, bodies}
}

// Exchange is a request that was answered.
type Exchange struct {
	What    string // for whoever reads of a failure
	Request *http.Request
	Under   string // what stands before the described path, such as a hub's
	Status  int
	Header  http.Header
	Body    []byte
}

// Compare holds an exchange against the description: every answer must be one it lists, and every request that was accepted one
// it allows. The body that was sent is read from Request.Body.
func (d *Description) Compare(t testing.TB, e Exchange) {
	t.Helper()
	if e.Status == http.StatusNoContent || e.Status == http.StatusMethodNotAllowed {
		return
	}
	asked := e.Request.URL
	plain := e.Request.Clone(e.Request.Context())
	plain.URL = &url.URL{Path: strings.TrimPrefix(asked.Path, e.Under), RawPath: strings.TrimPrefix(asked.RawPath, e.Under), RawQuery: asked.RawQuery}
	route, params, err := d.router.FindRoute(plain)
	if err != nil {
		if e.Status != http.StatusNotFound && e.Status != http.StatusUnauthorized {
			t.Errorf("%s is not described: %v", e.What, err)
		}
		return
	}
	input := &openapi3filter.RequestValidationInput{Request: plain, PathParams: params, Route: route, Options: &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
		ExcludeResponseBody: strings.HasPrefix(e.Header.Get("Content-Type"), "text/csv"), // it knows commas only
	}}
	plain.Body = e.Request.Body
	if e.Status < 300 {
		if err := d.compareRequest(t.Context(), input); err != nil {
			t.Errorf("%s was accepted, but the description does not allow it: %v", e.What, err)
		}
	}
	if place, ok := ofAnswer(route, e.Status); ok && isJSON(e.Header) {
		input.Options.ExcludeResponseBody = true
		if err := d.bodies.check(place, e.Body); err != nil {
			t.Errorf("%s: the answer's body is not as described: %v\n%s", e.What, err, e.Body)
		}
	}
	answer := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: e.Status, Header: e.Header, Options: input.Options, Body: io.NopCloser(bytes.NewReader(e.Body)),
	}
	if err := openapi3filter.ValidateResponse(t.Context(), answer); err != nil {
		t.Errorf("%s: the answer is not as described: %v", e.What, err)
	}
}

func (d *Description) compareRequest(ctx context.Context, input *openapi3filter.RequestValidationInput) error {
	if place, ok := ofRequest(input.Route); ok && isJSON(input.Request.Header) {
		sent, err := io.ReadAll(input.Request.Body)
		if err != nil {
			return err
		}
		if err := d.bodies.check(place, sent); err != nil {
			return err
		}
		input.Options.ExcludeRequestBody = true
	}
	return openapi3filter.ValidateRequest(ctx, input)
}

func isJSON(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && kind == "application/json"
}
