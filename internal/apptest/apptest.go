// Package apptest runs the whole service for a test: on real sockets, with a real store.
package apptest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// The credentials that Config gives the service.
const (
	User     = "loja"
	Password = "segrêdo"
)

// Config is an emulator on free ports, with a store that goes with the test.
func Config(t testing.TB) app.Config {
	return app.Config{
		Listen: "127.0.0.1:0", Screen: "127.0.0.1:0", Data: t.TempDir(), Mode: app.Emulator,
		Username: User, Password: Password, PaperWidth: 384, Version: "1.2.3", Build: "7",
		Timeouts: app.Timeouts{Hub: PatientLink},
	}
}

// PatientLink is for a terminal and a hub that are there: neither gives the other up because the machine is busy.
var PatientLink = tunnel.Timing{Handshake: waittest.Limit, PingReply: waittest.Limit}

// Service is one that runs.
type Service struct {
	API, Screen net.Addr
	Welcome     string // what it said at its start
	Client      *http.Client
	Stop        func() // returns when it has stopped; the end of the test does it, too
}

// Start runs a service; it must end without an error.
func Start(t testing.TB, c app.Config) *Service {
	t.Helper()
	service, err := app.New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	transport := &http.Transport{MaxIdleConnsPerHost: 32}
	s := &Service{Welcome: service.Welcome(), Client: &http.Client{Transport: transport}}
	s.API, s.Screen = service.Addresses()
	s.Stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with: %v", err)
		}
		transport.CloseIdleConnections()
	})
	t.Cleanup(s.Stop)
	return s
}
