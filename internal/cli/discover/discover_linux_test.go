package discover

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// shopNetwork is a network of two machines, each with a wall of its own around it.
type shopNetwork struct {
	t     *testing.T
	names [2]string
}

var machines atomic.Int32

// newShopNetwork needs root and iproute2; where there is neither, nobody can say how machines find each other.
func newShopNetwork(t *testing.T) shopNetwork {
	t.Helper()
	apptest.OtherProcess(t)
	if _, err := exec.LookPath("ip"); err != nil || os.Geteuid() != 0 {
		t.Skip("network namespaces need root and the ip command of iproute2")
	}
	n := shopNetwork{t: t}
	for i := range n.names {
		n.names[i] = fmt.Sprintf("mqn-%d-%d", os.Getpid(), machines.Add(1))
		if out, err := exec.Command("ip", "netns", "add", n.names[i]).CombinedOutput(); err != nil {
			t.Skipf("no network namespaces here: %v: %s", err, out)
		}
		t.Cleanup(func() { exec.Command("ip", "netns", "delete", n.names[i]).Run() })
	}
	n.ip("link", "add", "shop", "netns", n.names[0], "type", "veth", "peer", "name", "shop", "netns", n.names[1])
	for i, name := range n.names {
		n.ip("-n", name, "link", "set", "lo", "up")
		n.ip("-n", name, "addr", "add", fmt.Sprintf("10.77.0.%d/24", i+1), "dev", "shop")
		n.ip("-n", name, "link", "set", "shop", "up")
	}
	return n
}

func (n shopNetwork) ip(args ...string) {
	n.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		n.t.Fatalf("ip %q: %v: %s", args, err, out)
	}
}

// at is the program on one of the machines.
func (n shopNetwork) at(machine int, args ...string) *exec.Cmd {
	n.t.Helper()
	cmd := clitest.Program(n.t, args...)
	cmd.Args = append([]string{"ip", "netns", "exec", n.names[machine]}, cmd.Args...)
	cmd.Path, _ = exec.LookPath("ip")
	return cmd
}

// serve runs a terminal on one of the machines and returns how to stop it.
func (n shopNetwork) serve(machine int, args ...string) (stop func()) {
	n.t.Helper()
	cmd := n.at(machine, append([]string{"serve", "--data", n.t.TempDir(), "--no-setup", "--no-desktop-notifications"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		n.t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may be gone
			if err := cmd.Wait(); err != nil && n.t.Context().Err() == nil {
				n.t.Errorf("it ended with %v", err)
			}
		}
	}
	n.t.Cleanup(stop)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "Experimente") {
			go io.Copy(io.Discard, out) //nolint:errcheck // it must not stand still for want of a reader
			return stop
		}
	}
	n.t.Fatal("it did not start")
	return nil
}

// client speaks with one of the machines from itself.
func (n shopNetwork) client(machine int) *http.Client {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		runtime.LockOSThread() // and never again unlocked: the thread ends with its goroutine
		wall, err := os.Open(filepath.Join("/var/run/netns", n.names[machine]))
		if err != nil {
			return nil, err
		}
		defer wall.Close()
		if err := unix.Setns(int(wall.Fd()), unix.CLONE_NEWNET); err != nil {
			return nil, err
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: dial}}
}

// find asks from a machine until what is found is as wanted, each time for longer: others may have the processor.
func (n shopNetwork) find(machine int, what string, want func([]foundBody) bool) (found []foundBody) {
	n.t.Helper()
	timeout := 700 * time.Millisecond
	waittest.Until(n.t, what, func() bool {
		var out, complaint bytes.Buffer
		cmd := n.at(machine, "discover", "--json", "--timeout", timeout.String())
		cmd.Stdout, cmd.Stderr = &out, &complaint
		if err := cmd.Run(); err != nil {
			n.t.Fatalf("%v: %s", err, &complaint)
		}
		found = nil
		if err := json.Unmarshal(out.Bytes(), &found); err != nil {
			n.t.Fatalf("%v in %s", err, &out)
		}
		timeout += timeout / 4
		return want(found)
	})
	return found
}

func names(found []foundBody) (all []string) {
	for _, f := range found {
		all = append(all, f.Name)
	}
	return all
}

func TestTerminalsAreFoundInTheNetwork(t *testing.T) {
	t.Parallel()
	n := newShopNetwork(t)
	var out, complaint bytes.Buffer
	alone := n.at(1, "discover", "--timeout", "100ms")
	alone.Stdout, alone.Stderr = &out, &complaint
	if err := alone.Run(); err == nil || out.Len() > 0 || !strings.Contains(complaint.String(), "Nenhum terminal respondeu em 100ms.\nConfira, no terminal:") {
		t.Errorf("alone: %v, %q, %q", err, &out, &complaint)
	}

	stop := n.serve(0, "--discovery-name", "Caixa São João", "--tls", "--platform", "android")
	n.serve(1, "--discovery-name", "Balcão", "--mode", "production", "--listen", "none", "--tls", "--tls-listen", "10.77.0.2:9443")
	n.serve(1, "--discovery-name", "Só aqui", "--listen", "127.0.0.1:9150", "--screen", "127.0.0.1:9151")
	n.serve(1, "--no-discovery", "--discovery-name", "Calado", "--listen", ":9250", "--screen", "127.0.0.1:9251")
	both := func(found []foundBody) bool {
		return slices.Equal(names(found), []string{"Balcão", "Caixa São João"})
	}
	found := n.find(1, "both from the second machine", both)
	if f := found[0]; f.URL != nil || *f.HTTPS != "https://10.77.0.2:9443" || f.Mode != "production" || f.SHA256 == nil || f.Pin == nil {
		t.Errorf("found %+v", f)
	}
	if f := found[1]; *f.URL != "http://10.77.0.1:9050" || *f.HTTPS != "https://10.77.0.1:9052" || f.Mode != "emulator" || f.Version != version(t) {
		t.Errorf("found %+v", f)
	}
	n.find(0, "both from the first machine", both)

	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://10.77.0.1:9050/restart", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth("admin", "segredo")
	answer, err := n.client(0).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusOK {
		t.Fatalf("POST /restart: %s", answer.Status)
	}
	n.find(1, "both after a restart", both)

	n.ip("-n", n.names[0], "addr", "del", "10.77.0.1/24", "dev", "shop")
	n.ip("-n", n.names[0], "addr", "add", "10.77.0.9/24", "dev", "shop")
	n.find(1, "the first at its new address", func(found []foundBody) bool { return both(found) && *found[1].URL == "http://10.77.0.9:9050" })

	stop()
	n.find(1, "the second alone", func(found []foundBody) bool { return slices.Equal(names(found), []string{"Balcão"}) })
	var text []byte
	waittest.Until(t, "a listing with what is found", func() bool {
		text, err = n.at(1, "discover", "--timeout", "700ms").Output()
		return err == nil
	})
	for _, want := range []string{"Balcão\n  HTTPS     https://10.77.0.2:9443\n  SHA-256   ", "\n  Versão    " + version(t) + "\n  Modo      produção\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A machine without a network says so, and a terminal on it starts all the same.
func TestWithoutANetwork(t *testing.T) {
	t.Parallel()
	n := newShopNetworkOff(t)
	n.serve(0)
	var complaint bytes.Buffer
	cmd := n.at(0, "discover", "--timeout", "100ms")
	cmd.Stderr = &complaint
	if err := cmd.Run(); err == nil || !strings.Contains(complaint.String(), "não está em nenhuma rede") {
		t.Errorf("%v: %s", err, &complaint)
	}
}

// newShopNetworkOff has its cables pulled.
func newShopNetworkOff(t *testing.T) shopNetwork {
	n := newShopNetwork(t)
	for _, name := range n.names {
		n.ip("-n", name, "link", "set", "shop", "down")
	}
	return n
}

// version is the program's.
func version(t *testing.T) string {
	t.Helper()
	return strings.Fields(clitest.Output(t, "version"))[1]
}
