package doctor

import (
	"io"
	"strings"
)

// showHub is how the link to a hub is, as the running service knows it: check only finds out whether the hub answers.
func (v *visit) showHub(w io.Writer, metrics string) {
	is := func(name string) bool { return strings.Contains(metrics, "\nmaquininha_hub_"+name+" 1\n") }
	switch {
	case !is("joined"):
		row(w, "Hub", "nenhum")
	case is("connected"):
		row(w, "Hub", "conectado")
	case is("refused"):
		row(w, "Hub", "recusa este terminal")
		v.health.Doubtful("Hub", "recusa este terminal, que foi revogado ou não é conhecido lá; saia dele com maquininha leave e entre de novo com maquininha join")
	default:
		row(w, "Hub", "sem conexão; o serviço tenta de novo")
		v.health.Doubtful("Hub", "o serviço não está ligado a ele, e tenta de novo; o log diz por quê")
	}
}
