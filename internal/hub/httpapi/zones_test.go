package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Days are those of the zone that is named: a key ends when the day does there, and operations are listed by it.
func TestZonesOfDays(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	for zone, end := range map[string]string{"America/Manaus": "2030-07-01T04:00:00Z", "Pacific/Kiritimati": "2030-06-30T10:00:00Z"} {
		a := h.call(t, "POST", "/api/v1/keys?zone="+zone, `{"name":"x","role":"reads","expiresAt":"2030-06-30"}`)
		is(t, zone, a.status, 201)
		ends, err := time.Parse(time.RFC3339, a.json(t)["expiresAt"].(string))
		must(t, err)
		is(t, "the end in "+zone, ends.UTC().Format(time.RFC3339), end)
	}
	is(t, "no zone", h.call(t, "POST", "/api/v1/keys?zone=Marte", `{"name":"x","role":"reads"}`).status, 400)

	x := h.join(t, h.founded.Shop.ID, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }) //nolint:errcheck // a test
	is(t, "an operation", h.call(t, "POST", "/terminals/"+x.id+"/ask", `{}`, "Prefer", "respond-async").status, 202)
	east, err := time.LoadLocation("Pacific/Kiritimati")
	must(t, err)
	today := time.Now().In(east)
	is(t, "begun before today in the farthest east", operationsBefore(t, h, today, "Pacific/Kiritimati"), 0)
	is(t, "begun before that day in the farthest west", operationsBefore(t, h, today, "Etc/GMT+12"), 1)
}

func operationsBefore(t *testing.T, h *hub, day time.Time, zone string) int {
	t.Helper()
	a := h.call(t, "GET", fmt.Sprintf("/api/v1/operations?before=%s&zone=%s", day.Format(time.DateOnly), strings.ReplaceAll(zone, "+", "%2B")), "")
	is(t, zone, a.status, 200)
	return strings.Count(a.body, `"terminal"`)
}
