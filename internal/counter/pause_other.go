//go:build !unix

package counter

import "errors"

// Pause is for systems that know signals.
func (p *Process) Pause() error { return errors.ErrUnsupported }

// Resume likewise.
func (p *Process) Resume() error { return errors.ErrUnsupported }
