package probe

import "golang.org/x/sys/windows"

// FreeSpace is what this user may still write where the folder is.
func FreeSpace(dir string) (uint64, bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return free, err == nil
}
