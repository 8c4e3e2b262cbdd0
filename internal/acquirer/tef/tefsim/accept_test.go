package tefsim

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// playing is a simulator of a vendor's manager on folders of its own, without its clock.
func playing(t *testing.T, as string) *simulator {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"Req", "Resp"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	l, err := openLedger(filepath.Join(dir, "ledger"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.book.Close() })
	return &simulator{
		config: Config{Dir: dir, Files: intpos.Usual, As: as}, vendor: vendors[as], chaos: Chaos{}.roll(), ledger: l,
		req: intpos.Folder{Path: filepath.Join(dir, "Req")}, resp: intpos.Folder{Path: filepath.Join(dir, "Resp")},
	}
}

// takes has a request copied into the folder, with fields instead of the names in braces, and returns the answer.
func (s *simulator) takes(t *testing.T, request, lineEnd string, last intpos.Message) intpos.Message {
	t.Helper()
	for _, number := range []string{intpos.ID, intpos.Network, intpos.NSU, intpos.Date, intpos.Time, intpos.Key} {
		request = strings.ReplaceAll(request, "{"+number+"}", last.Get(number))
	}
	text := strings.ReplaceAll(request+"|999-999 = 0|", "|", lineEnd)
	if err := os.WriteFile(filepath.Join(s.req.Path, "INTPOS.001"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, whole, _, err := s.resp.Read(intpos.Usual.Status); !whole || err != nil {
		t.Errorf("no status for %s: %v", request, err)
	}
	r, _, _, err := s.resp.Read(intpos.Usual.Response)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTakesWhatCorrectClientsSend is each vendor's published sample, and what ACBr and old programs send.
func TestTakesWhatCorrectClientsSend(t *testing.T) {
	const sale = "000-000 = CRT|001-000 = 7|002-000 = 7|003-000 = 1000|004-000 = 0"
	for name, c := range map[string]struct {
		as       string
		requests []string // braces: from the answer to the sale
		want     []Event
	}{
		"paygo":                  {"paygo", []string{"000-000 = ATV|001-000 = 1", sale + "|706-000 = 156|731-000 = 01|749-000 = 1", "000-000 = CNF|001-000 = 99|027-000 = {027}|733-000 = 210"}, []Event{Charged, Confirmed}},
		"paygo, cancelled":       {"paygo", []string{sale, "000-000 = CNF|001-000 = 98|027-000 = {027}", "000-000 = CNC|001-000 = 99|003-000 = 1000|004-000 = 0|010-000 = {010}|012-000 = {012}|022-000 = {022}|023-000 = {023}"}, []Event{Charged, Confirmed, Cancelled}},
		"acbr, no order":         {"tefdial", []string{"003-000 = 1000|001-000 = 7|000-000 = CRT", "027-000 = {027}|012-000 = {012}|010-000 = {010}|001-000 = 55|000-000 = NCN"}, []Event{Charged, Undone}},
		"elgin":                  {"elgin", []string{sale, "000-000 = CNF|001-000 = 7|027-000 = 7", "000-000 = CNC|001-000 = 8"}, []Event{Charged, Confirmed, Cancelled}},
		"elgin, Pix":             {"elgin", []string{"000-000 = PIX|001-000 = 7|002-000 = 123456|003-000 = 400", "000-000 = NCN|001-000 = 7|027-000 = 123456"}, []Event{Charged, Undone}},
		"elgin, no amount":       {"elgin", []string{"000-000 = CRT|001-000 = 7|002-000 = 7|210-084 = x", "000-000 = CNF|001-000 = 7|027-000 = 7"}, []Event{Charged, Confirmed}},
		"connecttef":             {"connecttef", []string{"000-000 = CRT|001-000 = 7|003-000 = 1000|011-000 = 11|018-000 = 3", "000-000 = CNF|001-000 = 7|010-000 = {010}|012-000 = {012}|027-000 = {027}"}, []Event{Charged, Confirmed}},
		"connecttef, two lines":  {"connecttef", []string{"000-000 = CRT|001-000 = 7|003-000 = 1000", "000-000 = NCN|001-000 = 7"}, []Event{Charged, Undone}},
		"multiplus":              {"multiplus", []string{"000-000 = CRT|001-000 = 7|003-000 = 1000|800-001 = 5", "000-000 = CNF|001-000 = 7|010-000 = {010}|012-000 = {012}|027-000 = {027}"}, []Event{Charged, Confirmed}},
		"sitef":                  {"sitef", []string{"000-000 = CRT|001-000 = 4321|002-000 = 1234|003-000 = 260,70|004-000 = 0", "000-000 = CNF|001-000 = 4321|010-000 = {010}|012-000 = {012}|027-000 = {027}"}, []Event{Charged, Confirmed}},
		"an undoing without 001": {"auttar", []string{sale, "000-000 = NCN"}, []Event{Charged, Undone}},
		"an unknown undoing":     {"auttar", []string{"000-000 = NCN|001-000 = 3|027-000 = 12"}, nil},
		"a foreign NSU":          {"multiplus", []string{"000-000 = CNC|001-000 = 3|003-000 = 1|012-000 = 77"}, []Event{Protest}},
		"a foreign confirmation": {"paygo", []string{"000-000 = CNF|001-000 = 3|027-000 = 12"}, []Event{Protest}},
	} {
		for _, lineEnd := range []string{"\r\n", "\n", "\r"} {
			s := playing(t, c.as)
			var answer intpos.Message
			for _, request := range c.requests {
				r := s.takes(t, request, lineEnd, answer)
				if answer == nil {
					answer = r
				}
			}
			var got []Event
			for _, o := range s.ledger.order {
				if o.of == "" {
					got = append(got, Charged)
				} else {
					got = append(got, Cancelled)
				}
				if !o.open() {
					got = append(got, o.state)
				}
			}
			b, err := ReadBalance(filepath.Join(s.config.Dir, "ledger"))
			if err != nil {
				t.Fatal(err)
			}
			for range b.Protests {
				got = append(got, Protest)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s (%q): %v, want %v; %+v", name, lineEnd, got, c.want, b.Protests)
			}
		}
	}
}
