package main

import (
	"bufio"
	"bytes"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // zones of other places, on machines without them

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/store"
)

const asProgram = "MAQUININHA_TEST_AS_PROGRAM"

// The tests run themselves as the program, in processes of their own: it is linked already.
func init() {
	if os.Getenv(asProgram) == "1" {
		main()
		os.Exit(0)
	}
}

// TestMain has many tests wait side by side: they wait for other processes more than they compute. -parallel still has its say.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err) // it is a flag of every test
	}
	os.Exit(apptest.WithProgram(m))
}

// zone is that of the processes: three hours behind Greenwich all year.
const zone = "America/Sao_Paulo"

func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	apptest.OtherProcess(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "TZ="+zone, passwordVariable+"=segredo", "MAQUININHA_USERNAME=admin")
	return cmd
}

// output runs the program and wants it to succeed.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, complaint bytes.Buffer
	cmd := program(t, args...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v: %s", args, err, complaint.String())
	}
	return out.String()
}

// complaint runs the program and wants it to fail.
func complaint(t *testing.T, args ...string) string {
	t.Helper()
	var out, words bytes.Buffer
	cmd := program(t, args...)
	cmd.Stdout, cmd.Stderr = &out, &words
	if err := cmd.Run(); err == nil {
		t.Errorf("%q has not failed", args)
	}
	if out.Len() > 0 {
		t.Errorf("%q failed and wrote %q", args, out.String())
	}
	return words.String()
}

// address is this test's alone, even while nobody listens on it: tests run side by side.
func address(t *testing.T) string {
	t.Helper()
	free, err := rig.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return free
}

// serving starts the service on the folder and returns its address.
func serving(t *testing.T, dir string) (base string, stop func()) {
	t.Helper()
	return servingAt(t, dir, address(t))
}

// servingAt is serving where the callers know it; stop is a kill.
func servingAt(t *testing.T, dir, listen string, args ...string) (base string, stop func()) {
	t.Helper()
	cmd := program(t, append([]string{
		"serve", "--data", dir, "--listen", listen, "--screen", "127.0.0.1:0", "--autopilot-delay", "0s", "--no-setup", "--no-desktop-notifications",
	}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = func() {
		if cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
	t.Cleanup(stop)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if name, rest, ok := strings.Cut(strings.TrimSpace(lines.Text()), " "); ok && name == "API" {
			return strings.Fields(rest)[0], stop
		}
	}
	t.Fatal("the service said no address")
	return "", stop
}

// at reads a moment of the processes' zone.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	place, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	moment, err := time.ParseInLocation("2006-01-02 15:04:05.999", text, place)
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

// approved is a payment by credit card.
func approved(at time.Time, amount, reference string) payment.Transaction {
	return stand(payment.Transaction{
		Request: payment.Request{Method: payment.Credit, Amount: money.MustParse(amount), Reference: reference, Installments: 1, Plan: payment.Single},
		Outcome: payment.Outcome{NSU: "000123", Authorization: "A1B2C3", Brand: "01", AcquirerCNPJ: "11222333000181"}, CreatedAt: at, UpdatedAt: at,
	}, payment.Approved)
}

// stand puts a transaction into a state that the caller is told as status.
func stand(tx payment.Transaction, status payment.Status) payment.Transaction {
	tx.State = map[payment.Status]payment.State{
		payment.Approved: payment.StateConfirmed, payment.Reversed: payment.StateReversed, payment.Refused: payment.StateRefused,
		payment.Cancelled: payment.StateCancelled, payment.Pending: payment.StateUnknown,
	}[status]
	return tx
}

// keep writes transactions as the service would.
func keep(t *testing.T, dir string, all ...payment.Transaction) {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ledger, err := s.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	for _, tx := range all {
		if _, err := ledger.Begin(tx); err != nil {
			t.Fatal(err)
		}
	}
}
