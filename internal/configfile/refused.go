package configfile

import "fmt"

// Refused is a value that a setting can't have: of which flag, and why.
type Refused struct {
	Flag     string // without its hyphens
	Why      string // begins where the flag's name ends
	Variable string // of the environment, where that is what says it
}

// Refuse is an error about a flag's value.
func Refuse(flag, format string, args ...any) error {
	return &Refused{Flag: flag, Why: fmt.Sprintf(format, args...)}
}

func (r *Refused) Error() string { return "--" + r.Flag + " " + r.Why }
