package app

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/screenui"
)

// Look is what the start of the service decided on for the screen. What is empty is as kept.
type Look struct {
	Colour, Theme string
	Pictures      string // folder of the idle screen's; empty: none
}

// colours are what the settings offer at once, the page's own first; any other can be typed. The page takes care that all can be read.
var colours = []screenui.Choice{
	{ID: "", Label: "Verde (padrão)"},
	{ID: "#0b57d0", Label: "Azul"},
	{ID: "#6b2fb3", Label: "Roxo"},
	{ID: "#c2185b", Label: "Rosa"},
	{ID: "#c62828", Label: "Vermelho"},
	{ID: "#e65100", Label: "Laranja"},
	{ID: "#ffc107", Label: "Amarelo"},
	{ID: "#263238", Label: "Grafite"},
}

// themes are the grounds that the screen has, the usual one first.
var themes = []screenui.Choice{{ID: "light", Label: "Claro"}, {ID: "dark", Label: "Escuro"}}

// Themes are their names.
func Themes() (names []string) {
	for _, t := range themes {
		names = append(names, t.ID)
	}
	return names
}

var colourForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// IsColour reports whether a text names a colour that the screen can take.
func IsColour(text string) bool { return colourForm.MatchString(text) }

// Look is how the shop wants its screen.
func (s *settings) Look() screenui.Look {
	theme := cmp.Or(s.config.Look.Theme, s.get(settingTheme))
	if !slices.Contains(Themes(), theme) {
		theme = themes[0].ID
	}
	look := screenui.Look{Colour: strings.ToLower(cmp.Or(s.config.Look.Colour, s.get(settingColour))), Theme: theme}
	if l := s.logo.Load(); l != nil {
		look.Logo = l.version
	}
	return look
}

func whyNotColour(colour string) string {
	if colour == "" || IsColour(colour) {
		return ""
	}
	return "Escreva a cor como #0b57d0"
}
