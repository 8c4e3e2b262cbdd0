// Package counter is a shop's counter for campaigns: the terminal and the other sides of its payments, each a process of its own, and
// the person in front of it. It has what a caller believes of its sales, and compares that with the books of all sides.
package counter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/rig"
)

// The acquirers of a counter: TEF and PIX share a terminal, the emulator and each device have their own.
const (
	TEF         = "tef"
	PIX         = "pix"
	Emulator    = "emulator"
	MercadoPago = "mercadopago"
	ConnectTEF  = "connecttef"
	Cielo       = "cielo"
	ControlPay  = "controlpay"
)

// Devices are the acquirers whose device the customer stands at.
var Devices = []string{MercadoPago, ConnectTEF, Cielo, ControlPay}

// Counter is one. Its methods are for one goroutine, but for Wish.
type Counter struct {
	Binary      string // the terminal's program
	Dir         string // of all that it leaves behind
	Acquirers   []string
	Dice        *rand.Rand
	Chaos       bool     // the other sides misbehave now and then
	Bank        string   // whose profile PIX goes by; empty: the Central Bank's text
	Manager     string   // whose profile TEF goes by; empty: PayGo
	Environment []string // of the terminal
	Shown       func(feed string)
	Service     *Service

	client  *http.Client
	manager *Process // TEF
	psp     webside
	side    webside        // of the device
	others  sync.WaitGroup // what goes on whatever becomes of the terminal

	mu    sync.Mutex
	wants Ending // how the operation under way is to end
}

// Service is the terminal while it runs.
type Service struct {
	*Process
	API, Screen string
	Leave       func() // has the person go
}

// Folder is a place in the counter's folder.
func (c *Counter) Folder(names ...string) string {
	return filepath.Join(append([]string{c.Dir}, names...)...)
}

// Data is the terminal's folder; the other sides' are elsewhere.
func (c *Counter) Data() string { return c.Folder("dados") }

// Has tells of an acquirer of this counter.
func (c *Counter) Has(acquirer string) bool { return slices.Contains(c.Acquirers, acquirer) }

// Device is the acquirer whose device stands here; empty: none.
func (c *Counter) Device() string {
	i := slices.IndexFunc(Devices, c.Has)
	if i < 0 {
		return ""
	}
	return Devices[i]
}

// Open makes the folders and starts the other sides.
func (c *Counter) Open(ctx context.Context) error {
	for _, dir := range []string{c.Data(), c.Folder("tef"), c.Folder("pix"), c.Folder("device")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	c.client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	c.psp.listen, c.side.listen, c.wants = rig.FreeAddress(), rig.FreeAddress(), Approve
	if err := errors.Join(c.startManager(ctx), c.startPSP(ctx), c.startDevice(ctx)); err != nil {
		return err
	}
	if c.Has(PIX) { // it may have certificates of its own
		var err error
		c.client, err = c.psp.client()
		return err
	}
	return nil
}

// chaos is how the other side behaves in the life that begins.
func (c *Counter) chaos() []string {
	if c.Chaos && c.Dice.IntN(3) == 0 {
		return []string{"--chaos", "15%", "--seed", fmt.Sprint(c.Dice.Uint32())}
	}
	return nil
}

func (c *Counter) startManager(ctx context.Context) error {
	if !c.Has(TEF) {
		return nil
	}
	arguments := append([]string{"simulate", "tef", c.Folder("tef"), "--as", c.managerName(), "--poll", "1ms", "--late", "1s"}, c.chaos()...)
	if c.Dice.IntN(2) == 0 {
		arguments = append(arguments, "--answer", "always "+string(tefsim.Careless))
	}
	var err error
	if c.manager, err = Launch(ctx, c.Folder("tef.log"), nil, c.Binary, arguments...); err != nil {
		return err
	}
	return c.manager.Hear(func(line string) bool { return strings.Contains(line, "O serviço usa-o com") })
}

func (c *Counter) managerName() string { return cmp.Or(c.Manager, "paygo") }

func (c *Counter) startPSP(ctx context.Context) error {
	if !c.Has(PIX) {
		return nil
	}
	return c.psp.start(ctx, c.Folder("pix.log"), c.Binary, append([]string{"simulate", "pix", "--as", cmp.Or(c.Bank, "bacen"), "--ledger", c.PIXLedger()}, c.chaos()...))
}

func (c *Counter) startDevice(ctx context.Context) error {
	device := c.Device()
	if device == "" {
		return nil
	}
	arguments := []string{"simulate", device, "--ledger", c.DeviceLedger()}
	arguments = append(arguments, map[string][]string{MercadoPago: {"--pick-up", "50ms"}, ConnectTEF: {"--wait", "5s"}, ControlPay: {"--wait", "5s"}}[device]...)
	return c.side.start(ctx, c.Folder(device+".log"), c.Binary, append(arguments, c.chaos()...))
}

// TEFLedger and PIXLedger are the books of the other sides.
func (c *Counter) TEFLedger() string { return c.Folder("tef", "simulador.jsonl") }

// PIXLedger is the book of the PSP.
func (c *Counter) PIXLedger() string { return c.Folder("pix", "simulador-pix.jsonl") }

// DeviceLedger is the book of the device's acquirer.
func (c *Counter) DeviceLedger() string { return c.Folder("device", "simulador.jsonl") }

// RestartOther kills the other side of an acquirer and starts it again, in another mood.
func (c *Counter) RestartOther(ctx context.Context, acquirer string) error {
	switch acquirer {
	case TEF:
		return errors.Join(c.manager.Kill(), c.startManager(ctx))
	case PIX:
		return errors.Join(c.psp.process.Kill(), c.startPSP(ctx))
	case c.Device():
		return errors.Join(c.side.process.Kill(), c.startDevice(ctx))
	}
	return nil
}

// Order has the PSP, or the device's acquirer, do something.
func (c *Counter) Order(ctx context.Context, acquirer, path string, body map[string]any) {
	at := c.psp.origin
	if acquirer == c.Device() {
		at = c.side.origin
	}
	Post(ctx, c.client, at, path, body)
}

// Forget has the other sides behave as they do by themselves.
func (c *Counter) Forget(ctx context.Context) error {
	for _, acquirer := range []string{PIX, c.Device()} {
		if c.Has(acquirer) {
			c.Order(ctx, acquirer, "/sim/behave", nil)
		}
	}
	if c.Has(TEF) {
		return tefsim.Steer(c.Folder("tef"))
	}
	return nil
}

// StartService runs the terminal. ErrDied: it died before it was ready.
func (c *Counter) StartService(ctx context.Context) error {
	arguments := []string{
		"--data", c.Data(), "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--operator", "human", "--no-setup", "--no-desktop-notifications",
	}
	if c.Has(TEF) {
		arguments = append(arguments, "--acquirer-card", "tef", "--tef-dir", c.Folder("tef"), "--tef-profile", c.managerName())
	}
	environment := slices.Clone(c.Environment)
	for acquirer, side := range map[string]*webside{PIX: &c.psp, c.Device(): &c.side} {
		if c.Has(acquirer) {
			arguments, environment = append(arguments, side.arguments()...), append(environment, side.environment()...)
		}
	}
	p, err := Launch(ctx, c.Folder("service.log"), environment, c.Binary, arguments...)
	if err != nil {
		return err
	}
	now := &Service{Process: p, Leave: func() {}}
	c.Service = now
	err = p.Hear(func(line string) bool {
		name, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		at = strings.TrimPrefix(strings.TrimSpace(at), "http://")
		switch name {
		case "API":
			now.API = at
		case "Tela":
			now.Screen = at
		}
		return now.Screen != ""
	})
	if err != nil {
		return err
	}
	c.attend(ctx, now)
	return nil
}

// KillService is kill -9 of the terminal, and has the person go.
func (c *Counter) KillService() error {
	c.Service.Leave()
	return c.Service.Kill()
}

// attend puts a person in front of the terminal, for as long as it runs.
func (c *Counter) attend(ctx context.Context, now *Service) {
	ctx, stop := context.WithCancel(ctx)
	now.Leave = stop
	fast := rand.New(rand.NewPCG(c.Dice.Uint64(), 0))
	p := &person{
		screen: now.Screen, pix: c.psp.origin, client: c.client, emulate: c.Has(Emulator),
		wishes: c.wished, later: func(do func()) { c.others.Go(do) },
		hurry: func() time.Duration { return Moment(fast, 400*time.Millisecond) }, heard: func(string) {},
	}
	if c.Device() != "" {
		p.device, p.keepsWaiting = c.side.origin, c.Has(Cielo)
	}
	if c.Shown != nil {
		p.heard = c.Shown
	}
	c.others.Go(func() { p.watch(ctx) })
}

// Wish says how what is under way is to end.
func (c *Counter) Wish(e Ending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wants = e
}

func (c *Counter) wished() Ending {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wants
}

// Moment is a length of time up to the longest, as often short as long.
func Moment(dice *rand.Rand, longest time.Duration) time.Duration {
	const shortest = float64(500 * time.Microsecond)
	return time.Duration(shortest * math.Exp(dice.Float64()*math.Log(float64(longest)/shortest)))
}

// WaitForPeople waits until nobody does anything any more: customers pay even when the terminal is gone.
func (c *Counter) WaitForPeople() { c.others.Wait() }

// Close ends every process of the station.
func (c *Counter) Close() error {
	var err error
	for _, p := range []*Process{c.manager, c.psp.process, c.side.process} {
		if p != nil {
			err = errors.Join(err, p.Stop())
		}
	}
	if c.Service != nil {
		c.Service.Leave()
		err = errors.Join(err, c.Service.Stop())
	}
	c.others.Wait()
	return err
}

// Build makes a program of ours, in a folder.
func Build(ctx context.Context, dir, name string, flags ...string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	binary := filepath.Join(dir, name)
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	binary, err := filepath.Abs(binary)
	if err != nil {
		return "", err
	}
	arguments := append(append([]string{"build", "-ldflags", "-s -w"}, flags...), "-o", binary, "github.com/maquininha/maquininha/cmd/"+name)
	cmd := exec.CommandContext(ctx, "go", arguments...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", name, err, strings.TrimSpace(string(said)))
	}
	return binary, nil
}
