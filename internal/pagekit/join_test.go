package pagekit

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/packed"
)

// A page is one script, in which a module comes after those that it imports, each once; and one style sheet.
func TestJoining(t *testing.T) {
	page := New(map[string]string{
		"index.html": "<head>\n  <link rel=\"stylesheet\" href=\"/css/a.css\">\n  <link rel=\"stylesheet\" href=\"/css/b.css\">\n" +
			"  <script type=\"module\" src=\"/js/begin.js\"></script>\n</head>",
		"css/a.css":     "a {}\n",
		"css/b.css":     "b {}\n",
		"js/begin.js":   "import { a, b as c } from \"./a.js\";\nimport { d } from \"./parts/b.js\";\na(c, d);\n",
		"js/a.js":       "import lib from \"lib\";\nimport { d } from \"./parts/b.js\";\nexport function a() {}\nconst b = lib(d);\nexport { b };\n",
		"js/parts/b.js": "export const d = 1;\n",
		"js/initial.js": "",
	})
	edition := edition(page)
	for path, want := range map[string]string{
		"/":                       "<head>\n  <link rel=\"stylesheet\" href=\"/css/page.css\">\n  <script type=\"module\" src=\"/js/begin.js\"></script>\n</head>",
		edition + "/css/page.css": "a {}\nb {}\n",
		edition + "/js/begin.js": "import lib from \"lib\";\n" +
			"\n// /js/parts/b.js\nconst $1 = (() => {\nconst d = 1;\n\nreturn { d };\n})();\n" +
			"\n// /js/a.js\nconst $2 = (() => {\nconst { d } = $1;\nfunction a() {}\nconst b = lib(d);\n\nreturn { a, b };\n})();\n" +
			"\n// /js/begin.js\nconst $3 = (() => {\nconst { a, b: c } = $2;\nconst { d } = $1;\na(c, d);\n\nreturn {  };\n})();\n",
	} {
		w := httptest.NewRecorder()
		if !page.Serve(w, httptest.NewRequest("GET", path, nil)) {
			t.Fatalf("no %s", path)
		}
		if got := strings.ReplaceAll(w.Body.String(), edition, ""); got != want {
			t.Errorf("%s: %s\nwant %s", path, got, want)
		}
	}
}

// A program says why it can't make its page only in its log.
func TestThePagesCanBeMade(t *testing.T) {
	for _, folder := range []string{"../screenui/page", "../hub/screenui/page"} {
		if err := made(t, folder); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
	}
	if err := made(t, "files/css"); err == nil {
		t.Error("a page without its index was made")
	}
}

// made tells why New panics.
func made(t *testing.T, folder string) (why any) {
	t.Helper()
	own, err := packed.Folder(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { why = recover() }()
	New(own)
	return nil
}

func TestWhatCannotBeJoined(t *testing.T) {
	for name, modules := range map[string]map[string]string{
		"a circle":         {"/js/begin.js": "import { a } from \"./a.js\";\n", "/js/a.js": "import { b } from \"./begin.js\";\n"},
		"a missing module": {"/js/begin.js": "import { a } from \"./a.js\";\n"},
		"a default":        {"/js/begin.js": "export default function () {}\n"},
		"passed on":        {"/js/begin.js": "export * from \"./a.js\";\n", "/js/a.js": ""},
	} {
		files := map[string]asset{}
		for file, text := range modules {
			files[file] = asset{text: []byte(text)}
		}
		if joined, err := joinScript(files, "/js/begin.js"); err == nil {
			t.Errorf("%s: %s", name, joined)
		}
	}
}
