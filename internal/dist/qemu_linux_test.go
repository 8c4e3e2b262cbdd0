package main

import (
	"context"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/thorough"
)

// limit is for machines that do other things beside: a program under emulation starts in seconds.
const limit = 5 * time.Minute

// The program for the other processor is run, on an emulated one.
func TestProgramForARM(t *testing.T) {
	t.Parallel()
	if !thorough.Everything {
		t.Skip("builds everything for another processor: make test-all")
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Skip("qemu-aarch64 is missing (package qemu-user): the program for arm64 is built and not run")
	}
	arm := made(t, "maquininha-1.2.3-linux-arm64")
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	address := rig.FreeAddress()
	cmd := exec.CommandContext(ctx, qemu, arm, "--data", t.TempDir(), "--listen", address, "--screen", "127.0.0.1:0",
		"--no-setup", "--no-desktop-notifications")
	cmd.Env = append(cmd.Environ(), "MAQUININHA_USERNAME="+rig.User, "MAQUININHA_PASSWORD="+rig.Password)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(cancel)

	call := func(method, path, body string) (string, error) {
		r, err := http.NewRequestWithContext(ctx, method, "http://"+address+path, strings.NewReader(body))
		if err != nil {
			return "", err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", rig.Authorization)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return answer.Status + " " + string(text), err
	}
	for {
		answer, err := call("GET", "/status", "")
		if err == nil {
			if !strings.Contains(answer, `"status":"ok"`) {
				t.Fatalf("GET /status: %s", answer)
			}
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended at its start: %v: %s", err, said.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
	for _, c := range [][4]string{
		{"POST", "/sale", `{"customerName":"Ana"}`, "200"},
		{"POST", "/sale/item", `{"code":"789","description":"Café","quantity":2,"unitPrice":18.90,"total":37.80}`, "200"},
		{"GET", "/sale", "", "Café"},
		{"POST", "/print/text", `[{"text":{"value":"Olá, ARM"}}]`, "Impressão realizada"},
	} {
		if answer, err := call(c[0], c[1], c[2]); err != nil || !strings.Contains(answer, c[3]) {
			t.Errorf("%s %s: %v %s", c[0], c[1], err, answer)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("told to end, it ended with %v: %s", err, said.String())
	}
}
