//go:build !windows

package simulate

import (
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

func TestSimulatorsExplainThemselves(t *testing.T) {
	t.Parallel()
	for args, want := range map[string][]string{
		"--help":                           {"  simulate   ", "--listen"},
		"simulate --help":                  {"Uso: maquininha simulate COMANDO [opções]", "  tef  ", "  pix  "},
		"simulate tef --help":              {"Uso: maquininha simulate tef PASTA [opções]", "--chaos PARTE", "  pending-other  ", "echo refuse >> PASTA/simulador.txt", "  ADM reverse-final  "},
		"simulate pix --help":              {"Uso: maquininha simulate pix [opções]", "--auto-pay TEMPO", "  refund-slowly-refused  ", "/sim/pay/TXID"},
		"simulate":                         {`informe um de "tef", "pix"`},
		"simulate tef":                     {"informe a pasta", "simulate tef --help"},
		"simulate tef x --answer nonsense": {`"nonsense" não é um caso`},
		"simulate tef x --chaos 1000%":     {"não é uma parte"},
		"simulate tef x --chaos-cases x,y": {`"x" não é um caso`},
		"simulate tef x --every 0":         {"ao menos 1"},
		"simulate pix --chaos-cases x":     {`"x" não é uma falha`},
		"simulate pix --tls-cert x":        {"andam juntas"},
		"simulate pix --as nubank":         {"\"nubank\" não é um banco; há bacen, itau,"},
		"simulate pix --auto-pay -3s":      {"--auto-pay"},
		"simulate pix --listen nowhere":    {"não foi possível abrir nowhere"},
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			said, code := clitest.Start(t, strings.Fields(args)...).Ends()
			for _, text := range want {
				if !strings.Contains(said, text) {
					t.Errorf("no %q in\n%s", text, said)
				}
			}
			if (code == 0) != strings.HasSuffix(args, "--help") {
				t.Errorf("ended with %d", code)
			}
		})
	}
}

func TestReais(t *testing.T) {
	for cents, want := range map[string]string{"": "R$ 0,00", "5": "R$ 0,05", "050": "R$ 0,50", "15000": "R$ 150,00", "123456789": "R$ 1.234.567,89"} {
		if got := reais(cents); got != want {
			t.Errorf("%q: %s", cents, got)
		}
	}
}
