package payment

import (
	"context"
	"time"
)

// Acquirer moves money. A refusal is an Outcome; an error means nobody knows what happened.
type Acquirer interface {
	Pay(context.Context, Charge) (Outcome, error)
	// Reverse gives an approved payment back: as much of it as LastReversal says.
	Reverse(context.Context, Charge) (Outcome, error)
	// ReversesParts tells whether part of this payment can be given back.
	ReversesParts(Transaction) bool
	// Confirm says that an accepted operation counts: it is in the ledger. It may be repeated; an error means that it
	// has to be.
	Confirm(context.Context, Transaction) error
	// Settle finds out what became of an operation that ended without an answer, or undoes it. Its answer is
	// final: what it does not report as accepted will not be charged later.
	Settle(context.Context, Transaction) (Outcome, error)
}

// Sweeper is an Acquirer that may hear of earlier operations at any time, and wants to be asked now and then.
type Sweeper interface{ Sweep(context.Context) error }

// Administrator is an Acquirer with a menu of its own, in which people print again, look up and cancel.
type Administrator interface {
	// Administer opens the menu and returns when the person has left it. Of the Charge it takes the number and the dialogue.
	Administer(context.Context, Charge) (Administered, error)
	// SettleAdministration is Settle for what was done in the menu.
	SettleAdministration(context.Context, Administration) (Administered, error)
}

// Way is an acquirer under the name the ledger knows it by, and what it is asked for. One without methods only
// settles and gives back what once went its way.
type Way struct {
	Name     string
	Acquirer Acquirer
	Methods  []Method
	// Elsewhere are the kinds of operations that are talked over in a window of the acquirer's own, or at a device: they wait for
	// no page. A payment that leaves the method open does: somebody has to choose.
	Elsewhere []Kind
}

// Charge is an attempt as the acquirer gets it. Its Operation is never used for another.
type Charge struct {
	Transaction
	// Sending keeps on disk that the operation goes out now. Nothing that could move money leaves before it returns
	// nil; an attempt for which it never did is known not to have happened. It refuses what the caller has called off. What
	// can't be taken back once it has left is shown as StepProcessing, or as Committed, before.
	Sending func() error
	// CalledOff is closed when the caller does not want the operation any more. Prompts that may be cancelled answer for
	// themselves then: it is for a driver that waits without asking. nil: never.
	CalledOff <-chan struct{}
	// Show puts the step the acquirer is at on the screen.
	Show func(Prompt)
	// Ask is Show for a step that waits for the person, until the context ends. What it returns fits the prompt.
	Ask func(context.Context, Prompt) (Action, error)
}

// Ledger keeps every attempt, and each step of it, on disk. Each write is durable when it returns.
type Ledger interface {
	// Begin keeps a new attempt and gives it its ID.
	Begin(Transaction) (int64, error)
	// Append adds the step to the state that the attempt is in now, and keeps the attempt as it is.
	Append(t Transaction, note string) error
	Get(id int64) (Transaction, error)
	// Newest returns the newest attempt of a reference, or ErrNotFound.
	Newest(reference string) (Transaction, error)
	// Numbered returns the attempt whose payment, or one of whose reversals, has the number, or ErrNotFound.
	Numbered(number int64) (Transaction, error)
	// LastNumber is the highest number of an operation; 0: none has one.
	LastNumber() (int64, error)
	// Unresolved returns every attempt that is not Resolved, oldest first.
	Unresolved() ([]Transaction, error)
	// List passes on the newest attempts that match, oldest first.
	List(context.Context, Filter, func(Transaction) error) error

	// KeepAdministration keeps one, as it is now, by its number.
	KeepAdministration(Administration) error
	// Administration returns the one of a number, or ErrNotFound.
	Administration(number int64) (Administration, error)
	// OpenAdministrations are those that are not done, oldest first; Administrations are all from a moment on.
	OpenAdministrations() ([]Administration, error)
	Administrations(since time.Time) ([]Administration, error)
}

// Filter narrows a listing; zero values ask for everything.
type Filter struct {
	Limit     int
	Since     time.Time
	Until     time.Time // the first moment outside
	Reversals bool      // those of which something was given back between the two as well, whenever they were paid
	Status    Status
	Method    Method // as it was paid
	Reference string
}

// Foreground is the app in front of the customer.
type Foreground interface {
	// Wait returns nil as soon as the app is in the foreground, or the context's error.
	Wait(context.Context) error
}

// Receipts is the way from an acquirer's receipt to paper.
type Receipts interface {
	// Mode is what the shop wants done with receipts now.
	Mode() ReceiptMode
	// Print puts a copy on paper of its own, for an operation that holds the terminal. It gives up when the context ends.
	Print(context.Context, Slip) error
}
