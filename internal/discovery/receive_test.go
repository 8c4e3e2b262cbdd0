package discovery

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/maquininha/maquininha/internal/waittest"
)

func TestRepliesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a allowance
		given := func() (n int) {
			for range 1000 {
				if a.take() {
					n++
				}
			}
			return n
		}
		if n := given(); n != repliesAtOnce {
			t.Errorf("%d replies at once", n)
		}
		for range 10 {
			time.Sleep(500 * time.Millisecond)
			if n := given(); n != repliesASecond/2 {
				t.Errorf("%d replies in half a second of a flood", n)
			}
		}
		time.Sleep(time.Hour)
		if n := given(); n != repliesAtOnce {
			t.Errorf("%d replies at once after a quiet hour", n)
		}
	})
}

// Thousands of questions, whose sender may be made up, get a few answers.
func TestFloodOfQuestionsIsNotReturned(t *testing.T) {
	network(t)
	mine := announce(t, Terminal{Name: name(t), Port: 9050}).announced(t)
	all, err := links(netip.Addr{})
	if err != nil {
		t.Fatal(err)
	}
	question, err := ask(mine+"."+serviceOf, dnsmessage.TypeSRV) // which no other terminal answers
	if err != nil {
		t.Fatal(err)
	}
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: all[0].addresses()[0].AsSlice()})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	answered := func() bool { // within the deadline
		room := make([]byte, mostBytes)
		_, err := socket.Read(room)
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
		return err == nil
	}
	began, answers := time.Now(), 0
	for range 200 {
		for range 20 {
			if _, err := socket.WriteToUDP(question, group); err != nil {
				t.Skipf("multicast does not work here: %v", err)
			}
		}
		socket.SetReadDeadline(time.Now().Add(time.Millisecond)) //nolint:errcheck // a real socket takes it
		for answered() {
			answers++
		}
	}
	for deadline := time.Now().Add(waittest.Limit); answers == 0 && time.Now().Before(deadline); {
		socket.SetReadDeadline(time.Now().Add(time.Second)) //nolint:errcheck // as above
		if answered() {
			answers++
		}
	}
	most := repliesAtOnce + int(repliesASecond*time.Since(began).Seconds()) + 1
	if answers == 0 || answers > most {
		t.Errorf("4,000 questions got %d answers in %v", answers, time.Since(began))
	}
}
