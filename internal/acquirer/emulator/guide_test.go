package emulator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMagicAmountsAreInTheGuide(t *testing.T) {
	for _, name := range []string{"emulador.md", "en/emulator.md"} {
		chapter, err := os.ReadFile(filepath.Join("../../../docs/guia", name))
		if err != nil {
			t.Fatal(err)
		}
		text := string(chapter)
		for amount, reply := range magicAmounts {
			row := ""
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "| `"+amount+"` |") {
					row = line
				}
			}
			words := map[Ending]string{Refuse: "403 `" + reply.Message + "`", Cancel: "403 `Transação cancelada`", Timeout: "503 `Situação da transação desconhecida"}
			if want, ok := words[reply.Ending]; !ok || !strings.Contains(row, want) {
				t.Errorf("%s says of %s: %q", name, amount, row)
			}
		}
	}
}
