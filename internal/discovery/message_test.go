package discovery

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/net/dns/dnsmessage"
)

const sum = "ba9935e7e18325faaa47ce707d2faac4e607e42a4af6cc0c45ab151c836555dc"

var (
	here  = []netip.Addr{netip.MustParseAddr("192.0.2.10")}
	shop  = []link{{prefixes: []netip.Prefix{netip.MustParsePrefix("192.0.2.1/24")}}}
	other = netip.MustParseAddrPort("192.0.2.10:5353")
)

func noticeOf(t Terminal) notice {
	return notice{instance: label(t.Name, 1) + "." + serviceOf, host: "maquininha-1" + domain, port: uint16(t.port()), text: t.text()}
}

// listing is what is listed once some packets were heard.
func listing(packets ...[]byte) []Terminal {
	d := directory{instances: map[string]instance{}, texts: map[string][]string{}, addresses: map[string][]netip.Addr{}}
	for _, p := range packets {
		d.receive(packet{other, p}, shop)
	}
	return d.terminals()
}

func must(t *testing.T) func([]byte, error) []byte {
	return func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

func TestAnnouncementIsUnderstood(t *testing.T) {
	for name, want := range map[string]Terminal{
		"plain":      {Name: "caixa-1", Version: "1.2.3", Mode: "production", Port: 9050},
		"with HTTPS": {Name: "Caixa São João (café)", Version: "1.2.3", Mode: "emulator", Port: 9050, SecurePort: 9052, Fingerprint: sum, Pin: "sha256//KQuNwYgvrtbkgtmstHDyl/mMNVBlA8xyBZBklsmh5qA="},
		"only HTTPS": {Name: "x", Version: "1", Mode: "production", SecurePort: 9443, Fingerprint: sum, Pin: "sha256//A="},
	} {
		n := noticeOf(want)
		want.Addresses = here
		packed := must(t)(n.announcement(here))
		if diff := cmp.Diff([]Terminal{want}, listing(packed, packed), cmpopts.EquateComparable(netip.Addr{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		reply := must(t)(n.reply(query{id: 7, questions: []dnsmessage.Question{{Name: dnsmessage.MustNewName(serviceOf), Type: dnsmessage.TypePTR, Class: dnsmessage.ClassINET}}}, here))
		if got := listing(reply); len(got) != 1 || reply[1] != 7 {
			t.Errorf("%s: the reply to one says %v", name, got)
		}
		if got := listing(packed, must(t)(n.goodbye(here))); len(got) != 0 {
			t.Errorf("%s: still there after its goodbye: %v", name, got)
		}
		if len(packed) > 1200 {
			t.Errorf("%s: %d bytes do not fit one packet everywhere", name, len(packed))
		}
	}
}

func TestQueriesThatConcernATerminal(t *testing.T) {
	n := noticeOf(Terminal{Name: "Caixa 1", Port: 9050})
	asked := func(name string, known ...string) []byte {
		m := dnsmessage.Message{Questions: []dnsmessage.Question{{Name: dnsmessage.MustNewName(name), Type: dnsmessage.TypeALL, Class: dnsmessage.ClassINET}}}
		for _, k := range known {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(serviceOf), Class: dnsmessage.ClassINET, TTL: ttlLong},
				Body:   &dnsmessage.PTRResource{PTR: dnsmessage.MustNewName(k)},
			})
		}
		return must(t)(m.Pack())
	}
	for name, c := range map[string]struct {
		packet []byte
		want   bool
	}{
		"the service":              {asked("_MAQUININHA._tcp.local."), true},
		"the service, known":       {asked(serviceOf, "another."+serviceOf, "caixa 1."+serviceOf), false},
		"the service, others":      {asked(serviceOf, "another."+serviceOf), true},
		"the instance":             {asked("caixa 1." + serviceOf), true},
		"the host":                 {asked("maquininha-1.local."), true},
		"all services":             {asked(everything), true},
		"a printer":                {asked("_ipp._tcp.local."), false},
		"our own announcement":     {must(t)(n.announcement(here)), false},
		"nothing":                  {nil, false},
		"a header without content": {make([]byte, 12), false},
	} {
		q, ok := readQuery(c.packet)
		if got := ok && q.concerns(n); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Whatever others call themselves, nothing of it may steer the terminal it is shown on.
func TestStrangersAreCleaned(t *testing.T) {
	bad := "\x1b[2J\x1b]0;x\x07Caixa\r\n\u202e1\u200b\xff\xfe\x00 ok"
	n := notice{instance: bad + "." + serviceOf, host: "h" + domain, port: 1, text: []string{"version=\x1b[31m9\n", "mode=\u202eproduction", "https=99999", "sha256=zz", "=x", "pin"}}
	got := listing(must(t)(n.announcement(here)))
	want := []Terminal{{Name: "[2J]0;xCaixa1 ok", Version: "[31m9", Mode: "production", Port: 1, Addresses: here}}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	far := packet{netip.MustParseAddrPort("203.0.113.5:5353"), must(t)(n.announcement(here))}
	d := directory{instances: map[string]instance{}}
	if d.receive(far, shop); len(d.instances) != 0 {
		t.Error("somebody outside the network was heard")
	}
}

// Who has no name that can be shown, or no address that can be called, is not listed.
func TestStrangersWithoutNameOrAddress(t *testing.T) {
	nowhere := []netip.Addr{netip.IPv4Unspecified(), netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("224.0.0.251"), netip.MustParseAddr("255.255.255.255")}
	for name, packed := range map[string][]byte{
		"no name":    must(t)(notice{instance: "\x1b\u200b." + serviceOf, host: "h" + domain, port: 1}.announcement(here)),
		"no address": must(t)(noticeOf(Terminal{Name: "Caixa 1", Port: 1}).announcement(nowhere)),
	} {
		if got := listing(packed); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestManyMadeUpTerminalsAreBounded(t *testing.T) {
	var packets [][]byte
	for i := range mostFound + 50 {
		n := noticeOf(Terminal{Name: "falso " + strings.Repeat("x", i%7) + label("", i+2), Port: 1})
		packets = append(packets, must(t)(n.announcement(here)))
	}
	if got := len(listing(packets...)); got != mostFound {
		t.Errorf("%d listed", got)
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		name    string
		attempt int
		want    string
	}{
		{"caixa-1", 1, "caixa-1"},
		{"caixa-1", 2, "caixa-1 (2)"},
		{"loja.centro ()", 1, "loja-centro ()"},
		{"\x00\n", 1, "maquininha"},
		{strings.Repeat("ã", 40), 1, strings.Repeat("ã", 31)},
		{strings.Repeat("ã", 40), 12, strings.Repeat("ã", 29) + " (12)"},
	} {
		if got := label(c.name, c.attempt); got != c.want {
			t.Errorf("%q, %d: %q, want %q", c.name, c.attempt, got, c.want)
		}
	}
}

func FuzzPackets(f *testing.F) {
	n := noticeOf(Terminal{Name: "Caixa São João", Port: 9050, SecurePort: 9052, Fingerprint: sum})
	for _, make := range []func() ([]byte, error){
		func() ([]byte, error) { return n.announcement(here) }, func() ([]byte, error) { return n.goodbye(here) }, n.probe,
		func() ([]byte, error) { return ask(serviceOf, dnsmessage.TypePTR) },
	} {
		packed, err := make()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packed)
		f.Add(packed[:len(packed)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if q, ok := readQuery(b); ok {
			q.concerns(n)
			if _, err := n.reply(q, here); err != nil && len(q.questions) < 2 {
				t.Errorf("no reply: %v", err)
			}
		}
		for _, found := range listing(b) {
			for _, text := range []string{found.Name, found.Version, found.Mode, found.Pin, found.Fingerprint} {
				if text != clean(text) {
					t.Errorf("%q is not clean", text)
				}
			}
			if found.port() <= 0 || len(found.Addresses) == 0 || !slices.Contains([]int{0, 64}, len(found.Fingerprint)) {
				t.Errorf("no terminal: %+v", found)
			}
		}
	})
}
