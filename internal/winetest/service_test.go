package winetest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

// The whole life of a service, in a folder with spaces and accents. Wine refuses one of its settings, which is said and stops nothing.
func TestServiceOnWindows(t *testing.T) {
	s := newShop(t)
	s.program = s.Program(accented)
	s.Says(4, "Não instalado", s.program, "service", "status")
	s.Says(1, "não está instalado", s.program, "service", "start")
	s.Says(0, "Gravado", s.program, append([]string{"init", "--output", `C:\ProgramData\maquininha\maquininha.toml`, "--data", `C:\ProgramData\maquininha`}, strings.Fields(s.flags())...)...)
	said := s.Says(0, "Serviço instalado: inicia com a máquina.", s.program, "service", "install")
	if !strings.Contains(said, "Aviso: o serviço não volta sozinho se encerrar com erro") {
		t.Errorf("it does not say what could not be set: %s", said)
	}
	s.Says(1, "já está instalado", s.program, "service", "install")
	s.Says(3, "inicia com a máquina), parado", s.program, "service", "status")

	s.Says(0, "no ar", s.program, "service", "start")
	s.Says(0, "no ar desde ", s.program, "service", "status")
	s.learnPassword()
	s.ring()
	s.Says(1, "se é o serviço que a usa", s.program, "password", "--data", `C:\ProgramData\maquininha`)
	s.Says(0, "reiniciado", s.program, "service", "restart")
	if sale := s.ok("GET", "/sale", ""); !strings.Contains(sale, "Pão de açúcar") {
		t.Errorf("after a restart the sale is %s", sale)
	}

	// It starts with the machine.
	s.SwitchOff()
	s.SwitchOn()
	waittest.Until(t, "the terminal answers", func() bool {
		status, _ := s.ask("GET", "/status", "")
		return status == http.StatusOK
	})
	if sale := s.ok("GET", "/sale", ""); !strings.Contains(sale, "Pão de açúcar") {
		t.Errorf("after the power was cut the sale is %s", sale)
	}

	// A request that is held is answered at a stop.
	answered := s.pay("PARADA-1")
	s.Says(0, "parado", s.program, "service", "stop")
	if answer := <-answered; !strings.Contains(answer, `"message"`) {
		t.Errorf("the held payment was answered with %q", answer)
	}
	s.Says(3, "parado", s.program, "service", "status")
	s.Says(0, "Dados e configuração ficaram", s.program, "service", "uninstall")
	s.Says(4, "Não instalado", s.program, "service", "status")
	if !s.There(`C:\ProgramData\maquininha\maquininha.db`) {
		t.Error("the data are gone")
	}
}
