package checkup

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/configfile"
)

var settings = []configfile.Setting{
	{Table: "api", Key: "listen"}, {Table: "api", Key: "password", Secret: true}, {Table: "api", Key: "password_file"}, {Key: "mode"}, {Table: "pix", Key: "url"},
}

func isFile(name string) bool { return name == "senha.txt" }

func TestConfigKeepsLinesAndHidesValues(t *testing.T) {
	for text, want := range map[string]string{
		"mode = \"production\"\n\n[api]\nlisten = ':9050' # porta\npassword = 'abc'\n": "mode = \"production\"\n\n[api]\nlisten = ':9050' # porta\npassword = \"••••\"\n",
		"[api]\r\npasword = abc\r\n":                                       "[api]\r\npasword = \"••••\"\r\n",
		"[api]\n# password = \"abc\"\n#password = \"\"\n# listen = \":1\"": "[api]\n# password = \"••••\"\n#password = \"\"\n# listen = \":1\"",
		"[api]\npassword_file = 'senha.txt'":                               "[api]\npassword_file = 'senha.txt'",
		"[api]\npassword_file = 'abc'\n# password_file = \"abc\"":          "[api]\npassword_file = \"••••\"\n# password_file = \"••••\"",
		"[pix]\nurl = \"https://a.b/c?k=x'y z\" # banco":                   "[pix]\nurl = \"https://a.b/c?••••\" # banco",
		"[pix]\n#url = 'a.b/c?k=x'\nurl = 'https://a.b#x'":                 "[pix]\n#url = \"a.b/c?••••\"\nurl = \"https://a.b#••••\"",
		"api.password = 'abc'\napi.listen = ':1'":                          "api.password = \"••••\"\napi.listen = ':1'",
		"api = { password = 'abc' }":                                       "api = \"••••\"",
		"[api]\nlisten = ':1' # a senha é abc":                             "[api]\nlisten = \"••••\"",
		"[api]\nlisten = \"\"\"\nabc\n\"\"\"\nlisten = ':2'":               "[api]\nlisten = \"••••\"\n••••\n••••\nlisten = ':2'",
		"[api]\npassword = '''\nmode = 'abc'\n'''\n":                       "[api]\npassword = \"••••\"\n••••\n••••\n",
		"abc\n# anote: a senha é abc\n# mesa 3":                            "••••\n# ••••\n# mesa 3",
		"\"password\" = 'abc'":                                             "••••",
		"[api]\nlisten = ':1', 'abc'":                                      "[api]\nlisten = \"••••\"",
	} {
		if got := string(Config([]byte(text), settings, isFile)); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

// Whatever the file is, its lines stay where they are and its password is not shown.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{"[api]\npassword = \"segredo-77\"\n", "api.password='segredo-77'", "[api]\npassword=\"\"\"\nsegredo-77\"\"\"", "api={password='segredo-77'}", "[ api ]\npassword = 'segredo-77'", "x='''\n[api]\n'''\n[api]\npassword='segredo-77'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := string(Config([]byte(text), settings, isFile))
		if strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q: the lines of %q", text, got)
		}
		secret := configfile.Parse([]byte(text), settings).Values["api.password"].Text
		if len(secret) >= 8 && strings.Count(text, secret) == 1 && strings.Contains(got, secret) {
			t.Errorf("%q: %q is shown in %q", text, secret, got)
		}
	})
}

func TestBundle(t *testing.T) {
	b := &Bundle{Mask: NewMask("segredo")}
	b.Gather(t.Context(), "a.txt", "Bom", func(_ context.Context, w io.Writer) error { _, err := fmt.Fprint(w, "o segredo\n"); return err })
	b.Gather(t.Context(), "b.txt", "Falha", func(_ context.Context, w io.Writer) error {
		fmt.Fprint(w, "metade")
		return errors.New("sem segredo\naqui")
	})
	b.Gather(t.Context(), "c.txt", "Pânico", func(context.Context, io.Writer) error { panic("de propósito") })
	b.Gather(t.Context(), "d.txt", "Longo", func(_ context.Context, w io.Writer) error {
		for range largestPart/1000 + 2 {
			fmt.Fprint(w, strings.Repeat("x", 1000))
		}
		return nil
	})
	var packed bytes.Buffer
	if err := b.Write(&packed, "leia o segredo", time.Now()); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || bytes.Contains(text, []byte("segredo")) || f.Mode() != 0o600 {
			t.Errorf("%s: %v, %v, %.80s", f.Name, err, f.Mode(), text)
		}
		names = append(names, f.Name)
		if want := map[string]string{"b.txt": "metade\nNÃO FOI POSSÍVEL REUNIR (TUDO): sem ••••; aqui\n", "c.txt": "falha do programa", "d.txt": "cortado"}[f.Name]; !strings.Contains(string(text), want) {
			t.Errorf("%s: %.100s", f.Name, text)
		}
	}
	if !slices.Equal(names, []string{"LEIA-ME.txt", "a.txt", "b.txt", "c.txt", "d.txt"}) {
		t.Error(names)
	}
}

// A part that never ends keeps what it has written, and no other from being gathered.
func TestAPartThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Bundle{Mask: NewMask(), Patience: time.Minute}
		never := make(chan struct{})
		slow := *b.Gather(t.Context(), "a.txt", "Preso", func(_ context.Context, w io.Writer) error {
			fmt.Fprintln(w, "até aqui")
			<-never
			fmt.Fprintln(w, "daqui em diante")
			return nil
		})
		polite := *b.Gather(t.Context(), "b.txt", "Atento", func(ctx context.Context, _ io.Writer) error { <-ctx.Done(); return errors.New("ninguém respondeu") })
		quick := *b.Gather(t.Context(), "c.txt", "Bom", func(_ context.Context, w io.Writer) error { _, err := fmt.Fprintln(w, "bom"); return err })
		close(never)
		if !slow.Slow || string(slow.text) != "até aqui\nNÃO FOI POSSÍVEL REUNIR (TUDO): não terminou a tempo\n" {
			t.Errorf("%v %q", slow.Slow, string(slow.text))
		}
		if polite.Slow || polite.Err == nil || polite.Err.Error() != "ninguém respondeu" || quick.Err != nil || string(quick.text) != "bom\n" {
			t.Errorf("%+v, %+v", polite, quick)
		}
	})
}

func TestListening(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:235B 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 123 1 0 100 0 0 10 0
   1: 00000000000000000000000000000000:235A 00000000000000000000000000000000:0000 0A 0 0 0
   2: 0000000000000000FFFF00000100007F:0016 00000000000000000000000000000000:0000 0A 0 0 0
   3: 0100007F:1F90 0100007F:1F91 01 00000000:00000000 00:00000000 00000000
   4: XYZ:0016 0 0A
   5: 01:0016 0 0A
`
	if got := fmt.Sprint(Listening(table)); got != "[127.0.0.1:22 [::]:9050 127.0.0.1:9051]" {
		t.Error(got)
	}
}

func FuzzListening(f *testing.F) {
	if table, err := os.ReadFile("/proc/net/tcp"); err == nil {
		f.Add(string(table))
	}
	f.Add("0: 0100007F:235B 0:0 0A")
	f.Fuzz(func(t *testing.T, table string) {
		for _, a := range Listening(table) {
			if !a.IsValid() {
				t.Errorf("%q: %v", table, a)
			}
		}
	})
}
