package rig

// Footprint is what a process takes of the machine.
type Footprint struct {
	MiB     float64 // resident
	PeakMiB float64 // the most it ever was
	Threads int
	Handles int // open files and sockets
}

// ResidentMiB is the memory a process holds.
func ResidentMiB(pid int) (float64, error) {
	f, err := Measure(pid)
	return f.MiB, err
}
