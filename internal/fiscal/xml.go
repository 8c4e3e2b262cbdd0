package fiscal

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// Limits that no real document comes near: 990 items, the most an NF-e may have,
// take about 100,000 elements.
const (
	maxBytes    = 16 << 20
	maxDepth    = 64
	maxElements = 500_000
)

// Parse reads a document. The error, if any, is a *Refusal.
func Parse(data []byte) (*Document, error) {
	if len(data) > maxBytes {
		return nil, refuse(ErrUnsupported, "the XML has %d bytes; the most is %d", len(data), maxBytes)
	}
	src := newSource(data)
	dec := xml.NewTokenDecoder(src)
	root, err := rootElement(dec)
	if err != nil {
		return nil, src.refusal(err)
	}
	switch root.Name.Local {
	case "nfeProc":
		return parseNFe(src, dec, root)
	case "cteProc", "cteOSProc", "cteSimpProc":
		return parseCTe(src, dec, root)
	case "NFe", "enviNFe":
		return nil, refuse(ErrNoProtocol, "the root element is %s, without the authorization protocol (protNFe); send the nfeProc", root.Name.Local)
	case "CTe", "enviCTe", "CTeOS", "CTeSimp":
		return nil, refuse(ErrNoProtocol, "the root element is %s, without the authorization protocol (protCTe); send the document with its protocol", root.Name.Local)
	case "CFe", "CFeCanc":
		return nil, refuse(ErrUnsupported, "a CF-e SAT has no authorization protocol (protNFe or protCTe) and is not printed")
	case "NFSe", "Nfse", "CompNfse", "ConsultarNfseResposta", "GerarNfseResposta", "EnviarLoteRpsResposta":
		return nil, refuse(ErrUnsupported, "an NFS-e has no authorization protocol (protNFe or protCTe) and is not printed")
	}
	return nil, refuse(ErrUnsupported, "the root element %s is not an NF-e, NFC-e or CT-e", quote(root.Name.Local))
}

func rootElement(dec *xml.Decoder) (xml.StartElement, error) {
	for {
		token, err := dec.Token()
		if err != nil {
			return xml.StartElement{}, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			return token, nil
		case xml.CharData:
			if len(bytes.TrimSpace(token)) > 0 {
				return xml.StartElement{}, refuse(ErrNotXML, "not well-formed XML: there is text before the root element")
			}
		}
	}
}

// decodeRoot fills v from the rest of the document and makes sure that it ends
// where its root element does.
func decodeRoot(src *source, dec *xml.Decoder, root xml.StartElement, v any) error {
	if err := dec.DecodeElement(v, &root); err != nil {
		return src.refusal(err)
	}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return src.refusal(err)
		}
		chars, isText := token.(xml.CharData)
		_, isStart := token.(xml.StartElement)
		if isStart || isText && len(bytes.TrimSpace(chars)) > 0 {
			return refuse(ErrNotXML, "not well-formed XML: there is content after the root element")
		}
	}
}

// source hands raw tokens to the decoder that matches and names them, and stops
// at whatever a fiscal document does not have. A document type declaration ends
// the reading before any entity could be declared.
type source struct {
	raw      *xml.Decoder
	depth    int
	elements int
	closed   string // the element that ended last: the one a bad value stands in
}

func newSource(data []byte) *source {
	// Blank lines or a byte order mark before the declaration are against the
	// rules and common.
	data = bytes.TrimLeft(data, " \t\r\n")
	text, marked := bytes.CutPrefix(data, []byte("\xef\xbb\xbf"))
	raw := xml.NewDecoder(bytes.NewReader(bytes.TrimLeft(text, " \t\r\n")))
	raw.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		if marked {
			return in, nil // the mark knows better than the declaration
		}
		return charsetReader(label, in)
	}
	return &source{raw: raw}
}

func charsetReader(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "iso-8859-1", "latin1", "windows-1252", "cp1252":
		// Who declares ISO-8859-1 may well write Windows-1252, which differs only
		// where the former has control signs that no document uses.
		return charmap.Windows1252.NewDecoder().Reader(in), nil
	case "us-ascii", "ascii":
		return in, nil
	}
	return nil, refuse(ErrNotXML, "the character encoding %s is not supported; use UTF-8, ISO-8859-1 or Windows-1252", quote(label))
}

// Token implements xml.TokenReader.
func (s *source) Token() (xml.Token, error) {
	token, err := s.raw.RawToken()
	if err != nil {
		return token, err
	}
	switch token := token.(type) {
	case xml.Directive:
		return nil, refuse(ErrDTD, "the XML has a document type declaration, which is not accepted")
	case xml.StartElement:
		s.depth++
		s.elements++
		if s.depth > maxDepth || s.elements > maxElements {
			return nil, refuse(ErrUnsupported, "the XML has too many or too deeply nested elements")
		}
	case xml.EndElement:
		s.depth--
		s.closed = token.Name.Local
	}
	return token, nil
}

// refusal is err as the reason that Parse gives.
func (s *source) refusal(err error) error {
	var refused *Refusal
	var number *notDecimalError
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &number):
		return refuse(ErrIncomplete, "the value of %s is not a decimal number: %s", quote(s.closed), quote(number.text))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return refuse(ErrNotXML, "not well-formed XML: it ends before its root element does")
	case strings.Contains(err.Error(), "invalid character entity"):
		return refuse(ErrDTD, "the XML uses an entity that XML does not define, which is not accepted")
	}
	return refuse(ErrNotXML, "not well-formed XML: %v", err)
}

// text is an element's text without the blanks around it.
type text string

func (t *text) UnmarshalText(raw []byte) error {
	*t = text(bytes.TrimSpace(raw))
	return nil
}
