package docpagetest

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// bodies are what a description says of bodies in JSON. kin-openapi compiles a schema anew for every body that it looks at, which was a
// quarter of the interface tests' time; the library that it does so with compiles each once when it is asked for it by its place.
type bodies struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
}

// described is the description's name, whole: a bare one would be taken for a file of the current folder, whose path may have signs that
// the compiler writes in two ways.
const described = "https://maquininha.invalid/description.json"

func newBodies(doc *openapi3.T) (*bodies, error) {
	text, err := doc.MarshalJSON()
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	return &bodies{compiler: compiler}, compiler.AddResource(described, value)
}

// check holds a body against the schema at a place of the description.
func (b *bodies) check(place string, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body is no JSON: %w", err)
	}
	b.mu.Lock()
	schema, err := b.compiler.Compile(described + (&url.URL{Fragment: place + "/content/application~1json/schema"}).String())
	b.mu.Unlock()
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// ofRequest is the place of a route's body, if it is one in JSON.
func ofRequest(route *routers.Route) (place string, ok bool) {
	body := route.Operation.RequestBody
	if body == nil || body.Value.Content["application/json"] == nil {
		return "", false
	}
	return placeOf(body.Ref, route, "/requestBody"), true
}

// ofAnswer is the place of what is answered with a status, if that is in JSON.
func ofAnswer(route *routers.Route, status int) (place string, ok bool) {
	for _, key := range []string{strconv.Itoa(status), strconv.Itoa(status/100) + "XX", "default"} {
		if answer := route.Operation.Responses.Value(key); answer != nil {
			return placeOf(answer.Ref, route, "/responses/"+key), answer.Value.Content["application/json"] != nil
		}
	}
	return "", false
}

var inPointer = strings.NewReplacer("~", "~0", "/", "~1")

func placeOf(ref string, route *routers.Route, rest string) string {
	if ref != "" {
		return strings.TrimPrefix(ref, "#")
	}
	return "/paths/" + inPointer.Replace(route.Path) + "/" + strings.ToLower(route.Method) + rest
}
