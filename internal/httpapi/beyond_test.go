package httpapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/app"
)

func TestDrawer(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/drawer", nil).is(200, "Gaveta aberta")
	if jobs := m.printJobs(); len(jobs) != 0 {
		t.Errorf("a drawer took paper: %+v", jobs)
	}
	if all := m.entries("search=Gaveta"); len(all) != 1 || all[0].Message != "Gaveta aberta" {
		t.Errorf("the log has %+v", all)
	}
	m.drawers("1 open 1", "2 closed 0")
	m.call("POST", "/drawer", nil).ok()
	m.drawers("1 open 2", "2 closed 0")
	m.call("POST", "/emulator/drawer/close", nil).is(200, "Gaveta fechada com sucesso")
	m.drawers("1 closed 2", "2 closed 0")
	m.printACBr("<abre_gaveta>2</abre_gaveta>").is(200, printedOK)
	m.drawers("1 closed 2", "2 open 1")
	m.call("POST", "/print/text", `[{"text":"sem gaveta"}]`).ok()
	m.drawers("1 closed 2", "2 open 1")
	m.call("POST", "/emulator/reset", nil).ok()
	m.drawers("1 closed 0", "2 closed 0")

	m.call("POST", "/emulator/printer", `{"state":"offline"}`).ok()
	a := m.call("POST", "/drawer", nil).is(500, "Erro ao abrir a gaveta")
	if why := a.header.Get("X-Motivo"); why != "impressora fora do ar" {
		t.Errorf("X-Motivo %q", why)
	}
	m.drawers("1 closed 0", "2 closed 0")
	always := start(t, func(c *app.Config) { c.Printer.Drawer = true })
	always.call("POST", "/print/text", `[{"text":"com gaveta"}]`).ok()
	always.drawers("1 open 1", "2 closed 0")
	none := start(t, func(c *app.Config) { c.Printer.Address = "none" })
	if why := none.call("POST", "/drawer", nil).is(500, "Erro ao abrir a gaveta").header.Get("X-Motivo"); why != "terminal sem impressora" {
		t.Errorf("X-Motivo %q", why)
	}
}

// drawers checks how the emulator's are, and that one that was opened says when.
func (m *terminal) drawers(want ...string) {
	m.t.Helper()
	var all []struct {
		N, Openings int
		Open        bool
		OpenedAt    *time.Time
	}
	m.call("GET", "/emulator/drawer", nil).ok().into(&all)
	var got []string
	for _, d := range all {
		state := "closed"
		if d.Open {
			state = "open"
		}
		got = append(got, fmt.Sprint(d.N, " ", state, " ", d.Openings))
		if (d.OpenedAt != nil) != (d.Openings > 0) {
			m.t.Errorf("drawer %d was opened %d times, last at %v", d.N, d.Openings, d.OpenedAt)
		}
	}
	if !slices.Equal(got, want) {
		m.t.Errorf("drawers %q, want %q", got, want)
	}
}

func TestNotification(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/notification", `{"title":"Caixa 3","message":"Chame o gerente"}`).is(200, "Notificação enviada com sucesso")
	shown := m.screenNow().Notifications
	if len(shown) != 1 || shown[0]["title"] != "Caixa 3" || shown[0]["text"] != "Chame o gerente" || shown[0]["command"] != "POST /notification" {
		t.Errorf("the screen has %+v", shown)
	}
	for _, body := range []any{
		nil, "", `{`, `[]`, `{}`, `{"title":"a"}`, `{"message":"b"}`, `{"title":"","message":"b"}`, `{"title":" ","message":"b"}`, `{"title":5,"message":"b"}`,
		`{"title":"a","message":null}`, `{"title":"` + strings.Repeat("a", 1001) + `","message":"b"}`,
	} {
		m.call("POST", "/notification", body).is(400, "Corpo da requisição inválido").equals(`{"code":400,"message":"Corpo da requisição inválido"}`)
	}
	if n := len(m.screenNow().Notifications); n != 1 {
		t.Errorf("%d notifications after refused ones", n)
	}
	if newest := m.entries("level=warning&limit=1"); len(newest) != 1 || newest[0].Details == nil || !strings.Contains(*newest[0].Details, "title deve ter no máximo 1000 caracteres") {
		t.Errorf("the log does not say what was wrong: %+v", newest)
	}
}

func TestLogsWithoutDetails(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	for query, want := range map[string]bool{"": true, "&includeDetails=true": true, "&includeDetails=false": false} {
		all := m.entries("search=op%3D" + query) // found by its details, shown or not
		if len(all) == 0 {
			t.Fatalf("%q: nothing found", query)
		}
		for _, e := range all {
			if (e.Details != nil) != want {
				t.Errorf("%q: %+v", query, e)
			}
		}
	}
	m.call("GET", "/logs?includeDetails=talvez", nil).is(400, "Requisição inválida: includeDetails deve ser true ou false")
}

// The display shows what the paper has, codes as pictures.
func TestDisplayOfMoreThanText(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/display/text", `{"backgroundColor":"White","content":[{"text":"Oi"},{"line":{"content":"Meio","customization":{"alignment":1,"font_size":20}}},
		{"line":{"column":[{"row":{"content":"Total"}},{"row":{"content":"5,00","size":30,"customization":{"alignment":2,"font_style":{"bold":true}}}}]}},
		{"qrcode":{"content":"https://exemplo.com.br"}},{"barcode":{"content":"42"}},{"line":{"divider":true}}]}`).ok()
	m.displayed(`[{"kind":"text","backgroundColor":"#FFFFFF","showCloseButton":true,"content":[{"text":{"value":"Oi","size":16,"bold":false,"align":"left"}},
		{"text":{"value":"Meio","size":20,"bold":false,"align":"center"}},
		{"line":{"column":[{"row":{"content":"Total","size":70,"customization":{"font_size":16,"alignment":0,"font_style":{"bold":false,"italic":false}}}},
			{"row":{"content":"5,00","size":30,"customization":{"font_size":16,"alignment":2,"font_style":{"bold":true,"italic":false}}}}]}},
		{"qrcode":{"content":"https://exemplo.com.br"}},{"barcode":{"content":"42"}},{"line":{"divider":true}}]}]`)
	m.call("POST", "/display/clear", nil).ok()

	picture := pngBytes(t, noise(3, 2))
	m.call("POST", "/display/image?showCloseButton=false", picture).ok()
	m.displayed(`[{"kind":"image","contentType":"image/png","width":3,"height":2,"showCloseButton":false}]`)
	m.call("POST", "/display/image?showCloseButton=0", picture).is(400, "Requisição inválida: showCloseButton deve ser true ou false")
	many := strings.Repeat(`{"qrcode":{"content":"1"}},`, 20) + `{"qrcode":{"content":"1"}}`
	m.call("POST", "/display/text", `{"backgroundColor":"#fff","content":[`+many+`]}`).is(400, "Requisição inválida: content tem códigos demais: o limite é de 20")
	m.call("POST", "/display/text", `{"backgroundColor":"#fff","content":[{"barcode":{"content":"`+strings.Repeat("1", 200)+`"}}]}`).
		is(400, "Requisição inválida: content código de barras ou QR não cabe no papel")
}

// A field of the outer object that was put into an inner one is passed over there; the log says where it belongs.
func TestFieldsOfTheOuterObject(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.call("POST", "/ask", `{"parameters":{"timeout":10},"question":{"type":"CPF"}}`).ok()
	const want = "Campo desconhecido em POST /ask: parameters.timeout; talvez seja timeout, fora de parameters"
	if got := m.entries("level=debug"); len(got) != 1 || got[0].Message != want {
		t.Errorf("%+v", got)
	}
}

func TestUnknownFieldsAreToldOnceADay(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", `{"customername":"Ana","vendedor":"Rui"}`).ok()
	item := `{"code":"1","description":"Pão","quantity":1,"unitPrice":1,"total":1,"aditionalInfo":"x","additional_info":"y","code":"1"}`
	for range 3 {
		m.call("POST", "/sale/item", item).ok()
	}
	m.call("POST", "/sale/item", `{"code":"1","description":"Pão","quantity":1,"unitprice":1,"total":1}`).is(400, "Requisição inválida: unitPrice é obrigatório")
	m.call("POST", "/sale/item", `{"id":"7","code":"1","description":"Pão","quantity":1,"unitPrice":1,"total":1}`).ok()
	m.call("PATCH", "/sale/item/7", `{"id":"8","total":1}`).ok()
	m.call("POST", "/display/text", `{"backgroundColor":"#fff","content":[{"text":{"value":"a","colour":"red"}},{"text":{"value":"b","colour":"red","alignn":"left"}}]}`).ok()
	m.call("POST", "/print/text", `[{"line":{"content":"a","customization":{"fontsize":10,"font_style":{"italics":true}}}}]`).ok()
	var got []string
	for _, e := range m.entries("level=debug") {
		got = append(got, e.Message)
		if e.Details == nil || !strings.Contains(*e.Details, "op=") {
			t.Errorf("%+v", e)
		}
	}
	want := []string{ // newest first
		"Campo desconhecido em POST /print/text: [].line.customization.fontsize; talvez seja font_size",
		"Campo desconhecido em POST /print/text: [].line.customization.font_style.italics; talvez seja italic",
		"Campo desconhecido em POST /display/text: content[].text.alignn; talvez seja align",
		"Campo desconhecido em POST /display/text: content[].text.colour",
		"Campo desconhecido em POST /sale/item: additional_info; talvez seja additionalInfo",
		"Campo desconhecido em POST /sale/item: aditionalInfo; talvez seja additionalInfo",
		"Campo desconhecido em POST /sale: vendedor",
		"Campo desconhecido em POST /sale: customername; talvez seja customerName",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		out, _ := json.Marshal(got)
		t.Errorf("(-want +got):\n%s\n%s", diff, out)
	}
}
