package app

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// TEF is the payment manager on this machine.
type TEF struct {
	Profile                             string
	Dir, Req, Resp                      string // the folders; empty: the profile's own, on Windows
	Company, Application, Certification string
	// Files are the names of the exchange's files, as ParseTEFFiles reads them; empty: the profile's.
	Files string
	// PixMenu has people choose Pix in the manager's own menu, where it can't be asked for otherwise.
	PixMenu bool
	// Leave is how long the manager may take to answer before a person may stop waiting; 0: as its driver has it.
	Leave time.Duration
}

// check refuses what no manager of the profile could do. Pix that nobody asked for to go this way is simply not taken.
func (t TEF) check(pix bool) error {
	p, ok := tef.ProfileNamed(t.Profile)
	if !ok {
		var names []string
		for _, p := range tef.Profiles {
			names = append(names, p.Name)
		}
		return configfile.Refuse("tef-profile", "deve ser um de %s", strings.Join(names, ", "))
	}
	if _, err := parseTEFFiles(t.Files); err != nil {
		return configfile.Refuse("tef-files", "%v", err)
	}
	switch {
	case t.PixMenu && !p.PixInMenu:
		return configfile.Refuse("tef-pix-menu", "só vale para o perfil sitef")
	case pix && !t.profile().Takes(payment.Pix) && p.PixInMenu:
		return configfile.Refuse("acquirer-pix", "não pode ser tef: o perfil %s não tem como pedir PIX (com --tef-pix-menu o operador o escolhe no menu do gerenciador)", p.Name)
	case pix && !t.profile().Takes(payment.Pix):
		return configfile.Refuse("acquirer-pix", "não pode ser tef: o perfil %s não tem como pedir PIX", p.Name)
	}
	return nil
}

// profile is the manager's, as the shop wants it.
func (t TEF) profile() tef.Profile {
	p, _ := tef.ProfileNamed(t.Profile)
	if t.PixMenu {
		return p.WithPixMenu()
	}
	return p
}

// parseTEFFiles reads the names of temporary file, request, response and status, with commas between them.
func parseTEFFiles(text string) (names intpos.Names, err error) {
	if text == "" {
		return names, nil
	}
	given := strings.Split(text, ",")
	for i := range given {
		given[i] = strings.TrimSpace(given[i])
		if given[i] == "" || strings.ContainsAny(given[i], `/\:`) {
			return names, errors.New("pede quatro nomes de arquivo, sem pasta, separados por vírgulas")
		}
	}
	if len(given) != 4 {
		return names, errors.New("pede quatro nomes de arquivo: temporário, pedido, resposta e status")
	}
	return intpos.Names{Temporary: given[0], Request: given[1], Response: given[2], Status: given[3]}, nil
}

func (t TEF) party() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", tefAcquirer, t.Profile, t.folder()))
}

// folder is where the manager is found, empty for the profile's own place.
func (t TEF) folder() string {
	dir := cmp.Or(t.Dir, t.Req)
	if abs, err := filepath.Abs(dir); dir != "" && err == nil {
		return abs
	}
	return dir
}

// lock keeps a second terminal off the folder: each would take the answers to the other for its own. A folder that is not
// there yet can't be locked.
func (t TEF) lock() (unlock func() error, err error) {
	nothing := func() error { return nil }
	if t.folder() == "" {
		return nothing, nil
	}
	f, err := os.OpenFile(filepath.Join(t.folder(), datafolder.LockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nothing, nil
	}
	if err := datafolder.LockFile(f); err != nil {
		f.Close()
		return nothing, fmt.Errorf("a pasta de TEF %s está em uso por outro terminal; cada um precisa da sua", t.folder())
	}
	return f.Close, nil
}

func openTEF(c Config, t TEF, ledger *store.Ledger) (*tef.Acquirer, error) {
	if _, ok := tef.ProfileNamed(t.Profile); !ok {
		return nil, fmt.Errorf("perfil de TEF desconhecido: %q", t.Profile)
	}
	config := t.Driver()
	config.Company, config.Application, config.Version, config.Certification = t.Company, cmp.Or(t.Application, "maquininha"), c.Version, t.Certification
	config.Name, config.Debts, config.Decided = t.party(), ledger, tef.DecidedBy(ledger, t.party())
	config.Awaited = tef.AwaitedBy(ledger)
	a, err := tef.New(config)
	switch {
	case errors.Is(err, tef.ErrNoFolder):
		return nil, errors.New("TEF: informe a pasta do gerenciador com --tef-dir")
	case errors.Is(err, tef.ErrOneFolder):
		return nil, errors.New("TEF: a pasta dos pedidos e a das respostas não podem ser a mesma")
	}
	return a, err
}
