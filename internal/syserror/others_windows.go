package syserror

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// others are what Windows says where other systems say this.
var others = map[error][]error{
	syscall.ENOSPC: {windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL},
	syscall.EROFS:  {windows.ERROR_WRITE_PROTECT},
	syscall.EIO:    {windows.ERROR_CRC, windows.ERROR_IO_DEVICE},
}
