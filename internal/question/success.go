package question

import "time"

// Success is the screen after the last answer.
type Success struct {
	Message  string
	Interval time.Duration
}

// successScreen is a success screen that is shown, and the timer that ends it.
type successScreen struct {
	Success
	timer *time.Timer
}

// Success returns the success screen while it lasts: until its interval has
// passed, the next question is shown or the desk closes.
func (d *Desk) Success() (Success, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.success == nil {
		return Success{}, false
	}
	return d.success.Success, true
}

// startSuccess shows the success screen if the form wants one. The lock is held.
func (d *Desk) startSuccess(p Parameters) {
	if !p.ShowSuccessMessage || p.SuccessMessageInterval <= 0 {
		return
	}
	s := &successScreen{Success: Success{p.SuccessMessage, p.SuccessMessageInterval}}
	s.timer = time.AfterFunc(p.SuccessMessageInterval, func() { d.expire(s) })
	d.success = s
}

// endSuccess takes the success screen away before its time. The lock is held.
func (d *Desk) endSuccess() {
	if d.success != nil {
		d.success.timer.Stop()
		d.success = nil
	}
}

func (d *Desk) expire(s *successScreen) {
	d.mu.Lock()
	// A timer that fired while it was being stopped finds another screen, or none.
	won := d.success == s
	if won {
		d.success = nil
	}
	d.mu.Unlock()
	if won {
		d.changed()
	}
}
