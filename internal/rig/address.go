package rig

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

// FreeAddress is one that is the caller's alone, known before a server starts on it, and still the caller's when that server
// has ended: its start is timed from outside, it is started again where it was, or nobody is to answer there.
//
// It is found by counting and dialling, never by listening: a process that is being started has for a moment everything open
// that its parent has, so that a listener which was closed here may still be there when the server comes.
func FreeAddress() string { return FreeAddressAt(ownHost()) }

// FreeAddressAt is such an address of a host that was chosen, which other processes may listen at, too.
func FreeAddressAt(host string) string {
	for {
		// Below the ports that systems give to whoever asks for any.
		port := 10_000 + (os.Getpid()*97+int(given.Add(1)))%20_000
		address := net.JoinHostPort(host, strconv.Itoa(port))
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return address
		}
		conn.Close()
	}
}

// given counts the addresses: a second caller must not get one of them, even while nobody listens on it.
var given atomic.Int32

// ownHost is a loopback address of this process alone: on 127.0.0.1 any other program may take a port at the moment it is free.
// Some systems have that one only.
var ownHost = sync.OnceValue(func() string {
	pid := os.Getpid()
	own := fmt.Sprintf("127.%d.%d.%d", 1+pid>>16&0x7f, pid>>8&0xff, pid&0xff)
	l, err := net.Listen("tcp", own+":0")
	if err != nil {
		return "127.0.0.1"
	}
	l.Close()
	return own
})
