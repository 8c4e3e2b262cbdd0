// Package reply writes the hub's own answers: JSON, and refusals in the shape that the terminal's have.
package reply

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// Failure is a refusal in the caller's words.
type Failure struct {
	Status  int
	Message string
}

func (f *Failure) Error() string { return f.Message }

// Refuse makes a refusal.
func Refuse(status int, message string) error { return &Failure{status, message} }

// Invalid refuses a parameter or a field, by its name.
func Invalid(name, problem string) error {
	return Refuse(http.StatusBadRequest, "Requisição inválida: "+name+" "+problem)
}

// JSON answers with a value.
func JSON(w http.ResponseWriter, status int, value any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	w.Write(b.Bytes()) //nolint:errcheck // the caller may be gone
	return nil
}

// Error answers with a refusal.
func Error(w http.ResponseWriter, status int, message string) {
	JSON(w, status, struct { //nolint:errcheck // two fields always encode
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{status, message})
}

// Stamp is a time as the terminal's interface writes it; none is null.
func Stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.Local().Format("2006-01-02T15:04:05.000Z07:00")
	return &s
}
