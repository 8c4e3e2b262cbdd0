package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
)

func TestPrintingOnADeviceFile(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	device := filepath.Join(data, "lp0")
	must(t, unix.Mkfifo(device, 0o600))
	reader, err := os.OpenFile(device, os.O_RDONLY|unix.O_NONBLOCK, 0)
	must(t, err)
	fake := escpostest.New(576)
	stop := fake.ServeFile(reader)
	defer stop()
	defer fake.Close()
	c := config(filepath.Join(data, "dados"))
	c.Mode, c.Printer, c.PaperWidth = app.Production, app.Printer{Address: "file:" + device}, 576
	term := start(t, c)
	term.ok(t, "POST", "/print/text", oneText)
	if sheets := fake.Sheets(); len(sheets) != 1 || sheets[0].Height == 0 {
		t.Errorf("%d sheets", len(sheets))
	}
	must(t, fake.Wrong())
}
