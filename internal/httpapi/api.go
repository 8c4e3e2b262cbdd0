// Package httpapi is the caller's side of the terminal: the HTTP interface, its words and its numbers.
//
// routes.go is the whole interface on one screen, errors.go every error it can answer with. Handlers decode,
// ask a desk, and return what to encode; rules of the shop are in the desks. Every answer, from any layer, that
// is no success is JSON {code, message} in Portuguese.
package httpapi

import (
	"cmp"
	"context"
	"io"
	"net/http"

	"github.com/maquininha/maquininha/internal/credentials"
	"github.com/maquininha/maquininha/internal/device"
	"github.com/maquininha/maquininha/internal/docpage"
	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/httpapi/apidoc"
	"github.com/maquininha/maquininha/internal/httpapi/tefip"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/metrics"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/screen"
	"github.com/maquininha/maquininha/internal/story"
)

// Desks are what the interface works on.
type Desks struct {
	Sales     *sale.Desk
	Archive   sale.Archive
	Questions *question.Desk
	Payments  *payment.Desk
	Printing  *printing.Desk
	Screen    *screen.Model
	Device    *device.Device
	Logs      *logbook.Book
	Story     *story.Teller // nil: one that tells Logs
}

// Authenticator knows the caller's credentials.
type Authenticator interface {
	// Allows tells whether an Authorization header carries the right pair. from is the caller's address: many who must
	// be checked at once take turns by it.
	Allows(ctx context.Context, from, authorization string) bool
}

// Config is the rest an API is made of.
type Config struct {
	Authenticator Authenticator
	// Restart stops and starts every part of the service and returns once the new one answers.
	Restart func() (device.Status, error)
	// Emulator adds /emulator/*; nil leaves it out.
	Emulator    Emulator
	Limits      Limits
	Timeouts    Timeouts
	CORSMethods string // empty: as the interface has it
	// Compat is whose callers come, tefip or nobody else's: what they read and send beyond the interface is theirs then.
	Compat string
	// CouponStyle is what the shop wants on fiscal coupons at the moment; nil: nothing is added.
	CouponStyle func() fiscal.Style
	// ESCPOS writes what a printer with such paper would be sent for a job.
	ESCPOS func(out io.Writer, job printing.Job, paper receipt.Paper) error
	// Paper is the printer's roll; the zero value is the one of 80 mm.
	Paper receipt.Paper
	// ScreenURL is where the terminal's page is for who sits at this machine; "": nobody may be sent there.
	ScreenURL string
	// Metrics takes what is counted here, and is what /metrics shows; nil: a new one.
	Metrics *metrics.Meter
}

// Limits are the largest bodies taken, in bytes. Zero is the interface's own.
type Limits struct {
	JSON, Image, XML, Carousel int64
}

func (l Limits) orDefault() Limits {
	return Limits{
		JSON: cmp.Or(l.JSON, 1<<20), Image: cmp.Or(l.Image, 16<<20), XML: cmp.Or(l.XML, 4<<20), Carousel: cmp.Or(l.Carousel, 64<<20),
	}
}

// API answers the caller.
type API struct {
	Desks
	Config
	stopping context.Context // ends when streams must end
	stop     context.CancelFunc
	bodies   bodies
	room     *bodyRoom
	attempts credentials.Attempts
	decoding slot
	drawing  slot
	mux      *http.ServeMux
	compat   compat
	polled   map[string]bool // paths of routes that are only ever polled
	docs     *docpage.Pages

	startedAt stamp
	cors      corsHeaders
	exchanges exchanges
	strays    strays
	counters  counters
}

// New returns the interface to the desks.
func New(desks Desks, config Config) *API {
	api := &API{Desks: desks, Config: config, mux: http.NewServeMux(), cors: newCORS(config.CORSMethods), decoding: newSlot(), drawing: newSlot()}
	if api.Story == nil {
		api.Story = story.New(desks.Logs, WhyNotPrinted)
	}
	api.Limits, api.Timeouts = config.Limits.orDefault(), config.Timeouts.orDefault()
	api.Paper = cmp.Or(config.Paper, receipt.Paper80)
	api.room = newBodyRoom(api.Limits)
	api.Metrics = cmp.Or(config.Metrics, metrics.New())
	api.counters = newCounters(api.Metrics)
	api.startedAt = stampOf(desks.Device.Status().StartedAt)
	api.docs = apidoc.NewPages(http.HandlerFunc(api.notFound))
	api.stopping, api.stop = context.WithCancel(context.Background())
	api.polled = polledPaths(api.table())
	api.polled["/metrics"] = true
	api.compat = compat{api, config.Compat == tefip.Name}
	api.mount(api.mux, api.compat.routes(api.table()), api.compat.streams(api.streams()))
	return api
}

// Close ends the streams, and bodies that are still coming in. Requests held by a desk end when their desk closes.
func (api *API) Close() {
	api.stop()
	api.bodies.stop()
}
