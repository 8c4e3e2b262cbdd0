package counter

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// webside is another side that is reached over HTTP, a process of its own at an address.
type webside struct {
	process *Process
	listen  string
	told    []string // the words with which the terminal uses it, as the simulator tells them
	origin  string   // scheme and address
}

// start runs the simulator at its address.
func (w *webside) start(ctx context.Context, log, binary string, arguments []string) error {
	arguments = append(arguments, "--listen", w.listen)
	for limit := time.Now().Add(StartPatience); ; {
		var err error
		if w.process, err = Launch(ctx, log, nil, binary, arguments...); err != nil {
			return err
		}
		err = w.process.Hear(w.hear)
		if !errors.Is(err, ErrDied) || time.Now().After(limit) || ctx.Err() != nil {
			return err
		}
		// Somebody's outgoing connection has the address for the moment.
		time.Sleep(50 * time.Millisecond)
	}
}

// hear takes down where the simulator is and how it is used, and tells whether that is all.
func (w *webside) hear(line string) bool {
	words := strings.Fields(line)
	switch i := slices.Index(words, "maquininha"); {
	case len(words) == 2 && words[0] == "API":
		at, err := url.Parse(words[1])
		if err != nil {
			return false
		}
		if origin := at.Scheme + "://" + at.Host; origin != w.origin { // others may read it meanwhile
			w.origin = origin
		}
	case i == 0 && len(words) > 1 && strings.HasPrefix(words[1], "--"), i > 0 && strings.Contains(words[0], "="):
		w.told = words
		return true
	}
	return false
}

// environment are the variables of the terminal that uses it, arguments its flags. Nothing in a campaign needs a shell's quotes.
func (w *webside) environment() []string { return w.told[:slices.Index(w.told, "maquininha")] }

func (w *webside) arguments() []string { return w.told[slices.Index(w.told, "maquininha")+1:] }

// client reaches the simulator by hand.
func (w *webside) client() (*http.Client, error) {
	secure := &tls.Config{}
	if i := slices.Index(w.told, "--pix-ca"); i >= 0 {
		text, err := os.ReadFile(w.told[i+1])
		if err != nil {
			return nil, err
		}
		secure.RootCAs = x509.NewCertPool()
		if !secure.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s has no certificate", w.told[i+1])
		}
	}
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: secure}}, nil
}
