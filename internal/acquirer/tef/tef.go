// Package tef drives the payment managers ("Gerenciador Padrão") that Brazilian shops have on their PCs, by files in
// two folders.
//
// Nothing is kept in memory alone: the response file stays in its folder until the ledger has the operation (Confirm) or has
// settled it, so that after a crash the folder still tells what became of it. An approval counts for the manager only once it
// is confirmed; one that the ledger did not decide on is undone wherever it turns up, and until that is acknowledged it stands
// in the ledger as owed (Debts).
package tef

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/payment"
)

// What the exchange can fail with.
var (
	// ErrNoFolder and ErrOneFolder are what New can't work with.
	ErrNoFolder  = errors.New("TEF needs the folder of the manager")
	ErrOneFolder = errors.New("TEF needs two folders, not one twice")

	errInactive     = errors.New("the TEF manager is not running")
	errFiles        = errors.New("the TEF folders can't be used")
	errCalledOff    = errors.New("the request was taken back before the TEF manager took it up")
	errSilent       = errors.New("the TEF manager took the request without saying so")
	errLeft         = errors.New("nobody waits for the TEF manager any more")
	errInconsistent = errors.New("a resposta do TEF não permite saber o desfecho")
)

// How long the other side is waited for.
const (
	pollPause  = 250 * time.Millisecond
	statusWait = 7 * time.Second
	// lastMoment is for a manager that read the request just before it was withdrawn.
	lastMoment = time.Second
	leaveWait  = 2 * time.Minute
	// wholeWait is for a response whose rest does not come.
	wholeWait = 3 * time.Second
)

// Config is what a driver is made of.
type Config struct {
	Profile Profile
	Dir     string // holds both folders; empty: the profile's, on Windows
	// Req and Resp are the folders where they are not in Dir.
	Req, Resp string
	Files     intpos.Names // zero: the profile's
	// Who asks, for the managers that want to know.
	Company, Application, Version, Certification string
	// Leave is how long an answer may take before the person may say that it won't come; 0: two minutes. A manager that works has no sign of
	// life.
	Leave time.Duration
	// Name is what the ledger calls the driver.
	Name  string
	Debts Debts
	// Decided tells whether the ledger holds the decision to confirm the operation. What it denies is undone.
	Decided func(Operation) (bool, error)
	// Awaited tells whether the ledger still has to find out how the operation ended; nil: of every one.
	Awaited func(Operation) (bool, error)
}

// Acquirer fills payment.Acquirer, payment.Administrator and payment.Belater.
type Acquirer struct {
	config    Config
	req, resp intpos.Folder
	files     intpos.Names
	turn      chan struct{} // one command at a time is in the folders

	// open is the accepted operation, by field 001, that the ledger has not spoken of yet; for who has the turn.
	open string
}

// New takes the folders over: what the last run left there to be read by the manager is deleted, its answer is not.
func New(c Config) (*Acquirer, error) {
	if c.Decided == nil || c.Debts == nil {
		return nil, errors.New("TEF needs to know what was decided and what is owed")
	}
	a, err := c.driver()
	if err != nil {
		return nil, err
	}
	// Folders that are missing are no reason not to start: the manager may be installed later.
	_ = a.clear()
	return a, nil
}

// driver is one that has not touched the folders yet.
func (c Config) driver() (*Acquirer, error) {
	if c.Dir == "" && (c.Req == "" || c.Resp == "") {
		if runtime.GOOS != "windows" {
			return nil, ErrNoFolder
		}
		c.Dir = c.Profile.dir()
	}
	files := cmp.Or(c.Files, c.Profile.Files, intpos.Usual)
	a := &Acquirer{
		config: c, turn: make(chan struct{}, 1), files: files,
		req:  intpos.Folder{Path: folder(c.Req, c.Dir, c.Profile.Req), Temporary: files.Temporary},
		resp: intpos.Folder{Path: folder(c.Resp, c.Dir, c.Profile.Resp), Temporary: files.Temporary},
	}
	if a.req.Path == a.resp.Path && strings.EqualFold(files.Request, files.Response) {
		return nil, ErrOneFolder
	}
	return a, nil
}

// dir is where the manager is on this machine: the first of its places that is there.
func (p Profile) dir() string {
	for _, dir := range p.Dirs {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return p.Dirs[0]
}

func folder(given, dir, name string) string {
	if given != "" {
		return filepath.Clean(given)
	}
	return intpos.Sub(dir, cmp.Or(name, "Req"))
}

// enter waits for the turn.
func (a *Acquirer) enter(ctx context.Context) (leave func(), err error) {
	select {
	case a.turn <- struct{}{}:
		return func() { <-a.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Pay charges; the manager's own window and the pinpad do the talking.
func (a *Acquirer) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	id, err := operationID(c.Transaction)
	if err != nil {
		return payment.Outcome{Verdict: payment.Declined, Message: err.Error()}, nil
	}
	d := deal{method: c.Request.Method, installments: c.Request.Installments, plan: c.Request.Plan}
	if d.method == payment.AnyMethod {
		action, err := c.Ask(ctx, payment.Prompt{
			Step: payment.StepChoose, Methods: a.config.Profile.methods(), Cancellable: true,
		})
		if err != nil {
			return payment.Outcome{}, err
		}
		if action.Kind != payment.ActChoose {
			return payment.Outcome{Verdict: payment.Abandoned}, nil
		}
		d.method, d.open = action.Method, true
	}
	if !a.config.Profile.Takes(d.method) {
		return payment.Outcome{Verdict: payment.Declined, Message: sayNoMethod}, nil
	}
	return a.atPinpad(ctx, c, d, a.config.sale(id, c.Request.Amount, d))
}

// ReversesParts is never so: the exchange cancels sales, and no manager says how it would take part of one.
func (a *Acquirer) ReversesParts(payment.Transaction) bool { return false }

// Reverse cancels the sale that the payment's token tells of.
func (a *Acquirer) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	id, err := operationID(c.Transaction)
	if err != nil {
		return payment.Outcome{Verdict: payment.Declined, Message: err.Error()}, nil
	}
	original, err := parseToken(c.Outcome.Token)
	if err != nil {
		return payment.Outcome{Verdict: payment.Declined, Message: sayNoOriginal}, nil
	}
	return a.atPinpad(ctx, c, deal{method: c.Method()}, a.config.cancellation(id, c.Request.Amount, original))
}

// atPinpad is an operation with the transaction's card.
func (a *Acquirer) atPinpad(ctx context.Context, c payment.Charge, d deal, request intpos.Message) (payment.Outcome, error) {
	card := payment.Prompt{Step: payment.StepCard, Method: d.method, Agreed: d.installments}
	return a.operate(ctx, c, card, request, func(r intpos.Message) (payment.Outcome, error) { return a.judge(ctx, c.Transaction, d, r) })
}

// operate sends one operation and waits for its answer, which is judged before another may be sent.
func (a *Acquirer) operate(ctx context.Context, c payment.Charge, waiting payment.Prompt, request intpos.Message, judge func(intpos.Message) (payment.Outcome, error)) (payment.Outcome, error) {
	leave, err := a.enter(ctx)
	if err != nil {
		return payment.Outcome{}, err
	}
	defer leave()
	processing := waiting
	processing.Step, processing.Preparing = payment.StepProcessing, true
	c.Show(processing)
	if err := a.prepare(ctx, request.Get(intpos.ID), c.CalledOff); err != nil {
		return unsent(ctx, err)
	}
	c.Show(waiting)
	if err := c.Sending(); err != nil {
		return payment.Outcome{}, err
	}
	err = a.sendUnless(ctx, c.CalledOff, request)
	switch {
	case errors.Is(err, errCalledOff), errors.Is(err, errInactive), errors.Is(err, errFiles):
		return unsent(ctx, err)
	case err != nil:
		return payment.Outcome{}, err
	}
	waiting.Committed = true // from here on the manager can't be kept from it
	c.Show(waiting)
	r, err := a.awaitUnlessLeft(ctx, c, waiting, request)
	if err != nil {
		return payment.Outcome{}, err
	}
	processing.Preparing = false
	c.Show(processing)
	return judge(r)
}

// prepare leaves the folders empty and the manager known to be there, or is called off.
func (a *Acquirer) prepare(ctx context.Context, id string, calledOff <-chan struct{}) error {
	if err := a.sweep(ctx, nobody); err != nil {
		return err
	}
	if _, err := a.resp.Remove(a.files.Response); err != nil {
		return err
	}
	return a.sendUnless(ctx, calledOff, alive(id))
}

func alive(id string) intpos.Message {
	return intpos.Of(intpos.Command, intpos.Alive, intpos.ID, id)
}

// unsent is the word on an operation that the manager never got.
func unsent(ctx context.Context, err error) (payment.Outcome, error) {
	switch {
	case ctx.Err() != nil:
		return payment.Outcome{}, err
	case errors.Is(err, errCalledOff):
		return payment.Outcome{Verdict: payment.Abandoned}, nil
	case errors.Is(err, errInactive), errors.Is(err, errSilent):
		return payment.Outcome{Verdict: payment.Declined, Message: sayInactive}, nil
	}
	return payment.Outcome{Verdict: payment.Declined, Message: sayFiles}, nil
}

// judge is the outcome by a response. Its file stays: Confirm or Settle takes it away, or the next operation.
func (a *Acquirer) judge(ctx context.Context, t payment.Transaction, d deal, r intpos.Message) (payment.Outcome, error) {
	switch a.config.Profile.read(t, r) {
	case approved:
		a.open = r.Get(intpos.ID)
		return a.config.Profile.approval(d, r), nil
	case divergent:
		if a.config.Profile.final(r) {
			return payment.Outcome{}, doubtful(r)
		}
		if err := a.undo(ctx, a.config.Profile.tokenOf(r)); err != nil {
			return payment.Outcome{}, err // Settle undoes it again
		}
		return payment.Outcome{Verdict: payment.Declined, Message: sayDivergent}, a.discard(r)
	case inconsistent:
		return payment.Outcome{}, doubtful(r)
	}
	if a.resolve(r) == nil { // else the file stays, so that the next operation tries again
		_ = a.payDebts(ctx)
	}
	return refusal(t, r), nil
}
