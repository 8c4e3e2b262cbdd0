package doctor

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/inspection"
)

func TestTheLinkToAHub(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		joined, connected, refused int
		shown                      string
		doubts                     int
	}{
		{0, 0, 0, "nenhum", 0},
		{1, 1, 0, "conectado", 0},
		{1, 0, 0, "sem conexão", 1},
		{1, 0, 1, "recusa este terminal", 1},
	} {
		var out, said bytes.Buffer
		v := &visit{health: &inspection.Findings{Out: &said}}
		v.showHub(&out, fmt.Sprintf("# x\nmaquininha_hub_joined %d\nmaquininha_hub_connected %d\nmaquininha_hub_refused %d\n", c.joined, c.connected, c.refused))
		if !strings.Contains(out.String(), c.shown) || v.health.Doubts != c.doubts || (said.Len() > 0) != (c.doubts > 0) {
			t.Errorf("%+v: %q, said %q, %d doubts", c, out.String(), said.String(), v.health.Doubts)
		}
	}
}
