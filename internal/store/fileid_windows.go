package store

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// fileID is by what the system tells this file from every copy of it: its number on the volume, which no other file gets later. When it
// was made would not do: backups put that back. Empty: nobody knows.
func fileID(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil || info.FileIndexHigh|info.FileIndexLow == 0 {
		return ""
	}
	return fmt.Sprintf("%08x%08x", info.FileIndexHigh, info.FileIndexLow)
}
