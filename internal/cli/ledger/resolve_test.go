package ledger

import (
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/payment"
)

func TestResolvingByHand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left := clitest.Approved(time.Now(), "10.00", "venda")
	left.Acquirer, left.State = "pix", payment.StateUndoing
	clitest.Keep(t, dir, left)
	resolve := func(args ...string) []string {
		return append([]string{"transactions", "resolve", "--data", dir}, args...)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{resolve("1", "--note", "x"), "--made"},
		{resolve("1", "--made", "--not-made", "--note", "x"), "--made"},
		{resolve("1", "--made"), "--note"},
		{resolve("1", "--made", "--note", ""), "--note"},
		{resolve("2", "--made", "--note", "x"), "nenhuma transação"},
	} {
		if got := clitest.Complaint(t, c.args...); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s", c.args, got)
		}
	}
	if got := clitest.Output(t, resolve("1", "--not-made", "--note", "Ana viu 4111111111111111 no portal do banco")...); !strings.Contains(got, "cancelada") {
		t.Error(got)
	}
	if got := clitest.Complaint(t, resolve("1", "--made", "--note", "x")...); !strings.Contains(got, "já está resolvida") {
		t.Error(got)
	}
	shown := clitest.Output(t, "transactions", "show", "1", "--data", dir)
	for _, want := range []string{"cancelada", "desfeita: resolvida à mão: Ana viu 411111******1111 no portal do banco", "Adquirente       pix"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
}
