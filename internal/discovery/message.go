package discovery

import (
	"net/netip"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	domain     = ".local."
	serviceOf  = Service + domain
	everything = "_services._dns-sd._udp" + domain // asks which kinds of service there are
)

// How long, in seconds, others may remember: what depends on an address shorter than the rest.
const (
	ttlLong   = 4500
	ttlHost   = 120
	ttlLegacy = 10 // for those who do not listen for changes
)

// The highest bit of a class says that what others remember under the name is to be replaced.
const topBit = 1 << 15

// notice is a terminal under the names by which the network is told of it.
type notice struct {
	instance string // "caixa 1._maquininha._tcp.local."
	host     string // our own, so that it meets nobody else's
	port     uint16
	text     []string
}

// records are all there is to say; addresses are those of one network. Life is in seconds at most; 0 takes it back.
func (n notice) records(addresses []netip.Addr, life uint32, unique dnsmessage.Class) (all []dnsmessage.Resource) {
	add := func(owner string, kind dnsmessage.Type, class dnsmessage.Class, ttl uint32, body dnsmessage.ResourceBody) {
		// Names are of bounded length: see label.
		h := dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(owner), Type: kind, Class: class, TTL: min(ttl, life)}
		all = append(all, dnsmessage.Resource{Header: h, Body: body})
	}
	// Others have the same kind of service, so that no memory of theirs is to be replaced.
	add(serviceOf, dnsmessage.TypePTR, dnsmessage.ClassINET, ttlLong, &dnsmessage.PTRResource{PTR: dnsmessage.MustNewName(n.instance)})
	if life > 0 { // they may go on having it when we leave
		add(everything, dnsmessage.TypePTR, dnsmessage.ClassINET, ttlLong, &dnsmessage.PTRResource{PTR: dnsmessage.MustNewName(serviceOf)})
	}
	add(n.instance, dnsmessage.TypeSRV, unique, ttlHost, &dnsmessage.SRVResource{Port: n.port, Target: dnsmessage.MustNewName(n.host)})
	add(n.instance, dnsmessage.TypeTXT, unique, ttlLong, &dnsmessage.TXTResource{TXT: n.text})
	for _, a := range addresses {
		add(n.host, dnsmessage.TypeA, unique, ttlHost, &dnsmessage.AResource{A: a.As4()})
	}
	return all
}

// announcement tells everybody.
func (n notice) announcement(addresses []netip.Addr) ([]byte, error) {
	return answer(dnsmessage.Message{Answers: n.records(addresses, ttlLong, dnsmessage.ClassINET|topBit)})
}

// goodbye takes everything back.
func (n notice) goodbye(addresses []netip.Addr) ([]byte, error) {
	return answer(dnsmessage.Message{Answers: n.records(addresses, 0, dnsmessage.ClassINET)})
}

// reply answers one who asked by himself, as an ordinary name server would.
func (n notice) reply(q query, addresses []netip.Addr) ([]byte, error) {
	return answer(dnsmessage.Message{
		Header: dnsmessage.Header{ID: q.id}, Questions: q.questions, Answers: n.records(addresses, ttlLegacy, dnsmessage.ClassINET),
	})
}

func answer(m dnsmessage.Message) ([]byte, error) {
	m.Header.Response, m.Header.Authoritative = true, true
	return m.Pack()
}

// probe asks whether somebody has our name.
func (n notice) probe() ([]byte, error) { return ask(n.instance, dnsmessage.TypeALL) }

// ask is a question to everybody.
func ask(name string, kind dnsmessage.Type) ([]byte, error) {
	m := dnsmessage.Message{Questions: []dnsmessage.Question{{Name: dnsmessage.MustNewName(name), Type: kind, Class: dnsmessage.ClassINET}}}
	return m.Pack()
}
