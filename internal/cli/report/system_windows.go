package report

import (
	"fmt"
	"io/fs"

	"golang.org/x/sys/windows"
)

// owner: files here have lists of who may use them, which their folder hands down.
func owner(fs.FileInfo) string { return "-" }

// systemName is the version of Windows.
func systemName() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
}
