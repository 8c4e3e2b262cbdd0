package winetest_test

import (
	"os"
	"strings"
	"testing"
)

// Somebody opens the installer, chooses an installed printer and goes on to the end.
func TestInstallerPages(t *testing.T) {
	s := newShop(t)
	const queue = "Balcão nº 1"
	s.installPrinter(queue)
	// Its pages know only the usual ports, which this machine may have given to others: the service is not started.
	installer := s.Command(s.Prepared("instalador.exe"), "/INICIAR=nao")
	must(t, installer.Start())
	const on = "press=&Próximo >"
	s.Says(0, "", s.Prepared("pages.exe"), "see=Bem-vindo ao Instalador do Maquininha", on, "see=O terminal", on,
		"see=A impressora", "pick=0=instalada no Windows", "pick=1="+queue, on, "see=Os pagamentos", on, "see=Neste computador", "press=&Instalar",
		"press=Abrir a tela do terminal", "press=&Concluir")
	must(t, installer.Wait())
	s.program = installed + `\maquininha.exe`
	s.Says(3, "parado", s.program, "service", "status")
	settings, err := os.ReadFile(s.Path(`C:\ProgramData\maquininha\maquininha.toml`))
	must(t, err)
	for _, want := range []string{`mode = "production"`, `address = "windows:` + queue + `"`, `listen = "127.0.0.1:9050"`} {
		if !strings.Contains(string(settings), "\n"+want+"\n") {
			t.Errorf("no %s in\n%s", want, settings)
		}
	}
	if !s.There(desktop) || s.There(startUp) {
		t.Error("the screen is not where it was wanted")
	}
}
