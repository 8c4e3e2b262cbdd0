package winetest_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
)

// installPrinter makes a queue of Windows that ends in a file of this machine, as far as Wine has printers.
func (s *shop) installPrinter(name string) (paper string) {
	s.t.Helper()
	paper = filepath.Join(s.t.TempDir(), "papel")
	for value, text := range map[string]string{"Name": name, "Port": paper, "Datatype": "RAW", "Print Processor": "winprint", "Printer Driver": "Generic / Text Only"} {
		s.Says(0, "", "reg", "add", `HKLM\System\CurrentControlSet\Control\Print\Printers\`+name, "/v", value, "/d", text, "/f")
	}
	const local = "64"
	s.Says(0, "", "reg", "add", `HKLM\System\CurrentControlSet\Control\Print\Printers\`+name, "/v", "Attributes", "/t", "REG_DWORD", "/d", local, "/f")
	return paper
}

// Printers are listed, and print from the command line and for callers, on the network and installed.
func TestPrintersOnWindows(t *testing.T) {
	s := newShop(t)
	s.program = s.Program(accented)
	const queue = "Balcão nº 1"
	paper := s.installPrinter(queue)
	s.Says(0, "windows:"+queue, s.program, "printers", "--local")
	network := escpostest.Listen(t, 576)
	text := accented + `\texto.json`
	must(t, os.WriteFile(s.Path(text), []byte(`[{"text":{"value":"Olá, balcão"}}]`), 0o600))
	s.Says(0, "", s.program, "print", text, "--printer", "tcp://"+network.Address)
	if sheets := network.Sheets(); len(sheets) != 1 {
		t.Errorf("%d sheets came out on the network", len(sheets))
	}
	s.Says(0, "", s.program, "print", text, "--printer", "windows:"+queue)
	s.isPrinted(paper)
	s.serve("--data", shopData, "--printer", "windows:"+queue)
	s.ok("POST", "/print/text", `[{"text":{"value":"Olá, balcão"}}]`)
	s.isPrinted(paper)
}

// isPrinted wants one paper in the file, and takes it away.
func (s *shop) isPrinted(paper string) {
	s.t.Helper()
	sent, err := os.ReadFile(paper)
	must(s.t, err)
	if cuts := bytes.Count(sent, escpos.ESCPOS.Cut); cuts != 1 {
		s.t.Errorf("%d papers were cut, in %d bytes", cuts, len(sent))
	}
	must(s.t, os.Remove(paper))
}
