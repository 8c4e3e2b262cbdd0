package screenui_test

import (
	"os"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/payment"
)

// The panel says of every step of a payment, in three languages, where it is and what it waits for.
func TestThePanelHasWordsForEveryStep(t *testing.T) {
	script, err := os.ReadFile("page/js/panel/payment.js")
	if err != nil {
		t.Fatal(err)
	}
	waits := map[payment.Step]string{payment.StepPIN: "pinAsked"}
	for _, step := range []payment.Step{
		payment.StepWaiting, payment.StepResolving, payment.StepChoose, payment.StepInstallments, payment.StepCard, payment.StepPIN, payment.StepPix,
		payment.StepConfirm, payment.StepProcessing,
	} {
		why := waits[step]
		if why == "" {
			why = string(step)
		}
		for _, word := range []string{`"at-` + string(step) + `": "`, " " + why + `: "`} {
			if n := strings.Count(string(script), word); n != 3 {
				t.Errorf("%q stands %d times", word, n)
			}
		}
	}
}
