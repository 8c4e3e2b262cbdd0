package fiscal

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

const (
	blank = " \t\r\n"
	mark  = "\xef\xbb\xbf" // of byte order
)

// decoded is the document as UTF-8, from its declaration on. Blank lines or a byte
// order mark before that are against the rules and common.
func decoded(data []byte, charset string) (string, error) {
	if err := checkReadable(data); err != nil {
		return "", err
	}
	data = bytes.TrimLeft(data, blank)
	data, marked := bytes.CutPrefix(data, []byte(mark))
	data = bytes.TrimLeft(data, blank)
	label := cmp.Or(declaredEncoding(data), charset)
	if marked {
		label = "utf-8" // the mark knows better than anybody who declares
	}
	switch strings.ToLower(label) {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		if !utf8.Valid(data) {
			return "", refuse(ErrNotXML, "XML malformado: há bytes que não são UTF-8; declare a codificação usada")
		}
		return string(data), nil
	case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
		// Who declares ISO-8859-1 may well write Windows-1252, which differs only
		// where the former has control signs that no document uses.
		text, err := charmap.Windows1252.NewDecoder().Bytes(data)
		if err != nil {
			return "", refuse(ErrNotXML, "XML malformado: há bytes que não são %s", quote(label))
		}
		return string(text), nil
	}
	return "", refusedEncoding(label)
}

func refusedEncoding(label string) *Refusal {
	return refuse(ErrEncoding, "a codificação %s não é aceita; use UTF-8, ISO-8859-1 ou Windows-1252", quote(label))
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

// formats are what is sent in place of a document, by its first bytes.
var formats = []struct{ begins, what string }{
	{"PK\x03\x04", "um arquivo zip; mande o XML que está nele"},
	{"PK\x05\x06", "um arquivo zip vazio; mande o XML"},
	{"\x1f\x8b", "um arquivo gzip; mande o XML que está nele"},
	{"7z\xbc\xaf\x27\x1c", "um arquivo 7z; mande o XML que está nele"},
	{"Rar!\x1a\x07", "um arquivo rar; mande o XML que está nele"},
	{"\x89PNG\r\n\x1a\n", "uma imagem PNG, não um XML"},
	{"\xff\xd8\xff", "uma imagem JPEG, não um XML"},
	{"GIF87a", "uma imagem GIF, não um XML"},
	{"GIF89a", "uma imagem GIF, não um XML"},
	{"II*\x00", "uma imagem TIFF, não um XML"},
	{"MM\x00*", "uma imagem TIFF, não um XML"},
	{"%PDF-", "um PDF, não um XML"},
	{"{", "JSON, não um XML"},
	{"[", "JSON, não um XML"},
	{"PD94bWwg", "texto em Base64; mande o XML sem codificar"},     // <?xml
	{"77u/PD94bWwg", "texto em Base64; mande o XML sem codificar"}, // the same after a byte order mark
	{"PG5mZVByb2", "texto em Base64; mande o XML sem codificar"},   // <nfeProc
	{"PGN0ZVByb2", "texto em Base64; mande o XML sem codificar"},   // <cteProc
}

// checkReadable refuses what is no text, or none in a readable encoding, by what it is:
// who is told of a control sign in the first line looks for it in the wrong place.
func checkReadable(data []byte) error {
	for _, wide := range []struct{ begins, encoding string }{
		{"\xff\xfe\x00\x00", "UTF-32"},
		{"\x00\x00\xfe\xff", "UTF-32"},
		{"\xff\xfe", "UTF-16"},
		{"\xfe\xff", "UTF-16"},
		{"<\x00", "UTF-16"},
		{"\x00<", "UTF-16"},
	} {
		if bytes.HasPrefix(data, []byte(wide.begins)) {
			return refusedEncoding(wide.encoding)
		}
	}
	data = bytes.TrimLeft(data, blank)
	for _, f := range formats {
		if bytes.HasPrefix(data, []byte(f.begins)) {
			return refuse(ErrOtherFormat, "o conteúdo é %s", f.what)
		}
	}
	const header = 16
	switch start := string(data[:min(len(data), header)]); {
	case len(start) < header:
	case start[:4] == "RIFF" && start[8:12] == "WEBP":
		return refuse(ErrOtherFormat, "o conteúdo é uma imagem WebP, não um XML")
	case start[:2] == "BM" && start[6:10] == "\x00\x00\x00\x00":
		return refuse(ErrOtherFormat, "o conteúdo é uma imagem BMP, não um XML")
	case start[:2] == "--" && bytes.Contains(data[:min(len(data), 512)], []byte("Content-Disposition")):
		return refuse(ErrOtherFormat, "o conteúdo é um formulário (multipart); mande só o XML")
	case strings.EqualFold(start[:5], "<html"), strings.EqualFold(start[:14], "<!doctype html"):
		return refuse(ErrOtherFormat, "o conteúdo é uma página HTML, não um XML")
	}
	return nil
}
