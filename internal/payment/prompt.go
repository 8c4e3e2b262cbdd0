package payment

import (
	"slices"
	"time"
)

// Step is what the customer is asked to do.
type Step string

// The steps a terminal shows.
const (
	StepWaiting      Step = "waiting"   // for the terminal to come to the foreground
	StepResolving    Step = "resolving" // what an earlier operation left
	StepChoose       Step = "choose"
	StepInstallments Step = "installments"
	StepCard         Step = "card"
	StepPIN          Step = "pin"
	StepPix          Step = "pix"
	StepConfirm      Step = "confirm" // a reversal: the operator's word is enough
	StepMenu         Step = "menu"    // the acquirer's own is open, in its window or on its device
	StepProcessing   Step = "processing"
	StepReceipt      Step = "receipt" // is printed, while the screen shows how the operation ended
)

// Prompt is what the screen shows of an operation under way.
type Prompt struct {
	Step         Step
	Method       Method    // as chosen so far; empty: the request's
	Agreed       int       // the instalments chosen so far; 0: the request's
	Methods      []Method  // to choose from, for StepChoose
	Installments []int     // to choose from, for StepInstallments
	BRCode       string    // for StepPix
	ExpiresAt    time.Time // for StepPix; zero: never
	Cancellable  bool
	// Committed says that the operation can't be called off any more. StepProcessing says so too, unless it is only Preparing: the
	// acquirer is asked for what the customer will see, or whether it is there.
	Committed bool
	Preparing bool
	KeepCard  bool // it is in the reader, and must stay there
	// Leavable says that an end which should have come has not: the person may stop waiting for it. What became of the operation is
	// settled later.
	Leavable bool
	// Device is where the customer is asked, if not at this terminal; empty: here.
	Device string
}

// ActionKind is what a person can do on the screen. Cards and PIX payments come from elsewhere.
type ActionKind string

// ActPIN only says that a PIN was typed: its digits never reach the service.
const (
	ActChoose       ActionKind = "choose"
	ActInstallments ActionKind = "installments"
	ActPIN          ActionKind = "pin"
	ActConfirm      ActionKind = "confirm"
	ActCancel       ActionKind = "cancel"
	ActLeave        ActionKind = "leave"
)

// Action is what a person did.
type Action struct {
	Kind         ActionKind
	Method       Method // for ActChoose
	Installments int    // for ActInstallments
}

// takes reports whether the action is one that the prompt asks for.
func (p Prompt) takes(a Action) bool {
	switch a.Kind {
	case ActChoose:
		return p.Step == StepChoose && slices.Contains(p.Methods, a.Method)
	case ActInstallments:
		return p.Step == StepInstallments && slices.Contains(p.Installments, a.Installments)
	case ActPIN:
		return p.Step == StepPIN
	case ActConfirm:
		return p.Step == StepConfirm
	case ActCancel:
		return p.Cancellable
	case ActLeave:
		return p.Leavable
	}
	return false
}
