package fiscal

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Parse reads a document. The error, if any, is a *Refusal.
func Parse(data []byte) (*Document, error) {
	if len(data) > maxBytes {
		return nil, refuse(ErrUnsupported, "o XML tem %d bytes; o máximo é %d", len(data), maxBytes)
	}
	src, err := decoded(data)
	if err != nil {
		return nil, err
	}
	root, err := scan(src)
	if err != nil {
		return nil, err
	}
	switch root.name {
	case "nfeProc":
		return parseNFe(root)
	case "cteProc":
		return parseCTe(CTe, root, "CTe")
	case "cteOSProc":
		return parseCTe(CTeOS, root, "CTeOS")
	case "cteSimpProc":
		return parseCTe(CTeSimp, root, "CTeSimp")
	}
	return nil, refusedRoot(root)
}

// refusedRoot says what is wrong with a document that is none of those printed.
func refusedRoot(root *element) *Refusal {
	switch root.name {
	case "NFe", "enviNFe":
		nfe := root
		if root.name == "enviNFe" {
			nfe = root.at("NFe")
		}
		if nfe.get("infNFe", "ide", "tpEmis") == offline {
			return refuse(ErrNoProtocol, "a raiz é %s: emitida em contingência e pendente de autorização, sem protocolo (protNFe)", root.name)
		}
		return refuse(ErrNoProtocol, "a raiz é %s, sem o protocolo de autorização (protNFe); envie o nfeProc", root.name)
	case "CTe", "enviCTe", "CTeOS", "CTeSimp":
		return refuse(ErrNoProtocol, "a raiz é %s, sem o protocolo de autorização (protCTe); envie o documento com seu protocolo", root.name)
	case "CFeCanc":
		return refuse(ErrUnsupported, "CF-e SAT cancelado (CFeCanc): não é impresso")
	case "CFe":
		return refuse(ErrUnsupported, "CF-e SAT não tem protocolo de autorização (protNFe ou protCTe) e não é impresso")
	}
	if strings.Contains(strings.ToLower(root.name), "nfse") || root.name == "EnviarLoteRpsResposta" {
		return refuse(ErrUnsupported, "NFS-e não tem protocolo de autorização (protNFe ou protCTe) e não é impressa")
	}
	if strings.Contains(root.name, "vento") || strings.Contains(root.name, "Canc") {
		return refuse(ErrUnsupported, "a raiz %s é de um evento ou cancelamento, não do documento", quote(root.name))
	}
	return refuse(ErrUnsupported, "a raiz %s não é de NF-e, NFC-e nem CT-e", quote(root.name))
}

const (
	blank = " \t\r\n"
	mark  = "\xef\xbb\xbf" // of byte order
)

// decoded is the document as UTF-8, from its declaration on. Blank lines or a byte
// order mark before that are against the rules and common.
func decoded(data []byte) (string, error) {
	data = bytes.TrimLeft(data, blank)
	data, marked := bytes.CutPrefix(data, []byte(mark))
	data = bytes.TrimLeft(data, blank)
	label := declaredEncoding(data)
	if marked {
		label = "utf-8" // the mark knows better than the declaration
	}
	switch strings.ToLower(label) {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		if !utf8.Valid(data) {
			return "", refuse(ErrNotXML, "XML malformado: há bytes que não são UTF-8; declare a codificação usada")
		}
		return string(data), nil
	case "iso-8859-1", "latin1", "windows-1252", "cp1252":
		// Who declares ISO-8859-1 may well write Windows-1252, which differs only
		// where the former has control signs that no document uses.
		text, err := charmap.Windows1252.NewDecoder().Bytes(data)
		if err != nil {
			return "", refuse(ErrNotXML, "XML malformado: há bytes que não são %s", quote(label))
		}
		return string(text), nil
	}
	return "", refuse(ErrNotXML, "a codificação %s não é aceita; use UTF-8, ISO-8859-1 ou Windows-1252", quote(label))
}

// declaredEncoding is what the XML declaration names; empty when it names none.
func declaredEncoding(data []byte) string {
	declaration, found := bytes.CutPrefix(data, []byte("<?xml"))
	if !found {
		return ""
	}
	declaration, _, _ = bytes.Cut(declaration, []byte("?>"))
	_, value, found := bytes.Cut(declaration, []byte("encoding"))
	if !found {
		return ""
	}
	value = bytes.TrimLeft(value, blank+"=")
	if len(value) == 0 || value[0] != '"' && value[0] != '\'' {
		return ""
	}
	value, _, _ = bytes.Cut(value[1:], value[:1])
	return string(value)
}
