package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

// The goals of printing.
const (
	couponGoal    = 3.0  // ms
	firstByteGoal = 0.20 // of the time that drawing all of it takes
	paperGoal     = 20   // MiB
)

// measurePrinting follows a coupon from its XML to the printer's bytes: how long it takes, how soon the paper moves,
// and what a long one costs a service at rest.
func (b *bench) measurePrinting() ([]figures.Row, error) {
	short, long := coupon(40), coupon(500)
	var times, shares []float64
	for round := range 3*b.rounds + 1 {
		whole, _, _, err := stream(short)
		if err != nil {
			return nil, err
		}
		_, drawing, first, err := stream(long)
		if err != nil {
			return nil, err
		}
		if round > 0 { // fonts are read at the first
			times = append(times, float64(whole)/float64(time.Millisecond))
			shares = append(shares, float64(first)/float64(drawing))
		}
	}
	took, share := figures.Median(times), figures.Median(shares)
	rows := []figures.Row{
		{
			Measure: "NFC-e of 40 items, XML to ESC/POS bytes", Value: fmt.Sprintf("%.3g ms", took),
			Goal: fmt.Sprintf("≤ %.0f ms", couponGoal), OK: took <= couponGoal,
		},
		{
			Measure: "first dots to the printer, 500 items", Value: fmt.Sprintf("%.1f %% of the drawing", 100*share),
			Goal: fmt.Sprintf("≤ %.0f %%", 100*firstByteGoal), OK: share <= firstByteGoal,
		},
	}
	memory, err := b.measurePaper(long)
	return append(rows, memory), err
}

// stream does what the service and the drivers do, with a printer that takes everything at once. It tells how long all
// of it took, how long the drawing, and how long that until the first dots were out.
func stream(xml string) (whole, drawing, first time.Duration, err error) {
	started := time.Now()
	document, err := fiscal.Parse([]byte(xml))
	if err != nil {
		return 0, 0, 0, err
	}
	page := fiscal.Layout(document)
	drawn := time.Now()
	if err := page.Check(receipt.Paper80); err != nil {
		return 0, 0, 0, err
	}
	var sink firstWrite
	w := escpos.NewWriter(&sink, escpos.ESCPOS)
	for band := range page.Bands(receipt.Paper80) {
		if err := w.Band(band); err != nil {
			return 0, 0, 0, err
		}
	}
	if err := errors.Join(w.Feed(3), w.CutPaper(false)); err != nil {
		return 0, 0, 0, err
	}
	ended := time.Now()
	if sink.bytes < len(xml)/2 {
		return 0, 0, 0, fmt.Errorf("a coupon of %d bytes is %d bytes on paper", len(xml), sink.bytes)
	}
	return ended.Sub(started), ended.Sub(drawn), sink.at.Sub(drawn), nil
}

// firstWrite remembers when it began.
type firstWrite struct {
	at    time.Time
	bytes int
}

func (f *firstWrite) Write(p []byte) (int, error) {
	if f.bytes == 0 {
		f.at = time.Now()
	}
	f.bytes += len(p)
	return len(p), nil
}

// measurePaper prints on the virtual printer, which needs the most: it keeps the whole paper.
func (b *bench) measurePaper(xml string) (figures.Row, error) {
	r := figures.Row{Measure: "memory for a coupon of 500 items", Goal: fmt.Sprintf("≤ %d MiB over idle", paperGoal)}
	service, err := b.freshService("paper")
	if err != nil {
		return r, err
	}
	defer service.Stop() //nolint:errcheck // nothing more is asked of it
	printXML := func(xml string) error {
		_, err := rig.Send(service.Address, rig.Request("POST", "/print/xml", xml))
		return err
	}
	if err := printXML(coupon(1)); err != nil { // fonts and buffers that stay are no matter of this coupon
		return r, err
	}
	select {
	case <-time.After(b.idle):
	case <-b.ctx.Done():
		return r, b.ctx.Err()
	}
	idle, err := rig.ResidentMiB(service.Process.Pid)
	if err != nil {
		r.Value = "not measured: " + err.Error()
		return r, nil
	}
	most := idle
	watching, enough := context.WithCancel(b.ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for watching.Err() == nil {
			if now, err := rig.ResidentMiB(service.Process.Pid); err == nil {
				most = math.Max(most, now)
			}
			time.Sleep(500 * time.Microsecond)
		}
	}()
	err = printXML(xml)
	enough()
	<-watched
	r.Value, r.OK = fmt.Sprintf("%.1f MiB over %.1f", most-idle, idle), most-idle <= paperGoal
	return r, err
}

// coupon is an authorised NFC-e.
func coupon(items int) string {
	const key = "42261123145678000168650010000043211876543211"
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe Id="NFe%s" versao="4.00">`, key)
	b.WriteString(`<ide><cUF>42</cUF><natOp>VENDA</natOp><mod>65</mod><serie>1</serie><nNF>4321</nNF><dhEmi>2026-11-14T10:32:05-03:00</dhEmi><tpNF>1</tpNF><tpImp>4</tpImp><tpEmis>1</tpEmis><tpAmb>1</tpAmb></ide>` +
		`<emit><CNPJ>23145678000168</CNPJ><xNome>Padaria e Confeitaria São João Ltda</xNome><enderEmit><xLgr>Rua das Acácias</xLgr><nro>100</nro><xBairro>Centro</xBairro><xMun>Florianópolis</xMun><UF>SC</UF><CEP>88010000</CEP></enderEmit><IE>251234567</IE></emit>`)
	for i := range items {
		fmt.Fprintf(&b, `<det nItem="%d"><prod><cProd>%d</cProd><xProd>Café torrado e moído nº %d</xProd><uCom>UN</uCom><qCom>2.0000</qCom><vUnCom>24.9900</vUnCom><vProd>49.98</vProd></prod></det>`, i+1, 7891000100000+i, i+1)
	}
	total := fmt.Sprintf("%.2f", 49.98*float64(items))
	fmt.Fprintf(&b, `<total><ICMSTot><vBC>0.00</vBC><vICMS>0.00</vICMS><vProd>%s</vProd><vFrete>0.00</vFrete><vSeg>0.00</vSeg><vDesc>0.00</vDesc><vOutro>0.00</vOutro><vNF>%[1]s</vNF></ICMSTot></total>`+
		`<pag><detPag><tPag>17</tPag><vPag>%[1]s</vPag></detPag></pag></infNFe>`, total)
	fmt.Fprintf(&b, `<infNFeSupl><qrCode>https://sat.sef.sc.gov.br/nfce/consulta?p=%s|3|1</qrCode><urlChave>https://sat.sef.sc.gov.br/nfce/consulta</urlChave></infNFeSupl></NFe>`+
		`<protNFe versao="4.00"><infProt><chNFe>%[1]s</chNFe><dhRecbto>2026-11-14T10:32:07-03:00</dhRecbto><nProt>342260000123456</nProt><cStat>100</cStat><xMotivo>Autorizado o uso da NF-e</xMotivo></infProt></protNFe></nfeProc>`, key)
	return b.String()
}
