package screenui

import (
	"io"
	"net/http"
	"strconv"
)

// look is how the shop wants its screen, as a page gets it.
func (ui *UI) look() object {
	look := ui.Settings.Look()
	pictures := make([]string, len(ui.Pictures))
	for i := range pictures {
		pictures[i] = "/idle/" + strconv.Itoa(i)
	}
	return object{"colour": look.Colour, "theme": look.Theme, "logo": look.Logo, "pictures": pictures}
}

// logo is the shop's, for everybody who looks at the screen. Its address has the version in it.
func (ui *UI) logo(w http.ResponseWriter, _ *http.Request) {
	picture := ui.Settings.Logo()
	if picture == nil {
		refuse(w, http.StatusNotFound, "Nenhum logotipo")
		return
	}
	w.Header().Set("Cache-Control", "private, max-age=86400")
	w.Header().Set("Content-Type", "image/png")
	w.Write(picture) //nolint:errcheck // the page may be gone
}

// maxLogo bounds what is read of a logo. What is too large for one is said by who knows logos; beyond this nobody
// meant a picture.
const maxLogo = 4 << 20

// showLogo is the shop's logo for the operator to look at.
func (d *settingsDesk) showLogo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if err := d.allowed(r); err != nil {
		respond(w, nil, err)
		return
	}
	picture := d.Logo()
	if picture == nil {
		refuse(w, http.StatusNotFound, "Nenhum logotipo")
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Write(picture) //nolint:errcheck // the page may be gone
}

// takeLogo takes the bytes of a picture.
func (d *settingsDesk) takeLogo(w http.ResponseWriter, r *http.Request) (any, error) {
	if !d.lock.isOpen(r) {
		return nil, errSettingsLocked
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLogo))
	if err != nil {
		return nil, err
	}
	if len(body) == 0 {
		return nil, errMalformed
	}
	picture := string(body)
	return nil, d.Change(Change{Logo: &picture})
}

func (d *settingsDesk) dropLogo(_ http.ResponseWriter, r *http.Request) (any, error) {
	if !d.lock.isOpen(r) {
		return nil, errSettingsLocked
	}
	return nil, d.Change(Change{Logo: new(string)})
}
