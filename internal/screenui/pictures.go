package screenui

import (
	"net/http"
	"strconv"

	"github.com/maquininha/maquininha/internal/pagekit"
	"github.com/maquininha/maquininha/internal/screen"
)

func (ui *UI) apiQR(w http.ResponseWriter, _ *http.Request) { writeQR(w, ui.APIURL) }

// paymentQR draws the PIX on the screen, and only that one.
func (ui *UI) paymentQR(w http.ResponseWriter, r *http.Request) {
	shown, ok := ui.Payments.Shown()
	if !ok || shown.Prompt.BRCode == "" || r.PathValue("serial") != strconv.FormatUint(shown.Serial, 10)+".svg" {
		refuse(w, http.StatusNotFound, "Código não encontrado")
		return
	}
	writeQR(w, shown.Prompt.BRCode)
}

func writeQR(w http.ResponseWriter, text string) {
	picture, err := pagekit.QR(text)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "Código grande demais")
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Write(picture) //nolint:errcheck // the page may be gone
}

// idlePicture is one of the shop's own, as its file is now.
func (ui *UI) idlePicture(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 0 || n >= len(ui.Pictures) {
		refuse(w, http.StatusNotFound, "Imagem não encontrada")
		return
	}
	w.Header().Set("Cache-Control", "private, no-cache")
	http.ServeFile(w, r, ui.Pictures[n])
}

// picture is one of those the display shows; its address is never used for another.
func (ui *UI) picture(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseUint(r.PathValue("id"), 10, 64)
	n, err := strconv.Atoi(r.PathValue("n"))
	for _, shown := range ui.Screen.State().Stack {
		if err != nil || shown.ID != id {
			continue
		}
		if p, ok := pictureOf(shown.Content, n); ok {
			w.Header().Set("Content-Type", p.ContentType)
			w.Header().Set("Cache-Control", "private, max-age=3600, immutable")
			w.Write(p.Data) //nolint:errcheck // the page may be gone
			return
		}
	}
	refuse(w, http.StatusNotFound, "Imagem não encontrada")
}

func pictureOf(c screen.Content, n int) (screen.Picture, bool) {
	switch c := c.(type) {
	case screen.Image:
		return c.Picture, n == 0
	case screen.Text:
		if n >= 0 && n < len(c.Lines) && c.Lines[n].Code != nil {
			return c.Lines[n].Code.Picture, true
		}
	case screen.Carousel:
		if n >= 0 && n < len(c.Pictures) {
			return c.Pictures[n], true
		}
	}
	return screen.Picture{}, false
}
