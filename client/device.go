package client

import (
	"context"
	"time"
)

// Health says since when the terminal runs.
type Health struct {
	Status        string    `json:"status"`
	UptimeSeconds int64     `json:"uptimeSeconds"`
	StartedAt     time.Time `json:"startedAt"`
}

// Info says what the terminal is, and whether it is at work.
type Info struct {
	AppName  string `json:"appName"`
	Version  string `json:"version"`
	Build    string `json:"build"`
	Platform string `json:"platform"`
	Locale   string `json:"locale"`
	TimeZone string `json:"timeZone"`
	Mode     string `json:"mode"` // production or emulator
	Active   bool   `json:"isActive"`
	Busy     bool   `json:"isBusy"`
	Compat   string `json:"compat"` // tefip, where it also serves callers written for that product; else empty
}

// Status answers when the terminal does.
func (c *Client) Status(ctx context.Context) (Health, error) {
	var h Health
	err := c.get(ctx, "/status", &h)
	return h, err
}

// Info asks the terminal about itself.
func (c *Client) Info(ctx context.Context) (Info, error) {
	var i Info
	err := c.get(ctx, "/info", &i)
	return i, err
}

// Restart restarts the application, on Android only.
func (c *Client) Restart(ctx context.Context) (Health, error) {
	var h Health
	err := c.post(ctx, "/restart", nil, &h)
	return h, err
}
