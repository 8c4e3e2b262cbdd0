package printing

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/paper"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/rig"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// command runs a command line as main does.
func command(t *testing.T, args ...string) error {
	t.Helper()
	var line struct {
		Print Command `cmd:""`
	}
	ctx, err := commandline.New(&line).Parse(args)
	if err != nil {
		return err
	}
	return ctx.Run()
}

// files are one of each kind.
func files(t *testing.T) (dir string, all []string) {
	t.Helper()
	dir = t.TempDir()
	coupon, err := os.ReadFile(filepath.Join("..", "..", "fiscal", "testdata", "nfce.xml"))
	if err != nil {
		t.Fatal(err)
	}
	picture := image.NewGray(image.Rect(0, 0, 400, 100))
	for i := range picture.Pix {
		picture.Pix[i] = uint8(i)
	}
	picture.Set(0, 0, color.White)
	var photo bytes.Buffer
	if err := png.Encode(&photo, picture); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"cupom.xml": coupon, "foto.png": photo.Bytes(),
		"texto.json": []byte("\xef\xbb\xbf [{\"text\":{\"value\":\"Olá\",\"size\":20}},{\"line\":{\"divider\":true}}]"),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		all = append(all, path)
	}
	return dir, all
}

func TestPrintBesideTheFile(t *testing.T) {
	t.Parallel()
	_, all := files(t)
	if err := command(t, append([]string{"print", "--width", "384"}, all...)...); err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		out, err := os.Open(file + ".png")
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		picture, err := png.Decode(out)
		if err != nil || picture.Bounds().Dx() != 384 || picture.Bounds().Dy() < 20 {
			t.Errorf("%s: %v, %v", file, picture.Bounds(), err)
		}
	}
}

// What a coupon shows besides is said as to the service.
func TestPrintInTheShopsStyle(t *testing.T) {
	t.Parallel()
	dir, all := files(t)
	coupon, logo := filepath.Join(dir, "cupom.xml"), filepath.Join(dir, "foto.png")
	height := func(args ...string) int {
		t.Helper()
		if err := command(t, append([]string{"print", coupon}, args...)...); err != nil {
			t.Fatal(err)
		}
		out, err := os.Open(coupon + ".png")
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		picture, err := png.DecodeConfig(out)
		if err != nil {
			t.Fatal(err)
		}
		return picture.Height
	}
	plain := height()
	if named := height("--print-trade-name"); named <= plain {
		t.Errorf("%d dots with a trade name, %d without", named, plain)
	}
	if drawn := height("--print-logo", logo); drawn < plain+100 {
		t.Errorf("%d dots with a logo, %d without", drawn, plain)
	}
	if off := height("--no-print-trade-name", "--no-print-phone", "--no-print-item-notes"); off != plain {
		t.Errorf("%d dots with nothing, %d without", off, plain)
	}
	err := command(t, "print", "--print-logo", coupon, all[0])
	if err == nil || err.Error() != "--print-logo "+coupon+" não serve: o logotipo não é uma imagem PNG" {
		t.Error(err)
	}
}

func TestPrintToFolderAsPDFAndBytes(t *testing.T) {
	t.Parallel()
	_, all := files(t)
	out := t.TempDir()
	for _, to := range []string{"pdf", "escpos"} {
		if err := command(t, append([]string{"print", "--to", to, "--out", out, "--printer-copies", "2"}, all...)...); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range all {
		base := filepath.Join(out, filepath.Base(file))
		if data, err := os.ReadFile(base + ".pdf"); err != nil || !bytes.HasPrefix(data, []byte("%PDF-")) {
			t.Errorf("%s: no document: %v", file, err)
		}
		data, err := os.ReadFile(base + ".escpos")
		if err != nil {
			t.Fatal(err)
		}
		m := &escpostest.Machine{Width: 576}
		if _, err := m.Write(data); err != nil || len(m.Sheets) != 2 {
			t.Errorf("%s: %d sheets, %v", file, len(m.Sheets), err)
		}
	}
}

// TestPrintACBr: each cut makes a paper, known by the file's name or by the flag.
func TestPrintACBr(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := []byte("</ce>VIA LOJA\n</corte_parcial>\nVIA CLIENTE: p\xe3o\n</corte_total>\n</abre_gaveta>")
	for _, name := range []string{"cupom.acbr", "cupom.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "cupom.acbr")
	for _, arguments := range [][]string{{file}, {"--acbr", filepath.Join(dir, "cupom.txt")}, {"--to", "pdf", file}, {"--to", "escpos", file}} {
		if err := command(t, append([]string{"print"}, arguments...)...); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"cupom.acbr.png", "cupom.acbr-2.png", "cupom.txt.png", "cupom.txt-2.png"} {
		picture, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if size, err := png.DecodeConfig(bytes.NewReader(picture)); err != nil || size.Width != 576 || size.Height != 30 {
			t.Errorf("%s: %+v, %v", name, size, err)
		}
	}
	document, err := os.ReadFile(file + ".pdf")
	if err != nil || !bytes.Contains(document, []byte("/Count 2 ")) {
		t.Errorf("the document has other than two pages (%v)", err)
	}
	sent, err := os.ReadFile(file + ".escpos")
	if err != nil {
		t.Fatal(err)
	}
	m := &escpostest.Machine{Width: 576}
	if _, err := m.Write(sent); err != nil || len(m.Sheets) != 2 || m.Kicks != 1 {
		t.Errorf("%d sheets, %d kicks, %v", len(m.Sheets), m.Kicks, err)
	}
	if err := command(t, "print", "--out", "-", file); !errors.Is(err, commandline.ErrSaid) {
		t.Errorf("two pictures in one stream: %v", err)
	}
}

func TestPrintOnAPrinter(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 384)
	_, all := files(t)
	if err := command(t, append([]string{"print", "--to", "printer", "--printer", "tcp://" + fake.Address, "--width", "384"}, all...)...); err != nil {
		t.Fatal(err)
	}
	if n := len(fake.Sheets()); n != len(all) {
		t.Errorf("%d sheets of %d files", n, len(all))
	}
}

func TestPrintOneBadFileAmongGood(t *testing.T) {
	t.Parallel()
	dir, all := files(t)
	bad := filepath.Join(dir, "ruim.xml")
	if err := os.WriteFile(bad, []byte("<recibo/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := command(t, append([]string{"print", bad, filepath.Join(dir, "falta.png")}, all...)...); !errors.Is(err, commandline.ErrSaid) {
		t.Errorf("got %v, want a failure", err)
	}
	for _, file := range all {
		if _, err := os.Stat(file + ".png"); err != nil {
			t.Error(err)
		}
	}
}

func TestPrintRefusesWhatCannotBeMeant(t *testing.T) {
	t.Parallel()
	dir, all := files(t)
	for _, c := range []struct {
		words string
		args  []string
	}{
		{"ao menos um arquivo", nil},
		{"--width", []string{"--width", "0", all[0]}},
		{"--width deve estar entre 200 e 2000", []string{"--width", "199", all[0]}},
		{"--width deve estar entre 200 e 2000", []string{"--width", "2001", all[0]}},
		{"--dpi", []string{"--dpi", "5", all[0]}},
		{"--printer-copies", []string{"--printer-copies", "0", all[0]}},
		{"--printer-drawer-pin", []string{"--printer-drawer-pin", "3", all[0]}},
		{"--printer", []string{"--to", "printer", all[0]}},
		{"--out", []string{"--to", "printer", "--printer", "tcp://x", "--out", dir, all[0]}},
		{"pasta", []string{"--out", filepath.Join(dir, "nova.png"), all[0], all[1]}},
		{"udp://x", []string{"--printer", "udp://x", all[0]}},
		{"--out", []string{"--printer", "tcp://x", "--out", dir, all[0]}},
		{"deve ser um de", []string{"--to", "docx", all[0]}},
	} {
		err := command(t, append([]string{"print"}, c.args...)...)
		if err == nil {
			t.Errorf("%v was not refused", c.args)
			continue
		}
		if text, _ := commandline.Words(err); !strings.Contains(text, c.words) {
			t.Errorf("%v: %v, want it to speak of %s", c.args, err, c.words)
		}
	}
}

func TestWhyNotInPortuguese(t *testing.T) {
	t.Parallel()
	dir, _ := files(t)
	for name, want := range map[string]string{
		"": "vazio", "oi": "nem lista de instruções em JSON", `{"a":1}`: "lista de instruções", `[{"text":{}}]`: "[0].text.value", "[]": "nenhum texto",
		"<a": "XML", "\x89PNG\r\n\x1a\n": "danificada", "PK\x03\x04": "um arquivo zip", "\xff\xfe<\x00": `"UTF-16"`, "%PDF-1.4": "um PDF",
	} {
		_, err := Command{}.readJob("cupom", []byte(name), fiscal.Style{})
		if err == nil || !strings.Contains(whyNot(err), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
	if _, err := os.ReadFile(filepath.Join(dir, "falta")); whyNot(err) != "o arquivo ou a pasta não existe" {
		t.Errorf("missing: %s", whyNot(err))
	}
	if _, err := os.ReadFile(dir); !strings.Contains(whyNot(err), "não pode ser lido") {
		t.Errorf("a folder: %s", whyNot(err))
	}
}

func TestPrintNeverTakesThePlaceOfItsFile(t *testing.T) {
	t.Parallel()
	dir, all := files(t)
	link, hard := filepath.Join(dir, "link"), filepath.Join(dir, "outro")
	if err := errors.Join(os.Symlink(all[0], link), os.Link(all[0], hard)); err != nil {
		t.Skip("no links here: ", err)
	}
	before, err := os.ReadFile(all[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{all[0], link, hard} {
		p := Command{Files: all[:1], Out: out, Flags: paper.Flags{Width: new(384)}}
		if _, err := p.one(t.Context(), all[0], fiscal.Style{}); !errors.Is(err, errItself) {
			t.Errorf("--out %s: %v", out, err)
		}
	}
	if after, err := os.ReadFile(all[0]); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed: %v", err)
	}
}

func TestPrintSaysWhatIsWrongOutside(t *testing.T) {
	t.Parallel()
	dir, all := files(t)
	nobody := rig.FreeAddress()
	missing := filepath.Join(dir, "falta")
	for _, c := range []struct {
		p     Command
		words []string
	}{
		{Command{Out: filepath.Join(missing, "x.png")}, []string{"resultado", "a pasta " + missing + " não existe"}},
		{Command{Flags: paper.Flags{Printer: "file:" + missing}}, []string{"o dispositivo " + missing + " não existe"}},
		{Command{Flags: paper.Flags{Printer: "file:" + all[0]}}, []string{all[0] + " não é um dispositivo"}},
		{Command{Flags: paper.Flags{Printer: "tcp://" + nobody}}, []string{nobody + " recusou a conexão"}},
		{Command{Flags: paper.Flags{Printer: "tcp://nao-ha.invalid"}}, []string{"nao-ha.invalid"}},
	} {
		c.p.Width, c.p.Copies = new(384), 1
		_, err := c.p.one(t.Context(), all[0], fiscal.Style{})
		for _, w := range c.words {
			if err == nil || !strings.Contains(whyNot(err), w) {
				t.Errorf("%+v: %v, want %q", c.p, err, w)
			}
		}
		if err != nil {
			t.Log(whyNot(err))
		}
	}
}

func TestTheServicesPrinterIsNotMeantByItself(t *testing.T) {
	t.Setenv("MAQUININHA_PRINTER", "virtual")
	_, all := files(t)
	if err := command(t, "print", all[0]); err != nil {
		t.Fatal(err)
	}
	if err := command(t, "print", "--to", "printer", all[0]); err == nil || !strings.Contains(err.Error(), "virtual") {
		t.Errorf("got %v", err)
	}
	fake := escpostest.Listen(t, 576)
	t.Setenv("MAQUININHA_PRINTER", "tcp://"+fake.Address)
	for _, how := range []string{"--to=printer", "--printer=tcp://" + fake.Address} {
		if err := command(t, "print", how, all[0]); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(fake.Sheets()); n != 2 {
		t.Errorf("%d sheets, want 2", n)
	}
}
