//go:build !linux

package daemon

// Access is what the installed service gets at. Only systemd tells; elsewhere the start does.
type Access struct{ User, Group string }

// AccessOf is that of the service installed with this configuration file; nil: it can't be told.
func (Program) AccessOf(string) *Access { return nil }

// Makes tells whether the manager hands the folder to the service at each start.
func (*Access) Makes(string) bool { return false }

// Read is why the service can't read a file.
func (*Access) Read(string) error { return nil }

// Write is why it can't write to a file.
func (*Access) Write(string) error { return nil }

// Fill is why it can't make files in a folder.
func (*Access) Fill(string) error { return nil }
