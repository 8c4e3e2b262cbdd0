package app

import (
	"errors"
	"fmt"
	"strings"

	"github.com/maquininha/maquininha/internal/credentials"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/store"
)

const defaultUser = "admin"

// login is how callers get in, and what may be said of it at start.
type login struct {
	keeper   *credentials.Keeper
	user     string
	password string // known only when configured or just made
	made     bool   // just made: shown now and never again
}

// openLogin takes the configured credentials, else the kept ones, else makes some.
func openLogin(c Config, s *store.Store) (login, error) {
	user, err := s.Setting(settingUser)
	if err != nil {
		return login{}, err
	}
	if c.Username != "" {
		user = c.Username
	}
	if user == "" {
		user = defaultUser
	}
	if err := checkUser(user); err != nil {
		return login{}, err
	}
	if c.Password != "" {
		return login{keeper: credentials.FromPassword(user, c.Password), user: user, password: c.Password}, nil
	}
	hash, err := s.Setting(settingHash)
	if err != nil {
		return login{}, err
	}
	if hash != "" {
		keeper, err := credentials.FromHash(user, hash)
		return login{keeper: keeper, user: user}, err
	}
	return makeLogin(user, s)
}

// checkUser refuses a name that no caller could send: the header ends it at the first colon.
func checkUser(user string) error {
	if strings.ContainsRune(user, ':') {
		return fmt.Errorf("o usuário %q não pode conter dois-pontos", user)
	}
	return nil
}

// makeLogin makes a new password and keeps its hash.
func makeLogin(user string, s *store.Store) (login, error) {
	password := credentials.Generate()
	// What the hub decided is not so any more: it is asked for again.
	if err := s.SetSettings(map[string]string{settingUser: user, settingHash: credentials.HashGenerated(password), settingOfHub: ""}); err != nil {
		return login{}, err
	}
	return login{keeper: credentials.FromPassword(user, password), user: user, password: password, made: true}, nil
}

// ForgetPIN has the screen ask for a new operator PIN. No instance may be running.
func ForgetPIN(c Config) error {
	unlock, err := datafolder.Open(c.Data)
	if err != nil {
		return err
	}
	defer unlock() //nolint:errcheck // nothing was written through it
	s, err := store.Open(c.Data)
	if err != nil {
		return unreadable(c.Data, err)
	}
	return errors.Join(s.SetSettings(map[string]string{settingPIN: "", settingOfHub: ""}), s.Close())
}

// NewPassword replaces the kept credentials with new ones and returns them. No instance may be running.
func NewPassword(c Config) (user, password string, err error) {
	unlock, err := datafolder.Open(c.Data)
	if err != nil {
		return "", "", err
	}
	defer unlock() //nolint:errcheck // nothing was written through it
	s, err := store.Open(c.Data)
	if err != nil {
		return "", "", unreadable(c.Data, err)
	}
	defer s.Close()
	if user = c.Username; user == "" {
		if user, err = s.Setting(settingUser); err != nil {
			return "", "", err
		}
	}
	if user == "" {
		user = defaultUser
	}
	if err := checkUser(user); err != nil {
		return "", "", err
	}
	l, err := makeLogin(user, s)
	return l.user, l.password, err
}
