package winetest_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/waittest"
)

// serve runs the program in a window, as it were, and returns once it answers. kill ends it as a power cut would.
func (s *shop) serve(args ...string) (kill func()) {
	s.t.Helper()
	s.password = "segredo"
	cmd := s.Command(s.program, append([]string{"serve", "--listen", s.listen, "--screen", rig.FreeAddress(), "--no-setup", "--no-desktop-notifications", "--autopilot-delay", "0s"}, args...)...)
	cmd.Env = append(cmd.Env, "MAQUININHA_USERNAME=admin", "MAQUININHA_PASSWORD="+s.password)
	must(s.t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		cmd.Wait() //nolint:errcheck // it is killed
		close(ended)
	}()
	kill = func() {
		cmd.Process.Kill() //nolint:errcheck // it has ended, then
		<-ended
	}
	s.t.Cleanup(kill)
	waittest.Until(s.t, "the terminal answers", func() bool {
		select {
		case <-ended:
			s.t.Fatal("it ended at its start")
		default:
		}
		status, _ := s.ask("GET", "/status", "")
		return status == http.StatusOK
	})
	return kill
}

// The commands of whoever looks after a terminal, in a folder with spaces and accents.
func TestCommandsOnWindows(t *testing.T) {
	s := newShop(t)
	s.program = s.Program(accented)
	s.Says(0, "Gravado em "+shopData, s.program, "init", "--data", shopData, "--mode", "emulator", "--listen", s.listen)
	s.Says(0, "Configuração", s.program, "check", "--data", shopData, "--offline")
	kill := s.serve("--data", shopData)
	s.ring()
	s.ok("POST", "/print/text", `[{"text":{"value":"Olá, balcão"}}]`)
	s.ok("POST", "/transaction", `{"tPag":"03","amount":11.00,"referenceId":"PAGA-1"}`)

	said, code := s.Run(s.program, "serve", "--data", shopData, "--listen", rig.FreeAddress(), "--screen", rig.FreeAddress())
	if code == 0 || !strings.Contains(said, shopData) || !strings.Contains(said, "em uso") {
		t.Errorf("a second program on the folder: %d %s", code, said)
	}
	said, code = s.Run(s.program, "serve", "--data", `C:\outro caixa`, "--listen", s.listen, "--screen", rig.FreeAddress())
	if code == 0 || !strings.Contains(said, s.listen) || !strings.Contains(said, "em uso") {
		t.Errorf("a second program on the port: %d %s", code, said)
	}
	s.Says(0, "doutor.zip", s.program, "doctor", "--data", shopData, "--offline", "--output", accented+`\doutor.zip`)
	if !s.There(accented + `\doutor.zip`) {
		t.Error("doctor has gathered nothing")
	}
	kill()
	s.Says(0, "POST /sale/item 200", s.program, "logs", "--data", shopData)
	s.Says(0, "PAGA-1", s.program, "transactions", "--data", shopData, "--format", "csv")

	text := accented + `\texto.json`
	must(t, os.WriteFile(s.Path(text), []byte(`[{"text":{"value":"Olá, balcão"}}]`), 0o600))
	picture := accented + `\cupom.png`
	s.Says(0, "", s.program, "print", text, "--out", picture)
	if !s.There(picture) {
		t.Error("print has made no picture")
	}
	s.serve("--data", shopData)
	if all := s.transactions(); len(all) != 1 {
		t.Errorf("after a kill the transactions are %v", all)
	}
}

// A payment goes by files, in folders of Windows, to the manager's simulator.
func TestTEFOnWindows(t *testing.T) {
	s := newShop(t)
	s.program = s.Program(accented)
	const folder = `C:\PAYGO`
	manager := s.Command(s.program, "simulate", "tef", folder)
	must(t, manager.Start())
	t.Cleanup(func() {
		manager.Process.Kill() //nolint:errcheck // it has ended, then
		manager.Wait()         //nolint:errcheck // it was killed
	})
	waittest.Until(t, "the manager has its folders", func() bool { return s.There(folder+`\Req`) && s.There(folder+`\Resp`) })
	s.serve("--data", shopData, "--acquirer-card", "tef", "--tef-dir", folder)
	if answer := s.ok("POST", "/transaction", `{"tPag":"03","amount":11.00,"referenceId":"TEF-1"}`); !strings.Contains(answer, `"TEF-1"`) {
		t.Errorf("the payment was answered with %s", answer)
	}
	if all := s.transactions(); len(all) != 1 {
		t.Errorf("the transactions are %v", all)
	}
}

// A full disk is said in clear words, the rest works, and with the first room all does.
func TestFullDiskOnWindows(t *testing.T) {
	s := newShop(t)
	s.program = s.Program(accented)
	disk := s.Path(`C:\disco`)
	must(t, os.Mkdir(disk, 0o755))
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("no disks can be mounted here: ", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	kill := s.serve("--data", `C:\disco\dados`)
	s.ok("POST", "/sale", `{}`)
	filler := filepath.Join(disk, "cheio")
	f, err := os.Create(filler)
	must(t, err)
	for size := 64 << 10; size > 0; { // to the last byte
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	must(t, f.Close())
	answer := ""
	waittest.Until(t, "changes are refused", func() bool {
		status := 0
		status, answer = s.ask("PATCH", "/sale", fmt.Sprintf(`{"customerName":%q}`, strings.Repeat("x", 60)))
		return status == http.StatusServiceUnavailable
	})
	if !strings.Contains(answer, "Não há espaço no disco do terminal") {
		t.Errorf("on a full disk: %s", answer)
	}
	s.ok("GET", "/sale", "")
	must(t, os.Remove(filler))
	s.ok("PATCH", "/sale", `{"customerName":"Ana"}`)
	kill()
	s.serve("--data", `C:\disco\dados`)
	if sale := s.ok("GET", "/sale", ""); !strings.Contains(sale, "Ana") {
		t.Errorf("after a kill the sale is %s", sale)
	}
}
