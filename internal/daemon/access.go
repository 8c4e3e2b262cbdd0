package daemon

// Hidden says that the service's unit, not the file's owner, keeps it from a file.
type Hidden struct {
	Directive string // as in the unit
	Folder    string // what it is about
	ReadOnly  bool   // it may still read there
}

// Everywhere is the folder of what a unit lets its service write nowhere but in its data.
const Everywhere = "/"

func (h Hidden) Error() string { return h.Directive + " keeps the service from " + h.Folder }
