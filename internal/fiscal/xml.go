package fiscal

import "strings"

// Parse reads a document. The error, if any, is a *Refusal.
func Parse(data []byte) (*Document, error) { return ParseAs(data, "") }

// ParseAs reads a document that came with the name of its encoding, which counts where
// the document itself says nothing.
func ParseAs(data []byte, charset string) (*Document, error) {
	if len(data) > maxBytes {
		return nil, refuse(ErrUnsupported, "o XML tem %d bytes; o máximo é %d", len(data), maxBytes)
	}
	src, err := decoded(data, charset)
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
