package printer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/maquininha/maquininha/internal/printing"
)

// cups is the print server of Linux, asked over IPP: it needs no program of its own.
type cups struct {
	client *http.Client
	host   string
}

const cupsSocket = "/run/cups/cups.sock"

// cupsServer is where its own programs go instead of the server of this machine; empty: nowhere else.
func cupsServer() string { return os.Getenv("CUPS_SERVER") }

// newCUPS is the server at a socket or an address, or that of this machine.
func newCUPS(server string) *cups {
	network, address := "unix", cupsSocket
	switch {
	case strings.HasPrefix(server, "/"):
		address = server
	case server != "":
		network, address = "tcp", server
		if _, _, err := net.SplitHostPort(server); err != nil {
			address = net.JoinHostPort(strings.Trim(server, "[]"), "631")
		}
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		conn, err := d.DialContext(ctx, network, address)
		if err != nil && server == "" {
			conn, err = d.DialContext(ctx, "tcp", "localhost:631")
		}
		return conn, err
	}
	host := "localhost"
	if network == "tcp" {
		host = address
	}
	return &cups{&http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}, host}
}

// NewCUPS is the printer behind a queue of CUPS.
func NewCUPS(name string, o Options) (*Thermal, error) {
	return newQueued(name, newCUPS(cupsServer()), o)
}

// askTime is how long the server may take for an answer: it is on this machine.
const askTime = 10 * time.Second

// ask sends a request, with the document after it where it has one.
func (c *cups) ask(ctx context.Context, path string, request *ippWriter, document []byte) ([]ippGroup, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	request.WriteByte(ippEnd)
	body := io.MultiReader(&request.Buffer, bytes.NewReader(document))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+c.host+path, body)
	if err != nil {
		return nil, err
	}
	r.ContentLength = int64(request.Len() + len(document))
	r.Header.Set("Content-Type", "application/ipp")
	answer, err := c.client.Do(r)
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoServer
	}
	if err != nil {
		return nil, fmt.Errorf("asking the print server: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the print server answered %s", answer.Status)
	}
	const longest = 4 << 20
	said, err := io.ReadAll(io.LimitReader(answer.Body, longest))
	if err != nil {
		return nil, fmt.Errorf("asking the print server: %w", err)
	}
	return parseIPP(said)
}

// to addresses a request to a queue.
func (c *cups) to(operation uint16, name string) (request *ippWriter, path string) {
	path = "/printers/" + url.PathEscape(name)
	request = ippRequest(operation)
	request.add(ippURI, "printer-uri", "ipp://localhost"+path)
	return request, path
}

// cupsSays is what is asked of a queue.
var cupsSays = []string{
	"printer-name", "printer-make-and-model", "printer-device-id", "device-uri", "printer-state", "printer-state-reasons", "printer-state-message",
	"printer-is-accepting-jobs",
}

func (c *cups) queue(ctx context.Context, name string) (Queue, error) {
	request, path := c.to(ippPrinter, name)
	request.add(ippKeyword, "requested-attributes", cupsSays...)
	groups, err := c.ask(ctx, path, request, nil)
	var refused *ippError
	switch {
	case errors.As(err, &refused) && refused.status == ippNotFound:
		return Queue{}, ErrNoQueue
	case err != nil:
		return Queue{}, err
	case len(groups) == 0:
		return Queue{}, errIPP
	}
	return cupsQueue(groups[0]), nil
}

// queues are all that the server has.
func (c *cups) queues(ctx context.Context) (all []Queue, err error) {
	request := ippRequest(cupsPrinters)
	request.add(ippKeyword, "requested-attributes", cupsSays...)
	groups, err := c.ask(ctx, "/", request, nil)
	var refused *ippError
	if errors.As(err, &refused) && refused.status == ippNotFound {
		return nil, nil // it has none
	}
	for _, g := range groups {
		if q := cupsQueue(g); q.Name != "" {
			all = append(all, q)
		}
	}
	return all, err
}

// cupsQueue reads a queue. For a receipt printer expect no reasons but those of its queue: the way that prints on it tells of none.
func cupsQueue(g ippGroup) Queue {
	q := Queue{
		Name: g.text("printer-name"), Model: g.text("printer-make-and-model"), Identity: g.text("printer-device-id"), Port: g.text("device-uri"),
		State: printing.Unknown, Why: g.text("printer-state-message"),
	}
	const stopped = 5
	state, _ := g.number("printer-state")
	accepts, told := g.number("printer-is-accepting-jobs")
	// IPP has no empty list: "none" stands for it.
	reasons := slices.DeleteFunc(g.texts("printer-state-reasons"), func(reason string) bool { return reason == "none" })
	is := func(words ...string) bool {
		return slices.ContainsFunc(reasons, func(reason string) bool {
			return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(reason, word) })
		})
	}
	switch {
	case is("cover-open", "door-open", "interlock-open"):
		q.State = printing.CoverOpen
	case is("media-empty", "media-needed"):
		q.State = printing.PaperOut
	case state == stopped, told && accepts == 0, is("offline", "shutdown", "paused", "connecting-to-device-timed-out"):
		q.State = printing.Offline
	}
	if q.Why == "" {
		q.Why = strings.Join(reasons, ", ")
	}
	return q
}

// send makes a job, which prints nothing yet, and then gives it its bytes: who gives up meanwhile knows what to take away.
func (c *cups) send(ctx context.Context, name string, job []byte) (int, error) {
	id, err := c.create(context.WithoutCancel(ctx), name)
	if err != nil {
		return 0, err
	}
	request, path := c.to(ippSendDocument, name)
	request.number("job-id", id)
	request.add(ippName, "requesting-user-name", cupsUser())
	// This, and not the kind of queue, has the bytes go as they are.
	request.add(ippMIME, "document-format", "application/vnd.cups-raw")
	request.yes("last-document")
	_, err = c.ask(ctx, path, request, job)
	return id, err
}

func (c *cups) create(ctx context.Context, name string) (int, error) {
	request, path := c.to(ippCreateJob, name)
	request.add(ippName, "requesting-user-name", cupsUser())
	request.add(ippName, "job-name", "maquininha")
	request.group(ippOfJob)
	request.add(ippName, "job-sheets", "none", "none") // whatever the queue puts before and after other jobs
	groups, err := c.ask(ctx, path, request, nil)
	if err != nil {
		return 0, err
	}
	for _, g := range groups {
		if id, ok := g.number("job-id"); ok {
			return id, nil
		}
	}
	return 0, errIPP
}

// cupsUser is whose the jobs are: only theirs can they take away.
func cupsUser() string {
	for _, name := range []string{"USER", "LOGNAME"} {
		if user := os.Getenv(name); user != "" {
			return user
		}
	}
	return "maquininha"
}

func (c *cups) job(ctx context.Context, name string, id int) (spooled, error) {
	request, path := c.to(ippJob, name)
	request.number("job-id", id)
	request.add(ippKeyword, "requested-attributes", "job-state")
	groups, err := c.ask(ctx, path, request, nil)
	if err != nil {
		return 0, err
	}
	const printing, cancelled, aborted, completed = 5, 7, 8, 9
	for _, g := range groups {
		switch state, _ := g.number("job-state"); state {
		case completed:
			return jobDone, nil
		case cancelled, aborted:
			return jobLost, nil
		case printing:
			return jobPrinting, nil
		}
	}
	return jobWaiting, nil
}

func (c *cups) cancel(ctx context.Context, name string, id int) error {
	request, path := c.to(ippCancelJob, name)
	request.number("job-id", id)
	request.add(ippName, "requesting-user-name", cupsUser())
	_, err := c.ask(ctx, path, request, nil)
	var refused *ippError
	if errors.As(err, &refused) && (refused.status == ippNotPossible || refused.status == ippNotFound) {
		return nil // it has gone already
	}
	return err
}
