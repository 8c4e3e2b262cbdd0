package main

import (
	"crypto/subtle"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/rig"
)

// bareCommand, as the first argument, makes this program the other side of a ratio.
const bareCommand = "bare"

// bare starts the plainest handler there can be. It answers with the bodies the service answers with, so that
// both sides carry as much.
func (b *bench) bare(statusAnswer, itemAnswer string) (*rig.Server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	address := rig.FreeAddress()
	cmd := exec.CommandContext(b.ctx, self, bareCommand, address, filepath.Join(b.dir, "bare.journal"), statusAnswer, itemAnswer)
	// Left open until this process ends, however it does.
	if _, err := cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return rig.Start(cmd, address)
}

// serveBare answers GET with a constant and anything else once its body is in the file for good. Credentials are
// compared as one should; there is no routing, no header of its own but the type, no log.
func serveBare(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("%s takes an address, a file and two answers", bareCommand)
	}
	address, path, statusAnswer, itemAnswer := args[0], args[1], []byte(args[2]), []byte(args[3])
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	go func() {
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // its end is all that counts
		os.Exit(0)                    // nobody is left to measure this
	}()
	return http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u, p, ok := r.BasicAuth()
		if !ok || subtle.ConstantTimeCompare([]byte(u), []byte(rig.User))&subtle.ConstantTimeCompare([]byte(p), []byte(rig.Password)) != 1 {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		answer := statusAnswer
		if r.Method != http.MethodGet {
			answer = itemAnswer
			if err := keep(file, r.Body); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Write(answer) //nolint:errcheck // the caller may be gone
	}))
}

func keep(file *os.File, body io.Reader) error {
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	if _, err := file.Write(text); err != nil {
		return err
	}
	return syncData(file)
}
