package probe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
)

// Reach sees with the eyes of an installed service: root, who checks, reads everything.
type Reach struct {
	*daemon.Access
	Program daemon.Program
	Found   *console.Findings
}

// NewReach is that of the service that is installed with this configuration; nil: there is none, or it can't be told.
func NewReach(p daemon.Program, c *settings.Configuration, found *console.Findings) *Reach {
	if c.File == nil {
		return nil
	}
	access := p.AccessOf(c.Path())
	if access == nil {
		return nil
	}
	return &Reach{access, p, found}
}

// Look tries a path. What is missing is said elsewhere.
func (r *Reach) Look(try func(string) error, path, verb, where, remedy string) {
	if _, err := os.Stat(path); err != nil {
		return
	}
	if err := try(path); err != nil {
		r.Found.Wrong("Serviço", "o serviço (usuário %s) não consegue %s %s%s: %s", r.User, verb, path, where, r.why(err, path, remedy))
	}
}

// LookAtFiles tries the configuration file, the data and what the settings name that are wanted.
func (r *Reach) LookAtFiles(c *settings.Configuration, data string, wanted func(configfile.Setting) bool) {
	own := "sudo chown " + r.User + ": "
	r.Look(r.Read, c.Path(), "ler", "", own+console.ShellWord(c.Path()))
	if !r.Makes(data) {
		r.Look(r.Fill, data, "gravar em", "", "sudo chown -R "+r.User+": "+console.ShellWord(data))
	}
	for _, setting := range c.Of.Settings() {
		if path, set := c.File.Values[setting.Name()]; set && setting.Path && setting.Table != "" && wanted(setting) {
			r.Look(r.Read, path.Text, "ler", " ("+setting.Where()+")", own+console.ShellWord(path.Text))
		}
	}
}

// Conclude says that all is well where nothing was said since.
func (r *Reach) Conclude(errorsBefore int) {
	if r.Found.Errors == errorsBefore {
		r.Found.Good("Serviço", "instalado com esta configuração; o usuário %s alcança o que ela nomeia", r.User)
	}
}

// why says what keeps the service from a file, and what to do.
func (r *Reach) why(err error, path, remedy string) string {
	elsewhere := "mova-o para outro lugar, como /etc/" + r.Program.Name
	var hidden daemon.Hidden
	var closed daemon.OutOfReach
	switch {
	case errors.As(err, &hidden) && hidden.Folder == daemon.Everywhere:
		return fmt.Sprintf("%s, na unidade dele, só o deixa gravar na pasta de dados com que foi instalado; use essa, ou ponha ReadWritePaths=%s com: sudo systemctl edit %s",
			hidden.Directive, path, r.Program.Name)
	case errors.As(err, &hidden) && hidden.ReadOnly:
		return fmt.Sprintf("%s, na unidade dele, deixa %s só para leitura; use outra pasta", hidden.Directive, hidden.Folder)
	case errors.As(err, &hidden):
		return fmt.Sprintf("%s, na unidade dele, esconde %s; %s", hidden.Directive, hidden.Folder, elsewhere)
	case errors.As(err, &closed) && closed.Path != path:
		return fmt.Sprintf("a pasta %s não o deixa passar; %s, ou: sudo chmod o+x %s", closed.Path, elsewhere, console.ShellWord(closed.Path))
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
