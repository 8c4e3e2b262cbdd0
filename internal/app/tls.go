package app

import (
	"errors"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/datafolder"
)

// TLS is how HTTPS is spoken with callers, beside HTTP or in its place.
type TLS struct {
	Listen string // empty: not at all
	Cert   string // PEM files; both empty: a certificate of our own, kept in the data folder
	Key    string
}

// Check refuses what can't be served.
func (t TLS) Check(listen string) error {
	switch {
	case listen == none && t.Listen == "":
		return errors.New("--listen none desliga o HTTP e não há HTTPS no lugar; ligue-o com --tls")
	case (t.Cert == "") != (t.Key == ""):
		return errors.New("--tls-cert e --tls-key andam juntos: o certificado e a chave dele")
	}
	return nil
}

// introduceTLS shows what a technician needs to have callers trust the terminal.
func (a *App) introduceTLS(row func(name, value string)) {
	if a.certs == nil {
		return
	}
	if a.ports[0] != nil {
		row("API (HTTPS)", "https://"+connection.Reachable(a.SecureAddress())+onNetwork("https://", a.SecureAddress()))
	}
	leaf := a.certs.Newest().Leaf
	whose := a.config.TLS.Cert
	if whose == "" {
		whose = filepath.Join(a.config.Data, certificate.OwnName)
	}
	row("Certificado", whose+", até "+leaf.NotAfter.Local().Format("02/01/2006")+certificate.Doubts(leaf))
	row("", "SHA-256 "+certificate.Fingerprint(leaf))
	row("", "chave pública "+certificate.PublicKey(leaf))
	if a.config.TLS.Key != "" && datafolder.OpenToOthers(a.config.TLS.Key) {
		row("Atenção", "outros usuários deste computador podem ler a chave "+a.config.TLS.Key+" (corrija com chmod 600)")
	}
}
