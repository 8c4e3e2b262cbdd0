package inspection

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/printer"
)

// lookAtService sees with the eyes of the installed service, where this is its configuration: root, who checks, reads
// everything.
func (i *Inspection) lookAtService(c *options.Configuration, s app.Standing) {
	if c.File == nil {
		return
	}
	access := daemon.AccessOf(c.Path())
	if access == nil {
		return
	}
	said := i.Errors
	look := func(try func(string) error, path, verb, where, remedy string) {
		if _, err := os.Stat(path); err != nil {
			return // what is missing is said elsewhere
		}
		if err := try(path); err != nil {
			i.Wrong("Serviço", "o serviço (usuário %s) não consegue %s %s%s: %s", access.User, verb, path, where, whyOutOfReach(err, path, remedy))
		}
	}
	own := "sudo chown " + access.User + ": "
	look(access.Read, c.Path(), "ler", "", own+console.ShellWord(c.Path()))
	if !access.Makes(i.data) {
		look(access.Fill, i.data, "gravar em", "", "sudo chown -R "+access.User+": "+console.ShellWord(i.data))
	}
	for _, setting := range options.Settings() {
		path, set := c.File.Values[setting.Name()]
		if set && setting.Path && setting.Table != "" && setting.Table != "tef" {
			look(access.Read, path.Text, "ler", " ("+setting.Where()+")", own+console.ShellWord(path.Text))
		}
	}
	if req, resp, err := s.Acquirers.TEF.Driver().Folders(); err == nil && s.Acquirers.UsesTEF() {
		for _, folder := range []string{req, resp} {
			// The owner stays: the payment manager writes there, too.
			look(access.Fill, folder, "gravar em", " ([tef])", fmt.Sprintf("sudo chgrp %s %s && sudo chmod g+rwxs %[2]s", access.Group, console.ShellWord(folder)))
		}
	}
	if address, err := printer.ParseAddress(s.Printer); err == nil && filepath.IsAbs(address.Path) {
		look(access.Write, address.Path, "usar", " ([printer])", "ponha-o no grupo do dispositivo (veja: ls -l "+console.ShellWord(address.Path)+"): sudo usermod -aG GRUPO "+access.User)
	}
	if i.Errors == said {
		i.Good("Serviço", "instalado com esta configuração; o usuário %s alcança o que ela nomeia", access.User)
	}
}

// whyOutOfReach says what keeps the service from a file, and what to do.
func whyOutOfReach(err error, path, remedy string) string {
	var hidden daemon.Hidden
	var closed daemon.OutOfReach
	switch {
	case errors.As(err, &hidden) && hidden.ReadOnly:
		return fmt.Sprintf("%s, na unidade dele, deixa %s só para leitura; use outra pasta", hidden.Directive, hidden.Folder)
	case errors.As(err, &hidden):
		return fmt.Sprintf("%s, na unidade dele, esconde %s; mova-o para outro lugar, como /etc/maquininha", hidden.Directive, hidden.Folder)
	case errors.As(err, &closed) && closed.Path != path:
		return fmt.Sprintf("a pasta %s não o deixa passar; mova-o para outro lugar, como /etc/maquininha, ou: sudo chmod o+x %s", closed.Path, console.ShellWord(closed.Path))
	}
	return "corrija com: " + remedy + ownedButClosed(path)
}

// ownedButClosed is for a file whose owner is not let in either.
func ownedButClosed(path string) string {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Mode()&fs.ModeDevice != 0 || info.Mode().Perm()&0o400 != 0 {
		return ""
	}
	return " && sudo chmod u+r " + console.ShellWord(path)
}
