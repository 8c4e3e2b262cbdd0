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
	Interval        time.Duration
	Total           money.Decimal
	Paid            money.Decimal
	Change          money.Decimal // to be given back to the customer
	Began           time.Time     // when it came into sight; zero while something covers it
}

// EndSale takes the display's top off and shows the closing message for its time, which begins when the message is seen:
// the result of a payment may still lie over it.
func (m *Model) EndSale(c Closing) {
	m.change(func() {
		m.pop()
		m.dropClosing()
		if c.ShowMessage && c.Interval > 0 {
			m.closing = &c
		}
	})
	m.showClosing()
}

// showClosing begins the time of a closing message that has come into sight. It is for those who hold no desk's lock.
func (m *Model) showClosing() {
	if m.waitingClosing() == nil || m.Covered != nil && m.Covered() {
		return
	}
	m.change(func() {
		if c := m.closing; c != nil && c.Began.IsZero() && len(m.stack) == 0 {
			begun := *c // others hold the one before
			begun.Began = time.Now()
			m.closing = &begun
			m.closingTimer = time.AfterFunc(c.Interval, func() { m.expire(&begun) })
		}
	})
}

// waitingClosing is the closing message whose time has not begun; nil: there is none.
func (m *Model) waitingClosing() *Closing {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closing == nil || !m.closing.Began.IsZero() {
		return nil
	}
	return m.closing
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
