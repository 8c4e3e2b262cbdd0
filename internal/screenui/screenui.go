// Package screenui is the terminal's side: what a customer and an operator see and touch, on a listener of its own.
//
// The service is the only source of truth. A page follows it over one feed (feed.go, state.go) and sends back what
// people do (touch.go); it may be reloaded, doubled or killed at any moment and nothing is lost. guard.go lets only
// the terminal's own page in; callers' credentials are not used here.
package screenui

import (
	"context"
	"crypto/rand"
	"net/http"
	"path"

	"github.com/maquininha/maquininha/internal/device"
	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/screen"
)

// Desks are what the screen shows and works on.
type Desks struct {
	Sales     *sale.Desk
	Questions *question.Desk
	Payments  *payment.Desk
	Printing  *printing.Desk
	Screen    *screen.Model
	Device    *device.Device
}

// Printer is what the screen knows of the printer.
type Printer interface {
	State() printing.State
	// Jobs are the papers it keeps, newest first; none when it prints on real paper.
	Jobs() []printing.Printed
	// Picture is the paper of a job as a PNG, or printing.ErrNoJob.
	Picture(n int) ([]byte, error)
}

// Config is the rest a screen is made of.
type Config struct {
	APIURL   string        // where callers reach the terminal
	Acquirer func() string // how it is: ready, slow, silent, offline or none
	Hub      Hub           // nil: this terminal can have none
	Printer  Printer
	Printers Printers
	Settings Settings
	LocalKey string   // of commands of this machine
	Pictures []string // files of the shop's own for the idle screen; none: it has only words
	// Panel is the emulator's own interface, as its callers know it; nil outside the emulator.
	Panel http.Handler
	// Drawers are the emulator's cash drawers; nil with Panel.
	Drawers func() []printing.CashDrawer
}

// UI serves the terminal's page.
type UI struct {
	Desks
	Config
	mux      *http.ServeMux
	pages    pages
	papers   paperOutlet
	boot     string          // names this start of the service
	stopping context.Context // ends when feeds must end
	stop     context.CancelFunc
}

// New returns the screen of the desks.
func New(desks Desks, config Config) *UI {
	ui := &UI{Desks: desks, Config: config, mux: http.NewServeMux(), boot: rand.Text()}
	ui.pages.foreground = desks.Screen.Foreground
	ui.papers.begin(config.Printer.Jobs())
	ui.stopping, ui.stop = context.WithCancel(context.Background())
	ui.mount()
	return ui
}

// Close ends the feeds; their pages come back by themselves when there is a service again.
func (ui *UI) Close() {
	ui.stop()
	ui.pages.close()
}

// ServeHTTP answers whoever the guard has let in.
func (ui *UI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.Path; p != path.Clean(p) {
		refuse(w, http.StatusNotFound, "Não encontrado") // the mux would redirect to what it thinks was meant
		return
	}
	ui.mux.ServeHTTP(w, r)
}

// mount is everything a page may ask for.
func (ui *UI) mount() {
	ui.mux.HandleFunc("/", serveAsset)
	ui.mux.HandleFunc("GET /feed", ui.feed)

	touch(ui.mux, "POST /page/visible", ui.pageVisible)
	touch(ui.mux, "POST /page/beat", ui.pageBeat)
	touch(ui.mux, "POST /page/gone", ui.pageGone)
	query(ui.mux, "POST /question/check", ui.checkAnswer)
	touch(ui.mux, "POST /question/answer", ui.answer)
	touch(ui.mux, "POST /question/cancel", ui.cancelQuestion)
	touch(ui.mux, "POST /payment/act", ui.act)
	touch(ui.mux, "POST /result/dismiss", ui.dismissResult)
	touch(ui.mux, "POST /result/print", ui.printReceipt)
	touch(ui.mux, "POST /settled/dismiss", ui.dismissSettled)
	touch(ui.mux, "POST /closing/dismiss", ui.dismissClosing)
	touch(ui.mux, "POST /printer/print", ui.printWaiting)
	touch(ui.mux, "POST /printer/dismiss", ui.forgetWaiting)
	touch(ui.mux, "POST /display/close", ui.closeDisplay)
	touch(ui.mux, "POST /paper/tear", ui.tearOff)

	ui.mux.HandleFunc("GET /logo", ui.logo)
	ui.mux.HandleFunc("GET /idle/{n}", ui.idlePicture)
	ui.mux.HandleFunc("GET /qr/api.svg", ui.apiQR)
	ui.mux.HandleFunc("GET /qr/payment/{serial}", ui.paymentQR)
	ui.mux.HandleFunc("GET /picture/{id}/{n}", ui.picture)
	ui.mux.HandleFunc("GET /paper/{file}", ui.paper)

	mountSettings(ui.mux, ui.Settings, ui.Hub, ui.Payments).mountPrinters(ui.mux, ui.Printers, ui.Printing)
	if ui.Panel != nil {
		for _, path := range []string{"/emulator/", "/try/", "/logs", "/logs/stream"} {
			ui.mux.Handle(path, ui.Panel)
		}
		ui.mux.HandleFunc("GET /sample/nfce.xml", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/xml; charset=utf-8")
			w.Write(fiscal.Sample) //nolint:errcheck // the page may be gone
		})
	}
}
