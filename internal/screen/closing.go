package screen

import (
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// Closing is the message that ends a sale.
type Closing struct {
	Finalized       bool // else cancelled
	Message         string
	ShowMessage     bool
	ShowCloseButton bool
	ButtonCloseText string
	Interval        time.Duration // in sight
	Total           money.Decimal
	Paid            money.Decimal
	Change          money.Decimal // to be given back to the customer
	Began           time.Time     // when it last came into sight; zero while something covers it
	Left            time.Duration // of its interval at Began, or while it is covered
}

// EndSale takes the display's top off and shows the closing message for its time. Only the time counts that it is seen:
// the result of a payment may still lie over it, and a question may come over it.
func (m *Model) EndSale(c Closing) {
	m.change(func() {
		m.pop()
		m.dropClosing()
		if c.ShowMessage && c.Interval > 0 {
			c.Began, c.Left = time.Time{}, c.Interval
			m.closing = &c
		}
	})
	m.timeClosing()
}

// timeClosing has the time of the closing message run while the message is in sight, and only then. It is called after
// all that may cover or uncover the message, by those who hold no desk's lock.
func (m *Model) timeClosing() {
	m.timing.Lock() // what is seen first must not be acted on last
	defer m.timing.Unlock()
	if !m.hasClosing() {
		return
	}
	covered := m.Covered != nil && m.Covered()
	m.mu.Lock()
	defer m.mu.Unlock()
	covered = covered || len(m.stack) > 0
	if m.closing == nil || covered == m.closing.Began.IsZero() {
		return
	}
	now := *m.closing // others hold the one before
	if covered {
		now.Began, now.Left = time.Time{}, max(now.Left-time.Since(now.Began), 1)
		m.closingTimer.Stop()
	} else {
		now.Began = time.Now()
		m.closingTimer = time.AfterFunc(now.Left, func() { m.expire(&now) })
	}
	m.closing = &now
	m.changes.Ring()
}

func (m *Model) hasClosing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closing != nil
}

func (m *Model) expire(c *Closing) {
	m.change(func() {
		if m.closing == c {
			m.dropClosing()
		}
	})
}

// DismissClosing takes the closing message away: the person pressed its button, or the next sale has begun.
func (m *Model) DismissClosing() { m.change(m.dropClosing) }

func (m *Model) dropClosing() {
	if m.closingTimer != nil {
		m.closingTimer.Stop()
	}
	m.closing, m.closingTimer = nil, nil
}
