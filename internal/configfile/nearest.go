package configfile

import (
	"slices"
	"strings"
)

// words are what people write for the names, who think in the language of the shop.
var words = map[string][]string{
	"api":      {"servidor", "server", "http", "chamadores"},
	"tls":      {"https", "ssl"},
	"screen":   {"tela", "pantalla"},
	"emulator": {"emulador"},
	"printer":  {"impressora", "impresora"},
	"coupon":   {"cupom", "danfe", "nfce"},
	"acquirer": {"adquirente", "adquirência", "pagamento", "payment"},
	"logs":     {"log", "registros"},
	"limits":   {"limites"},

	"address": {"endereço", "host", "ip"}, "listen": {"porta", "port", "endereço", "escuta"}, "mode": {"modo"}, "data": {"dados", "pasta"},
	"locale": {"idioma", "língua", "language"}, "username": {"usuário", "user", "login"}, "password": {"senha", "pass"},
	"card": {"cartão"}, "profile": {"perfil"}, "dir": {"pasta", "folder"}, "key": {"chave"}, "cert": {"certificado", "certificate"},
	"paper_width": {"largura", "papel", "width"}, "copies": {"vias", "cópias"}, "drawer": {"gaveta"}, "cut": {"corte", "guilhotina"},
	"model": {"modelo"}, "card_receipt": {"comprovante", "receipt"}, "operator": {"operador"}, "days": {"dias"}, "entries": {"entradas"},
	"client_secret": {"segredo", "secret"}, "shop": {"loja", "nome"}, "expiry": {"validade", "expiração"}, "enabled": {"ligado", "ativo", "on"},
	"logo": {"logotipo", "logomarca"}, "trade_name": {"fantasia", "nome_fantasia"}, "phone": {"telefone", "fone"}, "item_notes": {"infadprod"},
	"database": {"banco", "bd", "postgres", "postgresql"}, "url": {"público", "public"},
	"json": {"max_json"}, "image": {"imagem"}, "carousel": {"carrossel"},
}

// nearestTable is the table that may have been meant, as the end of a complaint.
func (r *reading) nearestTable(wrong string) string {
	best, found := "", far
	for _, s := range r.settings {
		for _, word := range append([]string{s.Table}, words[s.Table]...) {
			if d := distance(wrong, word); d < found && s.Table != "" {
				best, found = s.Table, d
			}
		}
	}
	if best != "" {
		return `; quis dizer "` + best + `"?`
	}
	if s, ok := r.byFlag(wrong); ok && s.Table != "" {
		return `; quis dizer ` + s.Where() + `?`
	}
	return "; as que há são " + strings.Join(r.tables(), ", ")
}

func (r *reading) tables() (all []string) {
	for _, s := range r.settings {
		if s.Table != "" && !slices.Contains(all, s.Table) {
			all = append(all, s.Table)
		}
	}
	return all
}

// nearestKey is the key that may have been meant: of the same table, else one of that very name elsewhere.
func (r *reading) nearestKey(table, wrong string) string {
	best, found := "", far
	for _, s := range r.settings {
		if s.Table != table {
			continue
		}
		for _, word := range append([]string{s.Key, s.Flag}, words[s.Key]...) {
			if d := distance(wrong, word); d < found {
				best, found = s.Key, d
			}
		}
	}
	if best != "" {
		return `; quis dizer "` + best + `"?`
	}
	if s, ok := r.byFlag(wrong); ok {
		return "; quis dizer " + s.Where() + "?"
	}
	if table == "" && slices.Contains(r.tables(), wrong) {
		return "; é uma tabela, escrita como [" + wrong + "], sozinha na linha"
	}
	if table == "" {
		if d := r.nearestTable(wrong); strings.HasSuffix(d, "?") {
			return d
		}
	}
	var elsewhere []string
	for _, s := range r.settings {
		if slices.ContainsFunc(append([]string{s.Key}, words[s.Key]...), func(w string) bool { return distance(wrong, w) == 0 }) {
			elsewhere = append(elsewhere, s.Where())
		}
	}
	if len(elsewhere) > 0 {
		return "; quis dizer " + strings.Join(elsewhere, " ou ") + "?"
	}
	return ""
}

// byFlag is the setting that has the name on the command line or in the environment.
func (r *reading) byFlag(name string) (Setting, bool) {
	i := slices.IndexFunc(r.settings, func(s Setting) bool {
		return distance(name, s.Flag) == 0 || s.Variable != "" && distance(name, s.Variable) == 0
	})
	if i < 0 {
		return Setting{}, false
	}
	return r.settings[i], true
}

// far is beyond what two words may differ in and still be meant for each other.
const far = 1 << 10

// distance is how many letters must be changed, added, taken away or swapped with their neighbour to make a word another, small
// letters, accents and hyphens aside; far if they are too many.
func distance(a, b string) int {
	x, y := plain(a), plain(b)
	steps := make([][]int, len(x)+1) // from the first i letters of one to the first j of the other
	for i := range steps {
		steps[i] = make([]int, len(y)+1)
		steps[i][0] = i
	}
	for j := range y {
		steps[0][j+1] = j + 1
	}
	for i := range x {
		for j := range y {
			change := steps[i][j]
			if x[i] != y[j] {
				change++
			}
			least := min(change, steps[i][j+1]+1, steps[i+1][j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				least = min(least, steps[i-1][j-1]+1)
			}
			steps[i+1][j+1] = least
		}
	}
	if n := steps[len(x)][len(y)]; n <= max(len(x), len(y))/3 {
		return n
	}
	return far
}

var accents = strings.NewReplacer("á", "a", "ã", "a", "â", "a", "é", "e", "ê", "e", "í", "i", "ó", "o", "õ", "o", "ú", "u", "ç", "c", "-", "_")

func plain(word string) []rune { return []rune(accents.Replace(strings.ToLower(word))) }

// Nearest is the choice that may have been meant; empty when none is near.
func Nearest(wrong string, choices []string) (best string) {
	found := far
	for _, choice := range choices {
		if d := distance(wrong, choice); d < found {
			best, found = choice, d
		}
	}
	return best
}
