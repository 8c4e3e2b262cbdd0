package main

import (
	"io"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// Whatever stands on the command line is taken or refused in words; nothing is run.
func FuzzCommandLine(f *testing.F) {
	for _, seed := range []string{
		"serve\n--printer\ntcp://192.168.0.50", "--listen\n:9050\n--screen=127.0.0.1:9051", "--paper-width=576\n--printer-dpi=0", "--autopilot-delay=-1s", "--max-json=99999999999999999999",
		"closing\n2026-11-15", "transactions\n--since\n2026-W46-1\n--limit\n-1", "print\nnota.xml\n--to\npdf\n--width=1", "simulate\npix\n--help", "password\n--username=a:b", "--tls-cert\nx", "logs\n-f\n--since\n2h\n--url\n[::1]:9050", "logs\n--limit=-1\n--level=x", "doctor\n-o\n-", "--locale=xx", "--\n-", "\x00\n--=\n-x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		helped := false
		parser := commandline.New(&commandLine{}, kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) { helped = true }), kong.Bind(options.NewConfiguration()))
		if _, err := parser.Parse(strings.Split(line, "\n")); err != nil && !helped {
			if text, _ := commandline.Words(err); strings.TrimSpace(text) == "" {
				t.Errorf("%q is refused without a word", line)
			}
		}
	})
}
