package fiscal

import "strings"

// Limits that no real document comes near: 990 items, the most an NF-e may have,
// take about 100,000 elements.
const (
	maxBytes    = 16 << 20
	maxDepth    = 64
	maxElements = 500_000

	maxAttributes = 64 // of an element
)

// passedOver are elements that hold most of a document and nothing that a coupon
// shows. They are read, so that a broken one is noticed, and not kept.
var passedOver = map[string]bool{"imposto": true, "Signature": true}

// scanner reads XML as fiscal documents have it: well-formed, and without what
// they never have. A document type declaration ends the reading before any entity
// could be declared; entities other than XML's own five are refused.
//
// It is written by hand because a coupon is printed while a customer waits: the
// standard library's decoder took more time than laying out and drawing the page.
type scanner struct {
	src      string
	pos      int
	elements int
	open     []frame
	spare    []element // allocated by the block
	named    []string  // the attributes of the tag being read
}

// frame is an element whose end has not been seen yet.
type frame struct {
	name       string // with its prefix: an end tag must repeat it
	kept, last *element
	more       []byte // its text when that came in pieces, parted by comments or CDATA
}

// scan reads a whole document, which is valid UTF-8, and returns its root.
func scan(src string) (*element, error) {
	s := &scanner{src: src}
	if err := s.characters(); err != nil {
		return nil, err
	}
	var root *element
	for {
		text, found := s.until("<")
		if !found {
			text = s.src[s.pos:]
		}
		if err := s.characterData(text); err != nil {
			return nil, err
		}
		if !found {
			break
		}
		if err := s.markup(&root); err != nil {
			return nil, err
		}
	}
	if root == nil || len(s.open) > 0 {
		return nil, refuse(ErrNotXML, "XML malformado: termina antes do fim do elemento raiz")
	}
	return root, nil
}

// until moves beyond the next mark and returns what stands before it.
func (s *scanner) until(mark string) (before string, found bool) {
	before, _, found = strings.Cut(s.src[s.pos:], mark)
	if found {
		s.pos += len(before) + len(mark)
	}
	return before, found
}

// characters refuses signs that no XML document may have.
func (s *scanner) characters() error {
	for i := range len(s.src) {
		if c := s.src[i]; c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			s.pos = i
			return s.malformed("caractere de controle %#02x", c)
		}
	}
	for _, none := range []string{"\ufffe", "\uffff"} {
		if i := strings.Index(s.src, none); i >= 0 {
			s.pos = i
			return s.malformed("código que não é de um caractere")
		}
	}
	return nil
}

// markup is what follows a "<".
func (s *scanner) markup(root **element) error {
	rest := s.src[s.pos:]
	switch {
	case strings.HasPrefix(rest, "/"):
		s.pos++
		return s.endTag()
	case strings.HasPrefix(rest, "?"):
		return s.instruction()
	case strings.HasPrefix(rest, "!--"):
		s.pos += len("!--")
		if _, found := s.until("--"); !found || !strings.HasPrefix(s.src[s.pos:], ">") {
			return s.malformed("comentário sem fim ou com dois hifens")
		}
		s.pos++
		return nil
	case strings.HasPrefix(rest, "![CDATA["):
		s.pos += len("![CDATA[")
		text, found := s.until("]]>")
		if !found {
			return s.malformed("CDATA sem fim")
		}
		return s.addText(text)
	case strings.HasPrefix(rest, "!"):
		return refuse(ErrDTD, "o XML tem uma declaração DTD, que não é aceita")
	}
	return s.startTag(root)
}

// instruction is passed over. One called xml is the declaration, which stands at the very beginning or nowhere.
func (s *scanner) instruction() error {
	const name = "?xml"
	rest := s.src[s.pos:]
	if s.pos > len("<") && len(rest) > len(name) && strings.EqualFold(rest[:len(name)], name) && strings.IndexByte(blank+"?", rest[len(name)]) >= 0 {
		return s.malformed("declaração XML fora do início")
	}
	if _, found := s.until("?>"); !found {
		return s.malformed("instrução sem fim")
	}
	return nil
}

// characterData is text between tags, where signs may be written as references.
func (s *scanner) characterData(text string) error {
	if text == "" {
		return nil
	}
	if strings.Contains(text, "]]>") {
		return s.malformed("]]> fora de CDATA")
	}
	text, err := s.unescape(text)
	if err != nil {
		return err
	}
	return s.addText(text)
}

func (s *scanner) addText(text string) error {
	isBlank := text == "" || text[0] <= ' ' && strings.Trim(text, blank) == ""
	if len(s.open) == 0 {
		switch {
		case isBlank:
			return nil
		case s.elements == 0:
			return s.malformed("há texto antes do elemento raiz")
		}
		return s.malformed("há conteúdo depois do elemento raiz")
	}
	top := &s.open[len(s.open)-1]
	switch {
	case top.kept == nil, isBlank && top.kept.text == "":
	case top.kept.text == "":
		top.kept.text = text
	case top.more == nil:
		top.more = []byte(top.kept.text + text)
	default:
		top.more = append(top.more, text...)
	}
	return nil
}

func (s *scanner) endTag() error {
	name, found := s.until(">")
	name = strings.TrimRight(name, blank)
	switch {
	case !found:
		return s.malformed("tag sem fim")
	case len(s.open) == 0:
		return s.malformed("</%s> fecha um elemento que não foi aberto", shown(name))
	}
	top := s.open[len(s.open)-1]
	if name != top.name {
		return s.malformed("<%s> fechado por </%s>", shown(top.name), shown(name))
	}
	if top.more != nil {
		top.kept.text = string(top.more)
	}
	if top.kept != nil {
		top.kept.text = strings.TrimSpace(top.kept.text)
	}
	s.open = s.open[:len(s.open)-1]
	return nil
}
