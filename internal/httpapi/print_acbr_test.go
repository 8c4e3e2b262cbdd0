package httpapi_test

import (
	"encoding/base64"
	"strings"
	"testing"
)

func (m *terminal) printACBr(text string) *answer {
	m.t.Helper()
	return m.call("POST", "/print/acbr", text, header{"Content-Type", "text/plain"})
}

func TestPrintACBr(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.printACBr("</ce><n>Pão</n>\n</linha_simples>\n</corte_parcial>\nVIA CLIENTE\n</corte_total>\n").is(200, printedOK)
	jobs := m.printJobs()
	if len(jobs) != 2 || jobs[0].Kind != "acbr" || jobs[1].Kind != "acbr" {
		t.Fatalf("two papers were cut: %+v", jobs)
	}
	if first, second := jobs[1].HeightDots, jobs[0].HeightDots; first != 60 || second != 30 {
		t.Errorf("papers of %d and %d dots, want two lines and one", first, second)
	}
	for _, job := range jobs {
		if ink(m.paper(job)) == 0 {
			t.Errorf("paper %d is empty", job.N)
		}
	}
	// Opening a drawer takes no paper.
	m.printACBr("</abre_gaveta>\n").is(200, printedOK)
	if n := len(m.printJobs()); n != 2 {
		t.Errorf("%d papers after the drawer", n)
	}
}

func TestPrintACBrWithoutAnything(t *testing.T) {
	t.Parallel()
	m := start(t, longBodyTimeout)
	m.printACBr("").is(400, "Nenhum conteúdo enviado").equals(`{"code": 400, "message": "Nenhum conteúdo enviado"}`)
	m.printACBr(strings.Repeat("x", 1<<20+1)).is(413, "Requisição grande demais: o limite é de 1 MiB")
	if jobs := m.printJobs(); len(jobs) != 0 {
		t.Errorf("printed: %+v", jobs)
	}
}

// Delphi programs send Windows-1252 without a word: the same paper comes out of all of these.
func TestPrintACBrCharsets(t *testing.T) {
	t.Parallel()
	m := start(t)
	var papers [][]byte
	for _, tt := range []struct{ kind, body string }{
		{"text/plain", "preço: açaí"},
		{"text/plain; charset=utf-8", "preço: açaí"},
		{"text/plain", "pre\xe7o: a\xe7a\xed"},
		{"text/plain; charset=windows-1252", "pre\xe7o: a\xe7a\xed"},
		{"text/plain; charset=cp850", "pre\x87o: a\x87a\xa1"},
	} {
		m.call("POST", "/print/acbr", tt.body, header{"Content-Type", tt.kind}).is(200, printedOK)
		papers = append(papers, m.call("GET", m.printJobs()[0].Picture, nil).ok().body)
	}
	for i, paper := range papers {
		if string(paper) != string(papers[0]) {
			t.Errorf("paper %d is another", i+1)
		}
	}
}

func TestPrintACBrNeverFailsForWhatItSays(t *testing.T) {
	t.Parallel()
	m := start(t)
	secret := "/etc/hostname"
	for _, text := range []string{
		"<bmp>" + secret + "</bmp>a", "<bmp>" + base64.StdEncoding.EncodeToString([]byte("nada")) + "</bmp>a", "<ean13>x</ean13>", "<upce>1</upce>",
		"<qrcode>" + strings.Repeat("x", 100<<10) + "</qrcode>a", "<code128>" + strings.Repeat("1", 200) + "</code128>", "<ce>a", "</nada><x>",
	} {
		m.printACBr(text).is(200, printedOK)
	}
	if logs := string(m.call("GET", "/logs", nil).ok().body); !strings.Contains(logs, "tags ACBr: ") || strings.Contains(logs, secret) {
		t.Error("the log says nothing of what was left out, or what it was")
	}
	for _, text := range []string{strings.Repeat("a\n", 20_000), strings.Repeat("a</corte>", 200)} {
		m.notPrinted(m.printACBr(text), "impressao longa demais")
	}
}
