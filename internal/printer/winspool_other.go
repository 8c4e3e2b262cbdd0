//go:build !windows

package printer

import "errors"

// ErrOtherSystem means a kind of printer that this system does not have.
var ErrOtherSystem = errors.New("only Windows has such a printer")

// NewWindows is the printer behind a queue of Windows.
func NewWindows(string, Options) (*Thermal, error) { return nil, ErrOtherSystem }
