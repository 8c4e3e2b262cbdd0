package rig

import (
	"fmt"
	"net"
	"os"
	"sync"
)

// given are the addresses that somebody has: a second one must not get them, even while nobody listens on them.
var given sync.Map

// FreeAddress is one that is the caller's alone, known before a server starts on it, and still the caller's when that server
// has ended: its start is timed from outside, it is started again where it was, or nobody is to answer there.
func FreeAddress() (string, error) {
	for {
		l, err := net.Listen("tcp", ownHost()+":0")
		if err != nil { // some systems have one loopback address only
			l, err = net.Listen("tcp", "127.0.0.1:0")
		}
		if err != nil {
			return "", err
		}
		address := l.Addr().String()
		if err := l.Close(); err != nil {
			return "", err
		}
		if _, taken := given.LoadOrStore(address, true); !taken {
			return address, nil
		}
	}
}

// ownHost is a loopback address of this process alone: on 127.0.0.1 any other program's listener or outgoing connection may
// take a port at the moment it is free.
func ownHost() string {
	pid := os.Getpid()
	return fmt.Sprintf("127.%d.%d.%d", 1+pid>>16&0x7f, pid>>8&0xff, pid&0xff)
}
