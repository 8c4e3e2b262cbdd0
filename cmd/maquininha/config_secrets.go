package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// callerSecret is the callers' password. It comes from the environment or from a file: process arguments are
// everybody's to read.
type callerSecret struct {
	Password     string     `env:"MAQUININHA_PASSWORD" toml:"api.password" secret:"" hidden:"" help:"Senha dos chamadores, se este arquivo for só seu (chmod 600); sem ela, a definida na tela ou gerada no primeiro início."`
	PasswordFile secretFile `env:"MAQUININHA_PASSWORD_FILE" toml:"api.password_file,path" placeholder:"ARQUIVO" help:"Arquivo que contém só a senha dos chamadores."`
}

func (s callerSecret) password() string { return cmp.Or(s.Password, s.PasswordFile.content) }

// passwordFrom is where the password comes from, when not from its variable.
func (s callerSecret) passwordFrom(c *configuration) string {
	switch {
	case os.Getenv(passwordVariable) != "" || s.password() == "":
		return ""
	case s.Password != "":
		return c.path()
	}
	return s.PasswordFile.path
}

// pixSecret is what goes with the client id at the bank.
type pixSecret struct {
	PixClientSecret     string     `name:"pix-client-secret" env:"MAQUININHA_PIX_CLIENT_SECRET" toml:"pix.client_secret" secret:"" hidden:"" help:"Client secret da API Pix, se este arquivo for só seu (chmod 600)."`
	PixClientSecretFile secretFile `name:"pix-client-secret-file" env:"MAQUININHA_PIX_CLIENT_SECRET_FILE" toml:"pix.client_secret_file,path" placeholder:"ARQUIVO" help:"Arquivo que contém só o client secret da API Pix."`
}

func (s pixSecret) clientSecret() string {
	return cmp.Or(s.PixClientSecret, s.PixClientSecretFile.content)
}

// secretFile is a flag that names a file; what counts is in it.
type secretFile struct {
	path, content string
	err           error // for whoever needs the secret
}

// longestSecret is beyond any password: a file of that size was meant for something else.
const longestSecret = 4 << 10

// Decode reads the file; kong calls it.
func (s *secretFile) Decode(ctx *kong.DecodeContext) error {
	if err := ctx.Scan.PopValueInto("arquivo", &s.path); err != nil || s.path == "" {
		return err
	}
	s.path = kong.ExpandPath(s.path)
	content, err := readSecret(s.path)
	s.content = strings.TrimRight(string(content), "\r\n")
	switch {
	case err != nil:
		s.err = fmt.Errorf("--%s: o arquivo %s não pode ser lido: %w", ctx.Value.Name, s.path, unreadable(err))
	case s.content == "":
		s.err = fmt.Errorf("--%s: o arquivo %s está vazio", ctx.Value.Name, s.path)
	case len(s.content) > longestSecret || strings.ContainsAny(s.content, "\n\x00"):
		s.err = fmt.Errorf("--%s: o arquivo %s deve conter só o segredo, em uma linha", ctx.Value.Name, s.path)
	}
	return nil
}

// readSecret does not wait for somebody to open the other end of a pipe: that may be never. A shell has it open already.
func readSecret(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, longestSecret+2)) // with the end of its line
}
