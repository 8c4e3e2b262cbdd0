package fiscal

import "iter"

// element is a part of the document as it was read. Names are local: systems put
// the namespace on the root, on every element or nowhere, under any prefix, and no
// two elements of a document differ by it alone.
//
// All methods take nil for an element that is not there, so a path of which any
// part is missing ends in nothing rather than in a panic.
type element struct {
	name    string
	text    string // its own, without blanks around it and without its children's
	id      string // the attribute Id
	version string // the attribute versao
	field   string // the attribute xCampo

	first, next *element
}

// at is the first element down a path.
func (e *element) at(path ...string) *element {
	for _, name := range path {
		if e == nil {
			return nil
		}
		e = e.first
		for e != nil && e.name != name {
			e = e.next
		}
	}
	return e
}

// unambiguous refuses a document with two of what a path names: nobody could say which of them is meant.
func (e *element) unambiguous(path ...string) error {
	for _, name := range path {
		if e = e.at(name); e == nil {
			return nil
		}
		for other := e.next; other != nil; other = other.next {
			if other.name == name {
				return refuse(ErrUnsupported, "documento ambíguo: há mais de um %s", name)
			}
		}
	}
	return nil
}

// get is the text at the end of a path.
func (e *element) get(path ...string) string {
	if e = e.at(path...); e == nil {
		return ""
	}
	return e.text
}

// each is every child of a name, in order.
func (e *element) each(name string) iter.Seq[*element] {
	return func(yield func(*element) bool) {
		if e == nil {
			return
		}
		for child := e.first; child != nil; child = child.next {
			if child.name == name && !yield(child) {
				return
			}
		}
	}
}

// remarks are the fields of a name that somebody named himself.
func (e *element) remarks(name string) (list []Remark) {
	for r := range e.each(name) {
		if text := r.get("xTexto"); text != "" {
			list = append(list, Remark{Field: r.field, Text: text})
		}
	}
	return list
}

// numbers reads decimals and remembers the first text that is none, so that who
// fills a form of thirty amounts asks once at its end.
type numbers struct{ err error }

func (n *numbers) get(e *element, path ...string) Decimal {
	text := e.get(path...)
	if text == "" || isDecimal(text) {
		return Decimal(text)
	}
	if n.err == nil {
		n.err = refuse(ErrIncomplete, "o valor de %s não é um número decimal: %s", quote(path[len(path)-1]), quote(text))
	}
	return ""
}
