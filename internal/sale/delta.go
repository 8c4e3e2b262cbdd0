package sale

import "time"

// Delta is what became of the open sale since a revision: its head as it is now, and the lines that changed.
type Delta struct {
	Number   int64
	OpenedAt time.Time
	Session  Session
	Summary  Summary
	Revision uint64 // to ask with the next time
	Whole    bool   // the lines are all there are, not only those that changed

	Items     []Line[Item]
	Payments  []Line[Payment]
	Discounts []Line[Adjustment]
	Additions []Line[Adjustment]
}

// Lines is how many it tells of.
func (d Delta) Lines() int {
	return len(d.Items) + len(d.Payments) + len(d.Discounts) + len(d.Additions)
}

// Since returns what changed of a sale since a revision, so that whoever follows a long cart does not read it again
// for each item. Another sale than the one asked for, or a line that was removed, gives the whole.
func (d *Desk) Since(number int64, revision uint64) (Delta, error) {
	var delta Delta
	err := d.read(func(s *openSale) {
		if number != s.number || max(s.since, s.items.removedAt, s.payments.removedAt, s.discounts.removedAt, s.additions.removedAt) > revision {
			revision = 0
		}
		delta = Delta{
			Number: s.number, OpenedAt: s.openedAt, Session: s.session, Summary: s.summary(), Revision: d.rev, Whole: revision == 0,
			Items: s.items.since(revision), Payments: s.payments.since(revision),
			Discounts: s.discounts.since(revision), Additions: s.additions.since(revision),
		}
	})
	return delta, err
}
