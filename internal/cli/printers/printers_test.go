//go:build linux

package printers

import (
	"encoding/json"
	"image/png"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/cupstest"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// said runs the program beside a print server of the test's own.
func said(t *testing.T, server string, args ...string) (string, error) {
	t.Helper()
	command := clitest.Program(t, args...)
	command.Env = append(command.Environ(), "CUPS_SERVER="+server)
	out, err := command.CombinedOutput()
	return string(out), err
}

func TestThePrintersThatThereAre(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.98.8.3:9100")
	if err != nil {
		t.Skip("the port of printers can't be had here: ", err)
	}
	defer listener.Close()
	fake := escpostest.Listen(t, 576)
	server := cupstest.Start(t, map[string]string{"caixa": "socket://" + fake.Address + "/?waiteof=false", "bar": "socket://127.0.0.1:9/"})
	server.Run(t, "cupsdisable", "bar")
	text, err := said(t, server.Socket, "printers", "--network", "127.98.8.0/29")
	if err != nil {
		t.Fatal(err, text)
	}
	clitest.Wants(t, text, "ENDEREÇO (--printer)", "cups:caixa", "instalada", "não informa", "cups:bar", "fora do ar", "tcp://127.98.8.3", "rede")
	text, err = said(t, server.Socket, "printers", "list", "--local", "--json")
	var list []body
	if err != nil || json.Unmarshal([]byte(text), &list) != nil || !strings.Contains(text, `"address": "cups:caixa"`) || strings.Contains(text, "127.98.8.3") {
		t.Errorf("%v %s", err, text)
	}

	text, err = said(t, server.Socket, "printers", "test", "cups:caixa")
	sheets := fake.Sheets()
	if err != nil || !strings.Contains(text, "Página de teste impressa.") || len(sheets) != 1 || sheets[0].Width != 576 {
		t.Errorf("%v %s, %d sheets", err, text, len(sheets))
	}
	text, err = said(t, server.Socket, "printers", "test", "cups:nenhuma")
	if err == nil || !strings.Contains(text, "não há fila de impressão com o nome nenhuma") {
		t.Errorf("%v %s", err, text)
	}
	text, err = said(t, "/nao/ha", "printers", "test", "cups:caixa")
	if err == nil || !strings.Contains(text, "o servidor de impressão (CUPS) não está no ar") {
		t.Errorf("%v %s", err, text)
	}
}

// A queue that was stopped says why, and one that runs is not said to have answered.
func TestWhatAQueueSays(t *testing.T) {
	t.Parallel()
	server := cupstest.Start(t, map[string]string{"caixa": "socket://127.0.0.1:9/", "parada": "socket://127.0.0.1:9/"})
	server.Run(t, "cupsdisable", "-r", "Sem papel no rolo", "parada")
	const why = `impressora fora do ar: a fila parada informa "Sem papel no rolo"`
	for _, args := range [][]string{
		{"printers", "state", "cups:parada"},
		{"printers", "test", "cups:parada"},
		{"check", "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--printer", "cups:parada"},
	} {
		if text, err := said(t, server.Socket, args...); err == nil || !strings.Contains(text, why) {
			t.Errorf("%s: %v %s", args, err, text)
		}
	}
	text, err := said(t, server.Socket, "printers", "state", "cups:caixa")
	if err != nil {
		t.Error(err)
	}
	clitest.Wants(t, text, "Estado  a fila não acusa nenhum problema\n", "Diz ser Local Raw Printer caixa\n")
}

// The paper is that of the model that a queue's name tells, unless somebody says otherwise; check says the same.
func TestPaperOfAQueueThatIsKnown(t *testing.T) {
	t.Parallel()
	narrow, wide := escpostest.Listen(t, 384), escpostest.Listen(t, 576)
	server := cupstest.Start(t, map[string]string{
		"POS-58": "socket://" + narrow.Address + "/?waiteof=false", "ZJ-58": "socket://" + wide.Address + "/?waiteof=false",
	})
	for _, args := range [][]string{{"cups:POS-58"}, {"cups:ZJ-58", "--width", "576"}, {"cups:ZJ-58", "--printer-model", "tm-t20"}} {
		if text, err := said(t, server.Socket, append([]string{"printers", "test"}, args...)...); err != nil {
			t.Fatalf("%q: %v %s", args, err, text)
		}
	}
	if len(narrow.Sheets()) != 1 || len(wide.Sheets()) != 2 {
		t.Errorf("%d and %d sheets", len(narrow.Sheets()), len(wide.Sheets()))
	}
	text, _ := said(t, server.Socket, "check", "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--printer", "cups:POS-58")
	clitest.Wants(t, text, "✓ Modelo        Local Raw Printer POS-58, 384 pontos")
}

// asked asks the printer until it is heard: the program gives a printer half a second for its answer, and on a busy machine the one in this process
// may get less of it than it needs.
func asked(t *testing.T, address string) (text string, err error) {
	t.Helper()
	waittest.Until(t, "the printer is heard in time", func() bool {
		var out []byte
		out, err = clitest.Program(t, "printers", "state", address).CombinedOutput()
		text = string(out)
		return !strings.Contains(text, "não informa o seu estado")
	})
	return text, err
}

func TestThePrinterThatIsAsked(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 512)
	fake.SetModel("TM-T88V")
	at := "tcp://" + fake.Address
	text, err := asked(t, at)
	clitest.Wants(t, text, "pronta, com papel", "TM-T88V", "tm-t88", "512 pontos, 180 dpi")
	if err != nil {
		t.Error(err)
	}
	clitest.Output(t, "printers", "test", at, "--printer-model", "TM-T88V")
	if sheets := fake.Sheets(); len(sheets) != 1 || sheets[0].Width != 512 {
		t.Errorf("%d sheets", len(sheets))
	}
	fake.SetStatus(escpos.CoverOpen)
	text, err = asked(t, at)
	clitest.Wants(t, text, "tampa da impressora aberta")
	if err == nil {
		t.Error("an open printer is no failure")
	}
	clitest.Wants(t, clitest.Complaint(t, "printers", "test"), "informe em --printer a impressora")
	clitest.Wants(t, clitest.Complaint(t, "printers", "test", at, "--printer-model", "cafeteira"), "não é um modelo conhecido", "maquininha printers models")
	clitest.Wants(t, clitest.Complaint(t, "printers", "test", at, "--printer-model", "zebra"), "imprime etiquetas, não cupons")
	clitest.Wants(t, clitest.Complaint(t, "printers", "--network", "loja"), "não é uma rede")
	clitest.Wants(t, clitest.Complaint(t, "printers", "--network", "10.0.0.0/8"), "há endereços demais")
	clitest.Wants(t, clitest.Output(t, "printers", "models"), "mp-4200", "Bematech MP-4200", "pos-58", "384 pontos")
}

// The test page is whole on every width: the ruler reaches from edge to edge, and nothing is as long as a coupon.
func TestTheTestPage(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 17, 19, 30, 0, 0, time.UTC)
	for name, paper := range map[string]receipt.Paper{"80": receipt.Paper80, "58": receipt.Paper58, "tm-t88": {Width: 512, DPI: 180}} {
		job := printing.TestPage("cups:caixa", "Epson TM-T88, TM-T70", paper, now)
		virtual, err := printer.NewVirtual(t.TempDir(), paper)
		if err != nil {
			t.Fatal(err)
		}
		if err := virtual.Print(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		bitmap, err := job.Pages[0].Raster(paper)
		if err != nil {
			t.Fatal(err)
		}
		edges := 0
		for y := range bitmap.Height {
			row := bitmap.Bits[y*bitmap.Stride():][:bitmap.Stride()]
			if row[0] == 0xff && row[len(row)-1] == 0xff {
				edges++
			}
		}
		if edges < 32 || bitmap.Height > 1500 {
			t.Errorf("%s: %d rows reach from edge to edge, of %d", name, edges, bitmap.Height)
		}
		if dir := os.Getenv("MAQUININHA_SCREENS"); dir != "" { // to look at
			file, err := os.Create(filepath.Join(dir, "test-page-"+name+".png"))
			if err != nil {
				t.Fatal(err)
			}
			if err := png.Encode(file, bitmap.Image()); err != nil {
				t.Error(err)
			}
			file.Close()
		}
	}
}
