package sale

import "time"

// Delta is what became of the open sale since a revision: its head as it is now, and the lines that changed.
type Delta struct {
	Number   int64
	OpenedAt time.Time
	Session  Session
	Summary  Summary
	Revision uint64 // to ask with the next time
	Whole    bool   // Items and Payments are all there are, not only those that changed
	Items    []Line[Item]
	Payments []Line[Payment]
}

// Since returns what changed of a sale since a revision, so that whoever follows a long cart does not read it again
// for each item. Another sale than the one asked for, or a line that was removed, gives the whole.
func (d *Desk) Since(number int64, revision uint64) (Delta, error) {
	var delta Delta
	err := d.read(func(s *openSale) {
		if number != s.number || max(s.since, s.items.removedAt, s.payments.removedAt) > revision {
			revision = 0
		}
		delta = Delta{
			Number: s.number, OpenedAt: s.openedAt, Session: s.session, Summary: sum(s.items.all(), s.payments.all()),
			Revision: d.rev, Whole: revision == 0, Items: s.items.since(revision), Payments: s.payments.since(revision),
		}
	})
	return delta, err
}
