package payment

// Wake has the recovery look again.
func (d *Desk) Wake() { d.recovery.wake() }
