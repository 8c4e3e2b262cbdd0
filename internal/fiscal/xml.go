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
		return nil, refuse(ErrUnsupported, "o XML tem %d bytes; o máximo é %d", len(data), maxBytes)
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
		return nil, refuse(ErrNoProtocol, "a raiz é %s, sem o protocolo de autorização (protNFe); envie o nfeProc", root.Name.Local)
	case "CTe", "enviCTe", "CTeOS", "CTeSimp":
		return nil, refuse(ErrNoProtocol, "a raiz é %s, sem o protocolo de autorização (protCTe); envie o documento com seu protocolo", root.Name.Local)
	case "CFe", "CFeCanc":
		return nil, refuse(ErrUnsupported, "CF-e SAT não tem protocolo de autorização (protNFe ou protCTe) e não é impresso")
	case "NFSe", "Nfse", "CompNfse", "ConsultarNfseResposta", "GerarNfseResposta", "EnviarLoteRpsResposta":
		return nil, refuse(ErrUnsupported, "NFS-e não tem protocolo de autorização (protNFe ou protCTe) e não é impressa")
	}
	return nil, refuse(ErrUnsupported, "a raiz %s não é de NF-e, NFC-e nem CT-e", quote(root.Name.Local))
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
				return xml.StartElement{}, refuse(ErrNotXML, "XML malformado: há texto antes do elemento raiz")
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
			return refuse(ErrNotXML, "XML malformado: há conteúdo depois do elemento raiz")
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
	return nil, refuse(ErrNotXML, "a codificação %s não é aceita; use UTF-8, ISO-8859-1 ou Windows-1252", quote(label))
}

// Token implements xml.TokenReader.
func (s *source) Token() (xml.Token, error) {
	token, err := s.raw.RawToken()
	if err != nil {
		return token, err
	}
	switch token := token.(type) {
	case xml.Directive:
		return nil, refuse(ErrDTD, "o XML tem uma declaração DTD, que não é aceita")
	case xml.StartElement:
		s.depth++
		s.elements++
		if s.depth > maxDepth || s.elements > maxElements {
			return nil, refuse(ErrUnsupported, "o XML tem elementos demais ou aninhados demais")
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
		return refuse(ErrIncomplete, "o valor de %s não é um número decimal: %s", quote(s.closed), quote(number.text))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return refuse(ErrNotXML, "XML malformado: termina antes do fim do elemento raiz")
	case strings.Contains(err.Error(), "invalid character entity"):
		return refuse(ErrDTD, "o XML usa uma entidade que não está na norma, o que não é aceito")
	}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return refuse(ErrNotXML, "XML malformado na linha %d (%.120s)", syntax.Line, strings.ToValidUTF8(syntax.Msg, "?"))
	}
	return refuse(ErrNotXML, "XML malformado (%.160s)", strings.ToValidUTF8(err.Error(), "?"))
}

// text is an element's text without the blanks around it.
type text string

func (t *text) UnmarshalText(raw []byte) error {
	*t = text(bytes.TrimSpace(raw))
	return nil
}
