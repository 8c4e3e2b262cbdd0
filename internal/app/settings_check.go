package app

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/credentials"
	"github.com/maquininha/maquininha/internal/screenui"
)

const (
	longestName     = 40
	longestUser     = 64
	longestPassword = 256
	shortestSecret  = 8
)

// field is one of the settings: its name for people, under which name it is kept, and where a change has it.
type field struct {
	name, kept string
	value      **string
	check      func(string) string // why not; "" when it may be
}

func (s *settings) fields(c *screenui.Change) []field {
	return []field{
		{"user", settingUser, &c.User, whyNotUser},
		{"password", settingHash, &c.Password, whyNotPassword},
		{"name", settingName, &c.Name, whyNotName},
		{"locale", settingLocale, &c.Locale, oneOf(locales)},
		{"colour", settingColour, &c.Colour, whyNotColour},
		{"theme", settingTheme, &c.Theme, oneOf(themes)},
		{"printer", settingPrinter, &c.Printer, s.whyNotPrinter},
		{"printerModel", settingModel, &c.PrinterModel, oneOf(printerModels())},
		{"acquirer", settingAcquirer, &c.Acquirer, oneOf(s.acquirers())},
		{"cardReceipt", settingReceipt, &c.CardReceipt, oneOf(cardReceipts)},
		{"logo", settingLogo, &c.Logo, whyNotLogo},
		{"tradeName", settingTradeName, &c.TradeName, oneOf(switches)},
		{"phone", settingPhone, &c.Phone, oneOf(switches)},
		{"itemNotes", settingItemNotes, &c.ItemNotes, oneOf(switches)},
		{"pin", settingPIN, &c.PIN, whyNotPIN},
	}
}

// whyNot is why a setting can't be given this value, whoever wants it; "" when it may be.
func (s *settings) whyNot(f field, value string) string {
	if slices.Contains(s.fixed(), f.name) {
		return "Definido na partida do serviço; não pode ser mudado aqui"
	}
	return f.check(value)
}

// check refuses what the operator may not change.
func (s *settings) check(c screenui.Change) error {
	ofHub := s.fromHub()
	for _, f := range s.fields(&c) {
		if *f.value == nil {
			continue
		}
		why := s.whyNot(f, **f.value)
		if why == "" && slices.Contains(ofHub, f.name) {
			why = "Definido pelo hub; não pode ser mudado aqui"
		}
		if why != "" {
			return screenui.Refusal{Field: f.name, Message: why}
		}
	}
	return nil
}

// altered is what is to be kept of a change that was checked.
func (s *settings) altered(c screenui.Change) (map[string]string, error) {
	altered := map[string]string{}
	for _, f := range s.fields(&c) {
		if *f.value != nil {
			altered[f.kept] = **f.value
		}
	}
	for _, secret := range []string{settingHash, settingPIN} {
		if plain, ok := altered[secret]; ok {
			hash, err := credentials.Hash(plain)
			if err != nil {
				return nil, err
			}
			altered[secret] = hash
		}
	}
	if picture, ok := altered[settingLogo]; ok {
		altered[settingLogo] = base64.StdEncoding.EncodeToString([]byte(picture))
	}
	if c.SetUp {
		altered[settingSetUp] = "true"
	}
	return altered, nil
}

func whyNotUser(user string) string {
	switch {
	case user == "":
		return "Escolha um usuário"
	case utf8.RuneCountInString(user) > longestUser:
		return "Usuário longo demais"
	case !printable(user) || strings.TrimSpace(user) != user:
		return "O usuário tem caracteres que não podem ser usados"
	case checkUser(user) != nil:
		return "O usuário não pode conter dois-pontos"
	}
	return ""
}

func whyNotPassword(password string) string {
	switch n := utf8.RuneCountInString(password); {
	case n < shortestSecret:
		return "A senha precisa de pelo menos 8 caracteres"
	case n > longestPassword:
		return "Senha longa demais"
	case !printable(password):
		return "A senha tem caracteres que não podem ser usados"
	}
	return ""
}

func whyNotName(name string) string {
	switch {
	case utf8.RuneCountInString(name) > longestName:
		return "Nome longo demais: até 40 caracteres"
	case !printable(name):
		return "O nome tem caracteres que não podem ser usados"
	}
	return ""
}

func whyNotPIN(pin string) string {
	if len(pin) < 4 || len(pin) > 8 || strings.Trim(pin, "0123456789") != "" {
		return "O PIN tem de 4 a 8 dígitos"
	}
	return ""
}

func oneOf(choices []screenui.Choice) func(string) string {
	return func(id string) string {
		if offered(choices, id) {
			return ""
		}
		return "Escolha uma das opções"
	}
}

func offered(choices []screenui.Choice, id string) bool {
	return slices.ContainsFunc(choices, func(c screenui.Choice) bool { return c.ID == id })
}

// printable is text that a person can read back: no control characters, valid UTF-8.
func printable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}
