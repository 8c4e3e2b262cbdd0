package probe

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/connection"
)

// Port is one that a program listens on.
type Port struct {
	What, Flag, Address, Scheme, Page string
	Ours                              func(*http.Response) bool // tells from the answer for Page whether it is the program
	Answers                           func() bool               // tells the same where no page is served; nil: Ours does
}

// ask tells whether it is the program that has the port, and whether anybody answers there at all.
func (p Port) ask() (ours, answered bool) {
	if p.Answers != nil {
		ours = p.Answers()
		return ours, ours
	}
	return ask(p.Scheme, p.Address, p.Page, p.Ours)
}

// Ports listens everywhere at once: two of ours may want the same place under different names. What is taken may be so by the program
// itself, the user of its folder, where that may be in use.
func Ports(found *console.Findings, all []Port, user string, mayBeInUse bool) {
	var held []net.Listener
	var silent []string
	alive := false
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for n, p := range all {
		if p.Address == "" || p.Address == "none" {
			continue
		}
		if at := slices.IndexFunc(all[:n], p.meets); at >= 0 {
			found.Wrong(p.What, "%s é também a porta de %s: dois ajustes dizem a mesma; escolha outra com %s", p.Address, all[at].Flag, p.Flag)
			continue
		}
		l, taken, err := connection.TryPort(p.Address)
		ours, answered := false, true
		if taken && mayBeInUse {
			if ours, answered = p.ask(); !answered {
				l, taken, err = connection.TryPort(p.Address) // who had it may have ended meanwhile
			}
		}
		switch {
		case err == nil:
			held = append(held, l)
			found.Good(p.What, "%s está livre", p.Address)
		case ours:
			alive = true
			found.Good(p.What, "%s atende: é o %s que está no ar", p.Address, user)
		case taken && !answered && !alive:
			silent = append(silent, p.Address)
		case taken:
			found.Wrong(p.What, "%s está em uso por outro programa; escolha outro endereço com %s", p.Address, p.Flag)
		default:
			found.Wrong(p.What, "não é possível escutar em %s (%s): %v", p.Address, p.Flag, err)
		}
	}
	if len(silent) > 0 {
		found.Wrong("Portas", "em uso, mas ninguém responde: %s; o %s que tem esta pasta pode estar parado, travado ou terminando", strings.Join(silent, ", "), user)
	}
}

// meets tells whether two of ours would be in each other's way: the same port, and a host that is the same or is any.
func (p Port) meets(other Port) bool {
	host, number, err := net.SplitHostPort(p.Address)
	otherHost, otherNumber, failed := net.SplitHostPort(other.Address)
	if err != nil || failed != nil || number != otherNumber || number == "0" {
		return false
	}
	return host == otherHost || anyHost(host) || anyHost(otherHost)
}

// anyHost tells whether an address without a port is all of this machine's.
func anyHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// Answers asks whoever listens at an address whether it is the program.
func Answers(scheme, address, page string, ours func(*http.Response) bool) bool {
	is, _ := ask(scheme, address, page, ours)
	return is
}

func ask(scheme, address, page string, ours func(*http.Response) bool) (is, answered bool) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return false, false
	}
	if anyHost(host) {
		host = "localhost"
	}
	client := http.Client{
		Timeout: 5 * time.Second,
		// It is our own machine, and nothing is told to whoever answers.
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true},
	}
	res, err := client.Get(scheme + net.JoinHostPort(host, port) + page)
	if err != nil {
		return false, !isSilence(err)
	}
	defer res.Body.Close()
	return ours(res), true
}

// isSilence tells that nobody said anything, not even what is no HTTP.
func isSilence(err error) bool {
	var broken *net.OpError
	return os.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.EOF) || errors.As(err, &broken) && broken.Op != "remote error"
}
