// Package autopilot stands in for the people at the emulator's terminal while no screen page is open: after a
// moment's thought it answers the question shown and pays what is asked.
package autopilot

import (
	"context"
	"time"
)

// Questions is the question on the screen.
type Questions interface {
	// Waiting returns a number that changes with every question asked, and how long the person thinks about this one;
	// false when none is shown.
	Waiting() (serial uint64, thinks time.Duration, ok bool)
	// Answer does what the person does, if the question is still that one.
	Answer(serial uint64)
}

// Payments is the payment or reversal on the screen.
type Payments interface {
	Waiting() (serial uint64, thinks time.Duration, ok bool)
	// Proceed does what the screen asks of the customer.
	Proceed(serial uint64)
}

// Screen tells when to look again, and whether anybody else is there.
type Screen interface {
	Changes() <-chan struct{}
	// Unattended reports that the autopilot is wanted: the app is in front and no page is open.
	Unattended() bool
}

// Pilot plays the people.
type Pilot struct {
	Questions Questions
	Payments  Payments
	Screen    Screen
}

// Run acts until the context ends.
func (p Pilot) Run(ctx context.Context) {
	question := task{waiting: p.Questions.Waiting, act: p.Questions.Answer}
	pay := task{waiting: p.Payments.Waiting, act: p.Payments.Proceed}
	for {
		changes := p.Screen.Changes() // before looking, so that no change falls between
		wait := never
		if unattended := p.Screen.Unattended(); unattended {
			// A payment covers the question: the question comes back after it.
			if wait = pay.step(); wait == never {
				wait = question.step()
			}
		} else {
			question.forget()
			pay.forget()
		}
		if !sleep(ctx, wait, changes) {
			return
		}
	}
}

const never = time.Duration(-1)

// sleep returns after the wait or at the next change, false when the context ended.
func sleep(ctx context.Context, wait time.Duration, changes <-chan struct{}) bool {
	var timeout <-chan time.Time
	if wait != never {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-changes:
	case <-timeout:
	}
	return true
}

// task is one thing that waits for a person; the delay counts from when it was first seen.
type task struct {
	waiting func() (uint64, time.Duration, bool)
	act     func(uint64)

	serial uint64
	due    time.Time
}

// step acts when the time has come; else it returns how long until then, or never when nothing waits.
func (t *task) step() time.Duration {
	serial, thinks, ok := t.waiting()
	if !ok {
		t.forget()
		return never
	}
	if serial != t.serial || t.due.IsZero() {
		t.serial, t.due = serial, time.Now().Add(thinks)
	}
	if left := time.Until(t.due); left > 0 {
		return left
	}
	t.act(serial)
	t.forget()
	return 0
}

func (t *task) forget() { t.serial, t.due = 0, time.Time{} }
