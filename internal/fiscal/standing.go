package fiscal

import "cmp"

// What the tax office answers of a document, by cStat.
var (
	// cancelled: in time (101), late (151, 155), or refused because it had been already (218, 420).
	cancelled = map[string]bool{"101": true, "151": true, "155": true, "218": true, "420": true}
	// denied: by the document (110), as found on file (205), for a party's irregularity.
	denied = map[string]bool{"110": true, "205": true, "301": true, "302": true, "303": true, "304": true, "305": true, "306": true}
	// registered are the answers to an event that counts, or counted before (573 for an NF-e, 631 for a CT-e).
	registered = map[string]bool{"134": true, "135": true, "136": true, "155": true, "573": true, "631": true}
	// cancelling are the tpEvento that end a document. 110001 is not one of them: it takes back another event.
	cancelling = map[string]bool{"110111": true, "110112": true}
)

// checkStanding refuses a document of which an answer beside it says that it was
// cancelled or denied. Systems keep the protocol of the authorisation and put what
// came later wherever they like: before it or after, inside its request's envelope,
// or as the whole result of a query. So every answer in the file is looked at.
func checkStanding(root *element, key string) error { return standing(root, nil, key) }

// standing looks at an element and all within it. request is the event that was asked
// for, where there is one around.
func standing(e, request *element, key string) error {
	request = cmp.Or(e.at("evento", "infEvento"), e.at("eventoCTe", "infEvento"), request)
	if status := e.get("cStat"); status != "" {
		if err := judge(e, request, status, key); err != nil {
			return err
		}
	}
	for child := e.first; child != nil; child = child.next {
		if child.first == nil {
			continue
		}
		if err := standing(child, request, key); err != nil {
			return err
		}
	}
	return nil
}

// judge refuses by one answer. An answer need not repeat what its request said. One
// that names no document at all lies in this one's file: it is about this one.
func judge(e, request *element, status, key string) error {
	of := cmp.Or(e.get("chNFe"), e.get("chCTe"), request.get("chNFe"), request.get("chCTe"))
	if of != "" && of != key {
		return nil
	}
	event := cmp.Or(e.get("tpEvento"), request.get("tpEvento"))
	switch {
	case cancelling[event] && registered[status]:
		return refuse(ErrCancelled, "documento cancelado: o evento %s desta chave foi registrado (cStat %s)", event, status)
	case cancelled[status]:
		return refuse(ErrCancelled, "documento cancelado: a Sefaz respondeu %s (%s)", quote(status), quote(e.get("xMotivo")))
	case denied[status]:
		return refuse(ErrNotAuthorized, "documento denegado: a Sefaz respondeu %s (%s)", quote(status), quote(e.get("xMotivo")))
	}
	return nil
}
