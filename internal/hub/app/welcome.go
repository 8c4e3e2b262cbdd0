package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/hub/store"
)

// Welcome is the first screen of output: where everything is, how to sign in, and the line that joins a terminal.
func (a *App) Welcome() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nmaquininha-hub %s\n\n", a.config.Version)
	row := func(name, value string) { fmt.Fprintf(&b, "  %-14s%s\n", name, value) }
	row("Página", a.URL())
	if here := "https://" + connection.Reachable(a.Address()); here != a.URL() {
		row("", here+"   (neste computador)")
	}
	row("Documentação", a.URL()+"/docs")
	row("Guia", a.URL()+"/docs/guia/muitas-lojas")
	if plain := a.Plain(); plain != nil {
		row("HTTP", "http://"+connection.Reachable(plain)+"   (para um proxy reverso; não exponha)")
	}
	a.introduceCertificate(row)
	row("Dados", a.config.Data)
	row("Banco", a.databaseWords())
	if n := a.neighbours; n != nil {
		row("Outros hubs", "chegam a este em "+a.config.PeerAddress)
	}
	if a.config.ConfigFile != "" {
		row("Configuração", a.config.ConfigFile)
	}
	if datafolder.OpenToOthers(a.config.Data) {
		row("Atenção", "outros usuários deste computador podem ver a pasta de dados (corrija com chmod 700)")
	}
	const once = "   (gerada agora: anote, não será mostrada de novo)"
	if f := a.founded; f.Password != "" {
		row("Pessoa", f.Person.Name)
		row("Senha", f.Password+once)
		row("Chave de API", f.Key.ID+":"+f.Secret+once)
		b.WriteString("\n  Experimente:   " + a.curl() + " -u " + f.Key.ID + ":" + f.Secret + " https://" + connection.Reachable(a.Address()) + "/api/v1/terminals\n")
	} else {
		row("Entrar", "com a pessoa e a senha já definidas (para trocar: maquininha-hub password)")
	}
	if a.code != "" {
		b.WriteString("\n  Para ligar um terminal, em até 10 minutos:\n\n    " + a.JoinLine(a.code) + "\n")
	} else {
		b.WriteString("\n  Para ligar um terminal, gere um código na página.\n")
	}
	b.WriteString("\n")
	return b.String()
}

// Announce says in the log what a service manager should hear: the first screen without secrets.
func (a *App) Announce() {
	a.log.Info("hub iniciado", "versão", a.config.Version, "página", a.URL(), "dados", a.config.Data, "banco", a.databaseWords())
	if a.founded.Password != "" {
		a.log.Warn("primeira conta criada; a senha de " + a.founded.Person.Name + " não é mostrada aqui: gere outra com maquininha-hub service password")
	}
}

func (a *App) introduceCertificate(row func(name, value string)) {
	leaf := a.certs.Newest().Leaf
	whose := a.config.Cert
	if whose == "" {
		whose = filepath.Join(a.config.Data, certificate.OwnName)
	}
	row("Certificado", whose+", até "+leaf.NotAfter.Local().Format("02/01/2006")+certificate.Doubts(leaf))
	row("", "SHA-256 "+certificate.Fingerprint(leaf))
	if a.config.Key != "" && datafolder.OpenToOthers(a.config.Key) {
		row("Atenção", "outros usuários deste computador podem ler a chave "+a.config.Key+" (corrija com chmod 600)")
	}
}

// databaseWords never show the address: it has a password.
func (a *App) databaseWords() string {
	if a.config.Database != "" {
		return "PostgreSQL"
	}
	return filepath.Join(a.config.Data, store.File)
}

// curl trusts our own certificate by its file.
func (a *App) curl() string {
	if a.config.Cert != "" {
		return "curl"
	}
	path := filepath.Join(a.config.Data, certificate.OwnName)
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:@%+=/,") != "" {
		path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return "curl --cacert " + path
}
