// Package checkup puts together what a support desk needs to see of a terminal or a hub, and leaves out what nobody should: secrets, card
// numbers, customers' documents and telephone numbers.
//
// Invariants:
//   - all text of a Bundle goes through its Mask;
//   - a part that fails, or panics, says so in its place and keeps no other from being gathered.
package checkup

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/cardnumber"
)

// Hidden is what stands in the place of a secret.
const Hidden = "••••"

// Mask takes out of texts what support must not see.
type Mask struct{ secrets []string }

// shortest is the shortest secret that is looked for: shorter ones are in everything.
const shortest = 4

// NewMask masks these values wherever they stand, beside what can be told by its form.
func NewMask(secrets ...string) *Mask {
	m := &Mask{}
	for _, s := range secrets {
		if len(s) >= shortest {
			m.secrets = append(m.secrets, s)
		}
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(m.secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return m
}

var (
	hashes = regexp.MustCompile(`\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{20,}|\$sha256\$\S+`)
	// user and password in an address
	userInfo = regexp.MustCompile(`://[^/\s@"']+@`)
	// what follows the path of an address: keys and tokens are written there
	query = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://[^\s"'?#]*)[?#][^\s"'<>]*`)
	// a private key, whole or broken off
	privateKey = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?:(?s:.*?)-----END [A-Z0-9 ]*PRIVATE KEY-----|[A-Za-z0-9+/=\\\s]*)`)
	mail       = regexp.MustCompile(`[\pL\pN._%+-]+@([\pL\pN-]+(?:\.[\pL\pN-]+)+)`)
	phone      = regexp.MustCompile(`\+55[ .-]?\(?[1-9][1-9]\)?[ .-]?9?[0-9]{4}[ .-]?[0-9]{4}|\([1-9][1-9]\) ?9?[0-9]{4}[ .-]?[0-9]{4}|\b[1-9][1-9] 9[0-9]{4}-[0-9]{4}`)
	document   = regexp.MustCompile(`[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|[0-9]{11,}`)
)

// Text is the text without what support must not see.
func (m *Mask) Text(text string) string {
	for _, s := range m.secrets {
		text = strings.ReplaceAll(text, s, Hidden)
	}
	if strings.Contains(text, "PRIVATE KEY-----") {
		text = privateKey.ReplaceAllString(text, Hidden)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(maskLine(line))
	}
	return b.String()
}

// maskLine masks what can be told by its form. Megabytes of log go through here: an expression runs only where it can find something.
func maskLine(line string) string {
	if strings.Contains(line, "$2") || strings.Contains(line, "$sha256$") {
		line = hashes.ReplaceAllString(line, Hidden)
	}
	if strings.Contains(line, "@") {
		line = userInfo.ReplaceAllString(line, "://"+Hidden+"@")
		line = mail.ReplaceAllString(line, Hidden+"@$1")
	}
	if strings.Contains(line, "://") && strings.ContainsAny(line, "?#") {
		line = query.ReplaceAllString(line, "$1?"+Hidden)
	}
	if digits(line) >= shortestNumber {
		line = cardnumber.Mask(line)
		line = phone.ReplaceAllStringFunc(line, lastTwo)
		line = document.ReplaceAllStringFunc(line, maskDocument)
	}
	return line
}

// shortestNumber is how many digits a telephone number has at least.
const shortestNumber = 10

func digits(s string) (n int) {
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}

func maskDocument(found string) string {
	_, cpf := brazil.ParseCPF(found)
	_, mobile := brazil.ParsePhone(found)
	if strings.Contains(found, ".") || len(found) == 11 && (cpf || mobile) {
		return lastTwo(found)
	}
	return found
}

// lastTwo leaves of a number what tells two apart.
func lastTwo(number string) string {
	hide := digits(number) - 2
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return r
		}
		if hide--; hide >= 0 {
			return '*'
		}
		return r
	}, number)
}

// refused is how the service logs a request that it refused; what follows in the details is the beginning of its body.
var refused = regexp.MustCompile(` 4[0-9]{2} [0-9.]+ms$`)

// Entry is a log entry without what support must not see. Of bodies that were refused only the shape stays: names have no form that
// could be told.
func (m *Mask) Entry(message, details string) (string, string) {
	if reason, body, more := strings.Cut(details, "\n"); more && refused.MatchString(message) {
		details = reason + "\n" + shape(body)
	}
	return m.Text(message), m.Text(details)
}

// shape is JSON without its texts, whole or broken off; of anything else nothing stays.
func shape(body string) string {
	start := strings.TrimLeft(body, " \t\r\n\ufeff")
	if !strings.HasPrefix(start, "{") && !strings.HasPrefix(start, "[") {
		return "(corpo omitido)"
	}
	var b strings.Builder
	for body != "" {
		open := strings.IndexByte(body, '"')
		if open < 0 {
			b.WriteString(bare(body))
			break
		}
		b.WriteString(bare(body[:open]))
		text, rest, closed := quoted(body[open+1:])
		if name := strings.TrimLeft(rest, " \t\r\n"); closed && strings.HasPrefix(name, ":") && plainName(text) {
			b.WriteString(`"` + text + `"`)
		} else {
			b.WriteString(`"…"`)
		}
		body = rest
	}
	return b.String()
}

// quoted is a JSON text up to its end.
func quoted(s string) (text, rest string, closed bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// plainName tells whether a text can be the name of a field.
func plainName(s string) bool {
	return len(s) <= 40 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

var (
	outsideQuotes = regexp.MustCompile(`[^\s,:{}\[\]]+`)
	numberOrWord  = regexp.MustCompile(`^(-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false|null)$`)
)

// bare is what stands outside of quotes: signs, numbers, and the three words of JSON.
func bare(s string) string {
	return outsideQuotes.ReplaceAllStringFunc(s, func(word string) string {
		if numberOrWord.MatchString(word) {
			return word
		}
		return "…"
	})
}
