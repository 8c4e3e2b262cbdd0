package examples

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Each example reads what runs; shows the code of its own payment while it is held; and calls it off.
func TestSelfService(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
	for name, prepare := range run {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := prepare(t, totem)
			p := apptest.StartProcess(t, "--operator", "human") // nobody pays by himself
			p.Call("POST", "/emulator/foreground", `{"active": true}`, nil)
			// serve runs the example; shown is called when it shows a code.
			serve := func(shown func(), args ...string) (said string, err error) {
				cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], args...)...)
				cmd.Env = environment(p.Base)
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				var errors strings.Builder
				cmd.Stderr = &errors
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				for lines := bufio.NewScanner(out); lines.Scan(); {
					said += lines.Text() + "\n"
					if strings.HasPrefix(lines.Text(), "PIX 000201") {
						shown()
					}
				}
				err = cmd.Wait()
				return said + errors.String(), err
			}

			paid := func() { p.Call("POST", "/emulator/payment", `{"outcome": "approve"}`, nil) }
			if said, err := serve(paid); err != nil || !strings.Contains(said, "→ Aponte a câmera do celular\nPIX ") || !strings.Contains(said, "\nPago: R$ 20,00, NSU ") {
				t.Errorf("%v\n%s", err, said)
			}
			codes := 0
			if said, err := serve(func() { codes++ }, "desistir"); err == nil || codes != 1 || !strings.Contains(said, "Transação cancelada") {
				t.Errorf("%d codes, %v\n%s", codes, err, said)
			}
			if n := p.Approved(); n != 1 {
				t.Errorf("%d payments approved", n)
			}

			asked := make(chan int, 1)
			go func() { asked <- p.Call("POST", "/ask", `{"question": {"question": "CPF na nota?"}}`, nil) }()
			waittest.Until(t, "a question", func() bool {
				var now struct{ Operation any }
				p.Call("GET", "/operation", "", &now)
				return now.Operation != nil
			})
			if said, err := serve(func() {}); err == nil || !strings.Contains(said, "terminal está ocupado: CPF na nota?") {
				t.Errorf("%v\n%s", err, said)
			}
			p.Call("POST", "/ask/cancel", "", nil)
			waittest.Receive(t, "the end of the question", asked)
		})
	}
}
