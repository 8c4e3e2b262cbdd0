package docpagetest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/docpage/docpagetest"
)

const shop = `
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /goods/{id}:
    put:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Good'}}}
      responses:
        '200': {description: Done, content: {application/json: {schema: {$ref: '#/components/schemas/Good'}}}}
        4XX: {$ref: '#/components/responses/Refused'}
components:
  responses:
    Refused: {description: Refused, content: {application/json: {schema: {type: object, required: [message], properties: {message: {type: string}}}}}}
  schemas:
    Good: {type: object, required: [name], additionalProperties: false, properties: {name: {type: string}, since: {type: string, format: date-time}}}
`

// faults is a test that only counts what it is told.
type faults struct {
	testing.TB
	told []string
}

func (f *faults) Helper() {}

func (f *faults) Errorf(format string, args ...any) {
	f.told = append(f.told, fmt.Sprintf(format, args...))
}

// What a body may not be is seen, sent or answered, at whatever place its schema is written; a second time as well.
func TestBodies(t *testing.T) {
	description := docpagetest.New([]byte(shop))
	for _, tt := range []struct {
		sent, answered string
		status         int
		fault          string
	}{
		{`{"name":"a"}`, `{"name":"a","since":"2026-01-02T03:04:05Z"}`, 200, ""},
		{`{"name":1}`, `{"name":"a"}`, 200, "does not allow it"},
		{``, `{"name":"a"}`, 200, "no JSON"},
		{`{"name":"a"}`, `{"name":"a","price":1}`, 200, "price"},
		{`{"name":"a"}`, `{"name":"a","since":"today"}`, 200, "date-time"},
		{`{"name":"a"}`, `{`, 200, "no JSON"},
		{`{"name":1}`, `{"message":"no"}`, 400, ""},
		{`{"name":1}`, `{"code":400}`, 400, "message"},
		{`{"name":"a"}`, `{"message":"no"}`, 500, "status is not supported"},
	} {
		for range 2 {
			request := httptest.NewRequest(http.MethodPut, "/goods/7", strings.NewReader(tt.sent))
			request.Header.Set("Content-Type", "application/json")
			got := &faults{TB: t}
			description.Compare(got, docpagetest.Exchange{
				What: "PUT /goods/7", Request: request, Status: tt.status, Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, Body: []byte(tt.answered),
			})
			if said := strings.Join(got.told, "\n"); (tt.fault == "") != (said == "") || !strings.Contains(said, tt.fault) {
				t.Errorf("sent %s, answered %d %s: %q, want one with %q", tt.sent, tt.status, tt.answered, said, tt.fault)
			}
		}
	}
}
