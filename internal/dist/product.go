package main

import (
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/daemon"
)

// What the project is published under, and the module that its packages are in.
const (
	licence = "Apache-2.0"
	module  = "github.com/maquininha/maquininha/"
)

// unitsFolder stands for the one that a format has.
const unitsFolder = "lib/systemd/system/"

// product is a program that is published.
type product struct {
	daemon.Program
	targets []target

	// Its packages. What there is beside the program, its configuration, its service and its page is for systemd alone.
	more       []entry
	units      []string // beside the service's own, stopped before it
	recommends []string // by Debian's names
	about      string   // the description; its first line is the short one
	page       string   // of the package, among the files
	words      map[string]string
}

// products are all of them, each with what the scripts of its package say.
var products = []product{
	{
		Program: daemon.Terminal, targets: []target{linuxAMD64, linuxARM64, windowsAMD64, androidARM64},
		more: []entry{
			{name: "etc/default/maquininha-kiosk", mode: 0o644, content: text("kiosk.default"), kept: true},
			{name: unitsFolder + "maquininha-kiosk.service", mode: 0o644, content: text("maquininha-kiosk.service")},
			{name: "usr/lib/maquininha/kiosk", mode: 0o755, content: text("kiosk.sh")},
		},
		units: []string{"maquininha-kiosk"}, recommends: []string{"chromium", "cage", "xwayland", "libpam-systemd"},
		page: "LEIA-ME.Debian",
		about: `terminal de ponto de venda para o varejo brasileiro
Mantém a venda na tela, pergunta ao cliente, imprime cupons fiscais e recebe
pagamentos com cartão e PIX, comandado por HTTP pelo sistema de vendas.

O serviço inicia com a máquina. O quiosque (Chromium em tela cheia) é ligado
com systemctl enable --now maquininha-kiosk.`,
		words: map[string]string{
			"WHERE": "documentação em http://localhost:9050/docs, tela em http://127.0.0.1:9051", "PASSWORD": "senha dos chamadores", "KEPT": "vendas, transações e logs",
		},
	},
	{
		Program: daemon.Hub, targets: []target{linuxAMD64, linuxARM64, windowsAMD64}, page: "LEIA-ME.hub.Debian",
		about: `hub de terminais de ponto de venda
Alcança os terminais maquininha de muitas lojas, que se ligam a ele de dentro
para fora, e guarda uma segunda vez o que cada um registra.

O serviço inicia com a máquina. Os registros ficam em SQLite ou PostgreSQL.`,
		words: map[string]string{"WHERE": "página em https://localhost:9060, documentação em /docs", "PASSWORD": "senha de admin", "KEPT": "a chave do hub, contas e registros"},
	},
}

// path is that of the program's main package.
func (p product) path() string { return module + "cmd/" + p.Name }

// script is one of those that the package manager runs.
func (p product) script(f format, name string) []byte {
	return p.fill(text(f.scripts + "/" + name + ".sh"))
}

// fill puts what is the program's own into a text.
func (p product) fill(content []byte) []byte {
	var units, users []string
	for _, u := range append(slices.Clone(p.units), p.Name) {
		units, users = append(units, u+".service"), append(users, u)
	}
	pairs := []string{
		"@NAME@", p.Name, "@TITLE@", p.Description, "@CONFIG@", p.UnitConfig(), "@USER@", p.UnitUser(), "@GROUPS@", strings.Join(p.Groups, " "),
		"@UNITS@", strings.Join(units, " "), "@USERS@", strings.Join(users, " "),
	}
	for word, text := range p.words {
		pairs = append(pairs, "@"+word+"@", text)
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(content)))
}
