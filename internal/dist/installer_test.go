package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
)

// What the installer does is tested where it can be run: internal/winetest.
func TestTheSameFilesMakeTheSameInstaller(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("makensis"); err != nil {
		t.Skip("makensis is missing: make nsis")
	}
	make := func(program string) []byte {
		made, err := sample.installer(t.Context(), []byte(program), []byte("notices\n"))
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	one := make("a program")
	if !bytes.HasPrefix(one, []byte("MZ")) {
		t.Error("that is no program of Windows")
	}
	if !bytes.Equal(one, make("a program")) {
		t.Error("two installers of the same files differ")
	}
	if bytes.Equal(one, make("another program")) {
		t.Error("the program is not in it")
	}
}

func TestInstallerKnowsThePaymentManagers(t *testing.T) {
	text := string(managers(tef.Profiles))
	for _, p := range tef.Profiles {
		if !strings.Contains(text, `"`+p.Title+`" "`+p.Name+`" "`+p.Dirs[0]+`"`) {
			t.Errorf("%s is not among\n%s", p.Name, text)
		}
	}
}
