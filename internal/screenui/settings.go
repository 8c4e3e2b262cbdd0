package screenui

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
)

// Settings is what the operator looks at and changes; none of it says a secret.
type Settings interface {
	Setup() Setup
	Name() string // the shop's; "" when none was chosen
	User() string // whom callers sign in as
	Logo() []byte // a PNG; nil when there is none
	Look() Look
	Locale() string // pt-BR, en or es
	Choices() Choices
	// Change keeps what is given and puts it to use, all or nothing. A Refusal says what the operator must correct.
	Change(Change) error
	// Unlocks reports whether this is the operator's PIN, in a time that does not tell how wrong it is.
	Unlocks(pin string) bool
}

// Look is how the shop wants its screen.
type Look struct {
	Colour string // #rrggbb; "" is the page's own
	Theme  string // light or dark
	Logo   string // the version of the logo; "" where there is none
}

// Setup is how far the terminal is from having been set up.
type Setup struct {
	Needed bool // nobody has answered the first start yet
	PIN    bool // one is set
}

// Choices are what is set now and what could be.
type Choices struct {
	User     string   `json:"user"`
	Name     string   `json:"name"`
	Locale   string   `json:"locale"`
	Locales  []Choice `json:"locales"`
	Colour   string   `json:"colour"`
	Colours  []Choice `json:"colours"`
	Theme    string   `json:"theme"`
	Themes   []Choice `json:"themes"`
	Printer  string   `json:"printer"`
	Printers []Choice `json:"printers"`
	// PrinterModel is what the printer is taken for; "" as it says itself.
	PrinterModel  string   `json:"printerModel"`
	PrinterModels []Choice `json:"printerModels"`

	Acquirer  string   `json:"acquirer"`
	Acquirers []Choice `json:"acquirers"`
	// CardReceipt is what is printed after an approved payment.
	CardReceipt  string   `json:"cardReceipt"`
	CardReceipts []Choice `json:"cardReceipts"`
	// What fiscal coupons show besides what they must: whether there is a logo, and three switches.
	Logo      bool     `json:"logo"`
	TradeName string   `json:"tradeName"`
	Phone     string   `json:"phone"`
	ItemNotes string   `json:"itemNotes"`
	Switches  []Choice `json:"switches"`
	Menu      bool     `json:"menu"`    // the acquirer has one of its own
	Fixed     []string `json:"fixed"`   // names of fields that can't be changed here: the start of the service decided
	FromHub   []string `json:"fromHub"` // those of them that the hub did
}

// Choice is one of a list; Label is in Portuguese.
type Choice struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// Change is what the operator wants otherwise; nil stays.
type Change struct {
	User, Password, Name, Locale, Colour, Theme, Printer, PrinterModel, Acquirer, CardReceipt, TradeName, Phone, ItemNotes, PIN *string

	Logo  *string // the bytes of a PNG; "" takes it away
	SetUp bool    // the first start is answered and never asked again
}

// Refusal is a change that is not made, and why, for the operator to read.
type Refusal struct {
	Field, Message string
	Reason         string // a word for pages of other languages; empty: the field says enough
}

func (r Refusal) Error() string { return r.Message }

// maxSettings bounds a body; no honest one comes near.
const maxSettings = 16 << 10

type settingsBody struct {
	User          *string `json:"user"`
	Password      *string `json:"password"`
	PasswordAgain *string `json:"passwordAgain"`
	Name          *string `json:"name"`
	Locale        *string `json:"locale"`
	Colour        *string `json:"colour"`
	Theme         *string `json:"theme"`
	Printer       *string `json:"printer"`
	PrinterModel  *string `json:"printerModel"`
	Acquirer      *string `json:"acquirer"`
	CardReceipt   *string `json:"cardReceipt"`
	TradeName     *string `json:"tradeName"`
	Phone         *string `json:"phone"`
	ItemNotes     *string `json:"itemNotes"`
	PIN           *string `json:"pin"`
	Later         bool    `json:"later"`
}

func (b settingsBody) change() (Change, error) {
	if b.PasswordAgain != nil && (b.Password == nil || *b.Password != *b.PasswordAgain) {
		return Change{}, Refusal{Field: "passwordAgain", Message: "As senhas não são iguais"}
	}
	return Change{
		User: b.User, Password: b.Password, Name: b.Name, Locale: b.Locale, Colour: b.Colour, Theme: b.Theme, Printer: b.Printer, PrinterModel: b.PrinterModel, Acquirer: b.Acquirer,
		CardReceipt: b.CardReceipt, TradeName: b.TradeName, Phone: b.Phone, ItemNotes: b.ItemNotes, PIN: b.PIN,
	}, nil
}

// mountSettings serves what the operator sets. Whoever mounts it checks where requests come from.
func mountSettings(mux *http.ServeMux, s Settings, hub Hub, menu Menu) *settingsDesk {
	d := &settingsDesk{Settings: s, menu: menu}
	mux.HandleFunc("GET /settings", d.answer(d.show))
	mux.HandleFunc("POST /settings", d.answer(d.alter))
	mux.HandleFunc("POST /settings/first", d.answer(d.firstStart))
	mux.HandleFunc("POST /settings/pin", d.answer(d.choosePIN))
	mux.HandleFunc("POST /settings/unlock", d.answer(d.unlock))
	mux.HandleFunc("POST /settings/lock", d.answer(d.relock))
	mux.HandleFunc("GET /settings/logo", d.showLogo)
	mux.HandleFunc("POST /settings/logo", d.answer(d.takeLogo))
	mux.HandleFunc("DELETE /settings/logo", d.answer(d.dropLogo))
	mux.HandleFunc("POST /settings/menu", d.answer(d.openMenu))
	if hub != nil {
		d.mountHub(mux, hub)
	}
	return d
}

// settingsDesk takes the operator's wishes.
type settingsDesk struct {
	Settings
	menu Menu
	lock settingsLock
}

var (
	errSettingsLocked = failure{status: http.StatusForbidden, Message: "Digite o PIN do operador"}
	errSetUpAlready   = failure{status: http.StatusConflict, Message: "O terminal já foi configurado"}
	errPINSet         = failure{status: http.StatusConflict, Message: "Já existe um PIN"}
	errNoPIN          = failure{status: http.StatusConflict, Message: "Escolha um PIN primeiro"}
	errMalformed      = failure{status: http.StatusBadRequest, Message: "Requisição inválida"}
	errNotKept        = failure{status: http.StatusServiceUnavailable, Message: "Não foi possível guardar"}
)

// answer serves what a handler returns.
func (d *settingsDesk) answer(h func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		body, err := h(w, r)
		respond(w, body, settingsFailure(err))
	}
}

func settingsFailure(err error) error {
	var refusal Refusal
	var large *http.MaxBytesError
	switch {
	case err == nil || errors.As(err, new(failure)):
		return err
	case errors.As(err, &refusal):
		return failure{status: http.StatusUnprocessableEntity, Message: refusal.Message, Field: refusal.Field, Reason: refusal.Reason}
	case errors.As(err, &large):
		return failure{status: http.StatusRequestEntityTooLarge, Message: "Corpo grande demais"}
	}
	return errNotKept
}

func readSettings[T any](w http.ResponseWriter, r *http.Request) (b T, err error) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSettings))
	if err != nil {
		return b, err
	}
	if json.Unmarshal(text, &b) != nil {
		return b, errMalformed
	}
	return b, nil
}

// allowed lets in who knows the PIN; at the first start nobody does.
func (d *settingsDesk) allowed(r *http.Request) error {
	if d.Setup().Needed || d.lock.isOpen(r) {
		return nil
	}
	return errSettingsLocked
}

func (d *settingsDesk) show(_ http.ResponseWriter, r *http.Request) (any, error) {
	if err := d.allowed(r); err != nil {
		return nil, err
	}
	c := d.Choices()
	c.Fixed, c.FromHub, c.Menu = orEmpty(c.Fixed), orEmpty(c.FromHub), d.menu.HasMenu()
	return c, nil
}

func (d *settingsDesk) alter(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := d.allowed(r); err != nil {
		return nil, err
	}
	b, err := readSettings[settingsBody](w, r)
	if err != nil {
		return nil, err
	}
	change, err := b.change()
	if err != nil {
		return nil, err
	}
	// At the first start the language may be chosen before the questions are read; the rest is answered at once.
	if !d.lock.isOpen(r) && change != (Change{Locale: change.Locale}) {
		return nil, errSettingsLocked
	}
	return nil, d.Change(change)
}

// firstStart takes the answers of the first start, once.
func (d *settingsDesk) firstStart(w http.ResponseWriter, r *http.Request) (any, error) {
	b, err := readSettings[settingsBody](w, r)
	if err != nil {
		return nil, err
	}
	change, err := b.change()
	if err != nil {
		return nil, err
	}
	if b.Later {
		change = Change{}
	} else if err := b.complete(d.Choices().Fixed, d.Setup().PIN); err != nil {
		return nil, err
	}
	change.SetUp = true
	return nil, d.lock.exclusively(func() error {
		if !d.Setup().Needed {
			return errSetUpAlready
		}
		return d.Change(change)
	})
}

// complete refuses a first start that leaves out what makes the terminal the shop's own.
func (b settingsBody) complete(fixed []string, hasPIN bool) error {
	switch {
	case b.User == nil && !slices.Contains(fixed, "user"):
		return Refusal{Field: "user", Message: "Escolha um usuário"}
	case b.Password == nil && !slices.Contains(fixed, "password"):
		return Refusal{Field: "password", Message: "Escolha uma senha"}
	case b.PIN == nil && !hasPIN:
		return Refusal{Field: "pin", Message: "Escolha um PIN"}
	}
	return nil
}
