package screen

// bell wakes whoever waits for it; ringing costs nothing while nobody does.
type bell struct{ rung chan struct{} }

func (b *bell) wait() <-chan struct{} {
	if b.rung == nil {
		b.rung = make(chan struct{})
	}
	return b.rung
}

func (b *bell) ring() {
	if b.rung != nil {
		close(b.rung)
		b.rung = nil
	}
}
