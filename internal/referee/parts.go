package referee

import "fmt"

// parts judges reversals of a part by the names they have: without its own, one can't be asked for again.
func (c *courtroom) parts() {
	for i := range c.Exchanges {
		x := &c.Exchanges[i]
		if x.Route != reverse || x.Part == nil || x.Answered.IsZero() && x.Left.IsZero() {
			continue
		}
		switch x.Status {
		case invalid, stranger, tooLarge, compressed:
			continue // it is not known what it was
		}
		switch {
		case x.PartID == "":
			c.accuse(PartWithoutID, x, fmt.Sprintf("estorno de R$ %s sem reversalId", x.Part.Reais()))
		case x.says(conflict, idUsedText):
			c.accuse(ReversalIDReused, x, fmt.Sprintf("o reversalId %q já era de outro estorno; nada foi devolvido", x.PartID))
		}
	}
}

// isGivenBackAgainBy tells of a reversal that may give the same part back a second time: under another name, or none.
func (x *Exchange) isGivenBackAgainBy(y *Exchange) bool {
	return x.Route == reverse && y.Route == reverse && x.Reference == y.Reference && x.Part != nil && y.Part != nil &&
		x.Part.Cmp(*y.Part) == 0 && (y.PartID == "" || y.PartID != x.PartID)
}
