package payment

// Progress is where an operation is while somebody works on it, for whoever asks meanwhile.
type Progress string

// What can be going on with an attempt. Settling is finding out what became of an answer that did not come.
const (
	Choosing   Progress = "choosing"
	AtCard     Progress = "card"
	AtPIN      Progress = "pin"
	Processing Progress = "processing"
	AtPix      Progress = "pix"
	Confirming Progress = "confirming"
	Settling   Progress = "settling"
)

// Progresses are all of them.
var Progresses = []Progress{Choosing, AtCard, AtPIN, Processing, AtPix, Confirming, Settling}

// Found is a transaction as it stands, and where the operation on it is; none is under way where Progress is empty.
type Found struct {
	Transaction
	Progress Progress
}

// Find returns the newest attempt of a reference as it stands, pending ones included.
func (d *Desk) Find(reference string) (Found, error) {
	t, err := d.ledger.Newest(reference)
	for err == nil && t.State.Open() {
		if p := d.progress(t); p != "" {
			return Found{t, p}, nil
		}
		// It may have come to its end between the two looks: only one that nobody works on and that is still the
		// same is without an outcome.
		before := t
		if t, err = d.ledger.Newest(reference); err == nil && t.ID == before.ID && t.State == before.State && t.UpdatedAt.Equal(before.UpdatedAt) {
			break
		}
	}
	return Found{Transaction: t}, err
}

// progress is where the operation that works on an attempt is; empty: none does.
func (d *Desk) progress(t Transaction) Progress {
	if !d.recovery.worksOn(t.ID) {
		return ""
	}
	switch t.State {
	case StateApproved:
		return Confirming
	case StateUnknown, StateUndoing:
		return Settling
	}
	shown, _ := d.Shown()
	switch shown.Prompt.Step {
	case StepChoose, StepInstallments:
		return Choosing
	case StepCard:
		return AtCard
	case StepPIN:
		return AtPIN
	case StepPix:
		return AtPix
	case StepConfirm:
		return Confirming
	}
	return Processing
}
