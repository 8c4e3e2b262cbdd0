package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Record is what a page has complained of and asked for.
type Record struct {
	mu         sync.Mutex
	complaints []string
	asked      []string
}

// Watch keeps a record from now on: call it before the page is loaded.
func Watch(page context.Context) *Record {
	r := &Record{}
	chromedp.ListenTarget(page, func(event any) {
		r.mu.Lock()
		defer r.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			r.asked = append(r.asked, e.Request.URL)
		case *runtime.EventExceptionThrown:
			r.complaints = append(r.complaints, e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
				r.complaints = append(r.complaints, fmt.Sprintf("console.%s: %s", e.Type, words(e.Args)))
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError {
				r.complaints = append(r.complaints, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
			}
		}
	})
	return r
}

func words(args []*runtime.RemoteObject) string {
	var said []string
	for _, a := range args {
		if a.Description != "" {
			said = append(said, a.Description)
		} else {
			said = append(said, string(a.Value))
		}
	}
	return strings.Join(said, " ")
}

// Complaints are the exceptions nobody caught, what was written to the console as an error or a warning, and what the
// browser itself refused: requests that failed, breaches of the content security policy.
func (r *Record) Complaints() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.complaints)
}

// Strangers are the addresses asked for that are not under base ("http://127.0.0.1:9051").
func (r *Record) Strangers(base string) (strangers []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, address := range r.asked {
		u, err := url.Parse(address)
		if err == nil && (u.Scheme == "data" || u.Scheme == "blob" || u.Scheme == "about" || u.Scheme+"://"+u.Host == base) {
			continue
		}
		strangers = append(strangers, address)
	}
	return strangers
}
