package discovery

import (
	"net/netip"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// query is what somebody asks.
type query struct {
	id        uint16
	questions []dnsmessage.Question
	known     []string // instances that the asker has already
}

// mostQuestions is more than anybody asks at once.
const mostQuestions = 32

// readQuery takes a packet's questions; false means that it asks nothing.
func readQuery(packet []byte) (q query, ok bool) {
	var p dnsmessage.Parser
	header, err := p.Start(packet)
	if err != nil || header.Response {
		return q, false
	}
	q.id = header.ID
	for {
		question, err := p.Question()
		if err != nil {
			break
		}
		if len(q.questions) < mostQuestions {
			q.questions = append(q.questions, question)
		}
	}
	// Where a question could not be read, neither can what comes after it.
	for {
		h, err := p.AnswerHeader()
		if err != nil {
			break
		}
		if h.Type != dnsmessage.TypePTR || h.TTL <= ttlLong/2 || !strings.EqualFold(h.Name.String(), serviceOf) {
			if p.SkipAnswer() != nil {
				break
			}
			continue
		}
		known, err := p.PTRResource()
		if err != nil {
			break
		}
		q.known = append(q.known, known.PTR.String())
	}
	return q, len(q.questions) > 0
}

// concerns tells whether a notice answers any of the questions. Who knows it already is not told of it again.
func (q query) concerns(n notice) bool {
	for _, asked := range q.questions {
		name := asked.Name.String()
		switch {
		case strings.EqualFold(name, serviceOf):
			if !q.knows(n.instance) {
				return true
			}
		case strings.EqualFold(name, n.instance), strings.EqualFold(name, n.host), strings.EqualFold(name, everything):
			return true
		}
	}
	return false
}

func (q query) knows(instance string) bool {
	for _, known := range q.known {
		if strings.EqualFold(known, instance) {
			return true
		}
	}
	return false
}

// records are what an answer says of terminals.
type records struct {
	gone      []string // instances that say goodbye
	instances map[string]instance
	texts     map[string][]string     // by instance
	addresses map[string][]netip.Addr // by host
}

type instance struct {
	name string
	host string
	port int
}

// readAnswer takes what a packet says of terminals; false means that it is no answer.
func readAnswer(packet []byte) (h records, ok bool) {
	var m dnsmessage.Parser
	header, err := m.Start(packet)
	if err != nil || !header.Response || m.SkipAllQuestions() != nil {
		return h, false
	}
	h = records{instances: map[string]instance{}, texts: map[string][]string{}, addresses: map[string][]netip.Addr{}}
	for _, next := range []func() (dnsmessage.Resource, error){m.Answer, m.Authority, m.Additional} {
		for {
			r, err := next()
			if err == dnsmessage.ErrSectionDone {
				break
			}
			if err != nil {
				return h, true // what came before it counts
			}
			h.add(r)
		}
	}
	return h, true
}

func (h *records) add(r dnsmessage.Resource) {
	owner := r.Header.Name.String()
	name := strings.ToLower(owner)
	switch body := r.Body.(type) {
	case *dnsmessage.SRVResource:
		if strings.HasSuffix(name, "."+serviceOf) && r.Header.TTL > 0 {
			h.instances[name] = instance{owner[:len(owner)-len(serviceOf)-1], strings.ToLower(body.Target.String()), int(body.Port)}
		}
	case *dnsmessage.PTRResource:
		if name == serviceOf && r.Header.TTL == 0 {
			h.gone = append(h.gone, strings.ToLower(body.PTR.String()))
		}
	case *dnsmessage.TXTResource:
		if strings.HasSuffix(name, "."+serviceOf) {
			h.texts[name] = body.TXT
		}
	case *dnsmessage.AResource:
		if a := netip.AddrFrom4(body.A); a.IsGlobalUnicast() || a.IsLinkLocalUnicast() { // nobody can be called at any other
			h.addresses[name] = append(h.addresses[name], a)
		}
	}
}
