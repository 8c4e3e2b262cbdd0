package httpapi

import (
	"net"
	"net/http"
	"net/url"

	"github.com/maquininha/maquininha/internal/device"
	"github.com/maquininha/maquininha/internal/httpapi/apidoc"
)

type statusBody struct {
	Status        string `json:"status"`
	UptimeSeconds int64  `json:"uptimeSeconds"`
	StartedAt     stamp  `json:"startedAt"`
}

func statusOf(s device.Status) statusBody {
	return statusBody{"ok", int64(s.Uptime.Seconds()), stampOf(s.StartedAt)}
}

// status is asked all the time: what does not change is written once.
func (api *API) status(*http.Request) (any, error) {
	return statusBody{"ok", int64(api.Device.Status().Uptime.Seconds()), api.startedAt}, nil
}

type infoBody struct {
	AppName  string `json:"appName"`
	Version  string `json:"version"`
	Build    string `json:"build"`
	Platform string `json:"platform"`
	Locale   string `json:"locale"`
	TimeZone string `json:"timeZone"`
	Mode     string `json:"mode"`
	IsActive bool   `json:"isActive"`
	IsBusy   bool   `json:"isBusy"`
	Compat   string `json:"compat,omitempty"`
}

func (api *API) info(*http.Request) (any, error) {
	i := api.Device.Identity
	return infoBody{
		i.AppName, i.Version, i.Build, i.Platform, api.Device.Locale(), i.TimeZone, i.Mode,
		api.Screen.Foreground.Active(), api.Device.Gate.Busy(), api.Compat,
	}, nil
}

// door is what the page at the root tells. The screen is on this machine, and so is whoever came here by its own name.
func (api *API) door(r *http.Request) apidoc.Door {
	d := apidoc.Door{Emulator: api.Emulator != nil, Busy: api.Device.Gate.Busy(), AtHub: r.Context().Value(hubKey{}) != nil}
	if host := (&url.URL{Host: r.Host}).Hostname(); !d.AtHub && (host == "localhost" || net.ParseIP(host).IsLoopback()) {
		d.Screen = api.ScreenURL
	}
	return d
}

func (api *API) restart(*http.Request) (any, error) {
	if !api.Device.Identity.Mobile() {
		return nil, errNotMobile
	}
	status, err := api.Restart()
	if err != nil {
		return nil, err
	}
	return statusOf(status), nil
}
