package httpapi

import (
	"errors"
	"net/http"
	"strings"
)

// notify shows the caller's own notification to whoever is at the terminal.
func (api *API) notify(r *http.Request) (any, error) {
	title, text, err := api.readNotification(r)
	var said *requestError
	if errors.As(err, &said) && said.status == http.StatusBadRequest {
		// One message for all that can be wrong; the log has the rest.
		return nil, &requestError{status: said.status, message: "Corpo da requisição inválido", excerpt: strings.TrimSpace(said.message + "\n" + said.excerpt)}
	}
	if err != nil {
		return nil, err
	}
	api.Screen.Announce(title, text)
	api.Story.Announced(r.Context(), title)
	return done("Notificação enviada com sucesso")
}

func (api *API) readNotification(r *http.Request) (title, text string, err error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return "", "", err
	}
	f.label("title", &title)
	f.text("message", &text, longestNote)
	if strings.TrimSpace(title) == "" {
		f.wrong("title", "é obrigatório")
	}
	if strings.TrimSpace(text) == "" {
		f.wrong("message", "é obrigatório")
	}
	return title, text, f.err()
}
