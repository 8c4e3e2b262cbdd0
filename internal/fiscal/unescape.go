package fiscal

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// predefined are the only entities a document without declarations can have.
var predefined = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'"}

// unescape is a text with its references replaced, each by one sign.
func (s *scanner) unescape(text string) (string, error) {
	before, rest, found := strings.Cut(text, "&")
	if !found {
		return text, nil
	}
	var out strings.Builder
	for found {
		out.WriteString(before)
		reference, after, ended := strings.Cut(rest, ";")
		if !ended || reference == "" || strings.ContainsAny(reference, blank+"&<") {
			return "", s.malformed("& que não inicia uma referência; escreva &amp;")
		}
		sign, err := s.reference(reference)
		if err != nil {
			return "", err
		}
		out.WriteString(sign)
		before, rest, found = strings.Cut(after, "&")
	}
	out.WriteString(before)
	return out.String(), nil
}

// reference is the sign that a reference stands for.
func (s *scanner) reference(name string) (string, error) {
	number, numeric := strings.CutPrefix(name, "#")
	if !numeric {
		if sign, known := predefined[name]; known {
			return sign, nil
		}
		return "", refuse(ErrDTD, "o XML usa a entidade %s, que não está na norma e não é aceita", quote(name))
	}
	base := 10
	if digits, hexadecimal := strings.CutPrefix(number, "x"); hexadecimal {
		number, base = digits, 16
	}
	code, err := strconv.ParseUint(number, base, 32)
	if err != nil || !isXMLCharacter(rune(code)) {
		return "", s.malformed("a referência &%s; não é um caractere", shown(name))
	}
	return string(rune(code)), nil
}

func isXMLCharacter(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r == '\ufffe' || r == '\uffff':
		return false
	}
	return utf8.ValidRune(r)
}

// malformed is a refusal that says where.
func (s *scanner) malformed(format string, args ...any) *Refusal {
	line := 1 + strings.Count(s.src[:s.pos], "\n")
	return refuse(ErrNotXML, "XML malformado na linha "+strconv.Itoa(line)+": "+format, args...)
}

// shown is a name out of the document, fit for a sentence.
func shown(name string) string { return strings.Trim(quote(name), `"`) }
