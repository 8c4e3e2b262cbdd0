package connecttef

import (
	"encoding/json"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// parseProblem takes for Connect TEF's own what has a member of its operations: any other JSON may be of a wrong address, and is
// nobody's word on an operation.
func parseProblem(a remote.Answer) remote.Problem {
	p := remote.Complain("Connect TEF", a)
	var j operationJSON
	if json.Unmarshal(a.Body, &j) == nil {
		p.Own, p.Text = j.told() || j.Text != "", j.Text.line()
	}
	return &p
}

// isUnknown tells the manager's word that it has no such operation from somebody else's.
func isUnknown(err error) bool {
	p := remote.Complained(err)
	return p != nil && p.Absent()
}

const (
	sayDown = "Connect TEF fora do ar"
	sayLost = "A cobrança não chegou ao Connect TEF"
)

var refusals = remote.Refusals{Down: sayDown, Otherwise: "Recusado pelo Connect TEF"}
