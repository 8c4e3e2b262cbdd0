package pagekit

import (
	"net/http/httptest"
	"testing"
	"testing/fstest"
)

// A page names every module that it begins with, each once; what is imported later, or belongs to another page, it does not.
func TestModulesAreAnnounced(t *testing.T) {
	page := New(fstest.MapFS{
		"index.html": {Data: []byte("<head>\n  <script type=\"module\" src=\"/js/begin.js\"></script>\n</head>")},
		"js/begin.js": {Data: []byte("import { a } from \"./a.js\";\nimport {\n  b,\n} from \"./parts/b.js\";\nimport \"preact\";\n" +
			"const late = () => import(\"./late.js\");\n")},
		"js/a.js":       {Data: []byte("export * from \"./parts/b.js\";\n")},
		"js/parts/b.js": {Data: []byte("import \"../a.js\";\n")},
		"js/late.js":    {Data: []byte("")},
		"js/initial.js": {Data: []byte("")},
	})
	w := httptest.NewRecorder()
	if !page.Serve(w, httptest.NewRequest("GET", "/", nil)) {
		t.Fatal("no page")
	}
	const want = "<head>\n  <link rel=\"modulepreload\" href=\"/js/a.js\">\n  <link rel=\"modulepreload\" href=\"/js/parts/b.js\">\n  " +
		"<script type=\"module\" src=\"/js/begin.js\"></script>\n</head>"
	if got := w.Body.String(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
