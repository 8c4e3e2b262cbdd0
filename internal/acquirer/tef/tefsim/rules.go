package tefsim

import (
	"fmt"
	"regexp"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

var (
	idPattern     = regexp.MustCompile(`^\d{1,10}$`)
	amountPattern = regexp.MustCompile(`^(\d{1,12}|\d{1,10},\d{2})$`)
)

// needed are the fields that an operation can't do without.
var needed = map[string][]string{
	intpos.Sale:    {intpos.Amount},
	intpos.Cancel:  {intpos.Amount, intpos.Network, intpos.NSU, intpos.Authorization, intpos.Date, intpos.Time, intpos.Key},
	intpos.Confirm: {intpos.Network, intpos.NSU, intpos.Key},
	intpos.Undo:    {intpos.Network, intpos.NSU, intpos.Key},
}

// wrong is the first rule that a request breaks.
func wrong(request intpos.Message) string {
	command := request.Get(intpos.Command)
	for _, number := range needed[command] {
		if request.Get(number) == "" {
			return fmt.Sprintf("falta o campo %s", number)
		}
	}
	if amount := request.Get(intpos.Amount); isOperation(command) && (!amountPattern.MatchString(amount) || cents(amount) == "") {
		return fmt.Sprintf("o valor (003) %q não é em centavos nem em reais com vírgula", amount)
	}
	return ""
}
