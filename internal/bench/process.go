package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"time"
)

var getStatus = request("GET", "/status", "")

// server is a process that answers on an address.
type server struct {
	address string
	screen  string // empty: it has none
	process *os.Process
	ready   time.Duration // from its start to its first answer
	ended   chan error
	stderr  bytes.Buffer // read after ended
}

// service starts the service on a data folder.
func (b *bench) service(data string) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	screen, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(b.ctx, b.binary, "--listen", address, "--screen", screen, "--data", data, "--mode", "emulator", "--no-setup", "--no-desktop-notifications")
	cmd.Env = append(os.Environ(), "MAQUININHA_USERNAME="+user, "MAQUININHA_PASSWORD="+password)
	s, err := start(cmd, address)
	if err == nil {
		s.screen = screen
	}
	return s, err
}

// freshService starts the service on an empty data folder.
func (b *bench) freshService(name string) (*server, error) {
	data, err := b.folder(name)
	if err != nil {
		return nil, err
	}
	return b.service(data)
}

// freeAddress is one nobody listens on now, known before the server starts: its start is timed from outside.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// start runs a server and returns once it has answered.
func start(cmd *exec.Cmd, address string) (*server, error) {
	s := &server{address: address, ended: make(chan error, 1)}
	cmd.Stderr = &s.stderr
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.process = cmd.Process
	go func() { s.ended <- cmd.Wait() }()
	const patience = 30 * time.Second
	for {
		_, err := send(address, getStatus)
		if err == nil {
			s.ready = time.Since(started)
			return s, nil
		}
		select {
		case ended := <-s.ended:
			return nil, fmt.Errorf("%s ended at its start: %w\n%s", cmd.Path, ended, s.stderr.Bytes())
		case <-time.After(time.Millisecond):
		}
		if time.Since(started) > patience {
			return nil, errors.Join(fmt.Errorf("%s does not answer: %w", cmd.Path, err), s.process.Kill())
		}
	}
}

// stop asks the server to end and makes sure that it does.
func (s *server) stop() error {
	if s.process.Signal(os.Interrupt) != nil { // some systems know no signals between processes
		s.process.Kill() //nolint:errcheck // it has ended, then
	}
	select {
	case err := <-s.ended:
		if err != nil {
			return fmt.Errorf("a server ended with %w\n%s", err, s.stderr.Bytes())
		}
		return nil
	case <-time.After(20 * time.Second):
		return errors.Join(errors.New("a server did not stop"), s.process.Kill())
	}
}
