package fiscal

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func (s *scanner) startTag(root **element) error {
	name, err := s.name()
	if err != nil {
		return err
	}
	s.elements++
	if len(s.open) >= maxDepth || s.elements > maxElements {
		return refuse(ErrUnsupported, "o XML tem elementos demais ou aninhados demais")
	}
	local := localName(name)
	var kept *element
	switch {
	case len(s.open) > 0:
		if parent := &s.open[len(s.open)-1]; parent.kept != nil && !passedOver[local] {
			kept = s.element(local)
			if parent.last == nil {
				parent.kept.first = kept
			} else {
				parent.last.next = kept
			}
			parent.last = kept
		}
	case *root == nil:
		kept = s.element(local)
		*root = kept
	default:
		return s.malformed("há conteúdo depois do elemento raiz")
	}
	s.open = append(s.open, frame{name: name, kept: kept})
	empty, err := s.attributes(kept)
	if empty {
		s.open = s.open[:len(s.open)-1]
	}
	return err
}

func (s *scanner) element(name string) *element {
	if len(s.spare) == 0 {
		s.spare = make([]element, 128)
	}
	e := &s.spare[0]
	s.spare = s.spare[1:]
	e.name = name
	return e
}

// attributes reads to the end of a start tag; empty means that it ends with "/>".
func (s *scanner) attributes(of *element) (empty bool, err error) {
	s.named = s.named[:0]
	for {
		s.blanks()
		rest := s.src[s.pos:]
		switch {
		case strings.HasPrefix(rest, ">"):
			s.pos++
			return false, nil
		case strings.HasPrefix(rest, "/>"):
			s.pos += 2
			return true, nil
		}
		name, err := s.name()
		if err != nil {
			return false, err
		}
		switch {
		case slices.Contains(s.named, name):
			return false, s.malformed("atributo %s repetido", shown(name))
		case len(s.named) == maxAttributes:
			return false, refuse(ErrUnsupported, "o XML tem um elemento com mais de %d atributos", maxAttributes)
		}
		s.named = append(s.named, name)
		value, err := s.attributeValue()
		if err != nil {
			return false, err
		}
		if of == nil {
			continue
		}
		switch name {
		case "Id":
			of.id = value
		case "versao":
			of.version = value
		case "xCampo":
			of.field = value
		}
	}
}

func (s *scanner) attributeValue() (string, error) {
	s.blanks()
	if !strings.HasPrefix(s.src[s.pos:], "=") {
		return "", s.malformed("atributo sem valor")
	}
	s.pos++
	s.blanks()
	rest := s.src[s.pos:]
	if !strings.HasPrefix(rest, `"`) && !strings.HasPrefix(rest, "'") {
		return "", s.malformed("atributo sem aspas")
	}
	s.pos++
	value, found := s.until(rest[:1])
	if !found || strings.Contains(value, "<") {
		return "", s.malformed("atributo sem fim")
	}
	return s.unescape(value)
}

func (s *scanner) blanks() {
	for s.pos < len(s.src) && strings.IndexByte(blank, s.src[s.pos]) >= 0 {
		s.pos++
	}
}

// name reads the name of an element or attribute, prefix and all.
func (s *scanner) name() (string, error) {
	start := s.pos
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		if c < utf8.RuneSelf {
			if !isNameByte(c, s.pos == start) {
				break
			}
			s.pos++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.src[s.pos:])
		if !unicode.IsLetter(r) && (s.pos == start || !unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd)) {
			break
		}
		s.pos += size
	}
	if s.pos == start {
		return "", s.malformed("falta o nome de um elemento ou atributo")
	}
	return s.src[start:s.pos], nil
}

func isNameByte(c byte, first bool) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == ':':
		return true
	case '0' <= c && c <= '9', c == '-', c == '.':
		return !first
	}
	return false
}

func localName(name string) string {
	return name[strings.LastIndexByte(name, ':')+1:]
}
