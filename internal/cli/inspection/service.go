package inspection

import (
	"fmt"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/probe"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/printer"
)

// lookAtService sees with the eyes of the installed service, where this is its configuration.
func (i *Inspection) lookAtService(c *options.Configuration, s app.Standing) {
	service := probe.NewReach(daemon.Terminal, c, i.Findings)
	if service == nil {
		return
	}
	said := i.Errors
	service.LookAtFiles(c, i.data, func(s configfile.Setting) bool { return s.Table != "tef" })
	if req, resp, err := s.Acquirers.TEF.Driver().Folders(); err == nil && s.Acquirers.UsesTEF() {
		for _, folder := range []string{req, resp} {
			// The owner stays: the payment manager writes there, too.
			service.Look(service.Fill, folder, "gravar em", " ([tef])", fmt.Sprintf("sudo chgrp %s %s && sudo chmod g+rwxs %[2]s", service.Group, console.ShellWord(folder)))
		}
	}
	if address, err := printer.ParseAddress(s.Printer); err == nil && filepath.IsAbs(address.Path) {
		service.Look(service.Write, address.Path, "usar", " ([printer])", "ponha-o no grupo do dispositivo (veja: ls -l "+console.ShellWord(address.Path)+"): sudo usermod -aG GRUPO "+service.User)
	}
	service.Conclude(said)
}
