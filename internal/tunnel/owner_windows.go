package tunnel

// giveToOwner is for systems where a file is its maker's alone; here the folder's rights are its own.
func giveToOwner(string, string) error { return nil }
