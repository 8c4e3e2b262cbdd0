package simulate

// stayInBackground has nothing to do: Windows does not stop who reads.
func stayInBackground() {}
