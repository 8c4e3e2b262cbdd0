package tefip_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/httpapi/tefip"
)

// start runs a terminal with people who do as they are told at once.
func start(t testing.TB, compat string) sdk {
	t.Helper()
	c := apptest.Config(t)
	c.Autopilot, c.AutopilotDelay, c.Compat = true, time.Millisecond, compat
	s := apptest.Start(t, c)
	return sdk{t: t, base: "http://" + s.API.String(), screen: "http://" + s.Screen.String(), http: s.Client}
}

// fields are a body as the SDK writes it, which leaves no name out.
type fields = map[string]any

func cartItem(id string, quantity int, discount, total any) fields {
	return fields{
		"id": id, "code": "789", "description": "Café", "canceled": nil, "quantity": quantity, "unitPrice": 5, "discount": discount, "addition": nil,
		"total": total, "additionalInfo": nil,
	}
}

func TestSale(t *testing.T) {
	t.Parallel()
	s := start(t, tefip.Name)
	session := fields{"customerDocument": nil, "customerName": "Ana", "sellerName": nil, "additionalInfo": nil, "total": nil}
	coffee := item{ID: "1", Code: "789", Description: "Café", Quantity: 2, UnitPrice: 5, Discount: 1, Total: 9}
	more := coffee
	more.Quantity, more.Discount, more.Total = 3, 2, 13
	tea := item{ID: "2", Code: "789", Description: "Café", Quantity: 1, UnitPrice: 5, Total: 5}
	gone := tea
	gone.Canceled = true
	paid := salePayment{ID: "p", TPag: "01", Value: 13, Description: "Dinheiro"}
	paidLess := paid
	paidLess.Value = 10
	entry := func(value int) fields {
		return fields{"id": "p", "tPag": "01", "description": "Dinheiro", "value": value, "additionalInfo": nil}
	}
	bonus := adjustment{ID: "d", Description: "Clube", Value: 3}
	kept := sums{Subtotal: 13, ItemDiscount: 2, Total: 13}
	// Versions before 1.3 read the message and the id, the newer ones the entity or the coupon, all of the same answer.
	for _, step := range []struct {
		method, path string
		body         fields
		message      string
		id           string // where there is one
		want         any
	}{
		{"POST", "/sale", session, "Venda iniciada com sucesso", "", coupon{Customer: "Ana"}},
		{"POST", "/sale/item", cartItem("1", 2, -1.00, 9), "Item adicionado com sucesso", "itemId", coffee},
		{"PATCH", "/sale/item/1", cartItem("1", 3, -2, 13), "Item atualizado com sucesso", "itemId", more},
		{"POST", "/sale/item", cartItem("2", 1, nil, 5), "Item adicionado com sucesso", "itemId", tea},
		{"POST", "/sale/item/2/cancel", nil, "Item cancelado com sucesso", "itemId", coupon{Customer: "Ana", Items: []item{more, gone}, Sums: kept}},
		{"DELETE", "/sale/item/2", nil, "Item removido com sucesso", "itemId", coupon{Customer: "Ana", Items: []item{more}, Sums: kept}},
		{"POST", "/sale/discount", fields{"id": "d", "description": "Clube", "value": -2, "additionalInfo": nil}, "Desconto adicionado com sucesso", "discountId", adjustment{ID: "d", Description: "Clube", Value: 2}},
		{"PATCH", "/sale/discount/d", fields{"description": "Clube", "value": 3}, "Desconto atualizado com sucesso", "discountId", bonus},
		{"POST", "/sale/addition", fields{"id": "a", "value": 1}, "Acréscimo adicionado com sucesso", "additionId", adjustment{ID: "a", Value: 1}},
		{"DELETE", "/sale/addition/a", nil, "Acréscimo removido com sucesso", "additionId", coupon{
			Customer: "Ana", Items: []item{more}, Discounts: []adjustment{bonus}, Sums: sums{Subtotal: 13, Discount: 3, ItemDiscount: 2, Total: 10},
		}},
		{"DELETE", "/sale/discount/clear", nil, "Descontos removidos com sucesso", "", coupon{Customer: "Ana", Items: []item{more}, Sums: kept}},
		{"POST", "/sale/payment", entry(13), "Pagamento adicionado com sucesso", "paymentId", paid},
		{"PATCH", "/sale/payment/p", entry(10), "Pagamento atualizado com sucesso", "paymentId", paidLess},
		{"GET", "/sale", nil, "", "", coupon{Customer: "Ana", Items: []item{more}, Payments: []salePayment{paidLess}, Sums: kept}},
		{"DELETE", "/sale/payment/p", nil, "Pagamento removido com sucesso", "paymentId", coupon{Customer: "Ana", Items: []item{more}, Sums: kept}},
		{"PATCH", "/sale", fields{"sellerName": "Bruno"}, "Venda atualizada com sucesso", "", coupon{Customer: "Ana", Seller: "Bruno", Items: []item{more}, Sums: kept}},
		{"DELETE", "/sale/clear", nil, "Venda limpa com sucesso", "", coupon{Customer: "Ana", Seller: "Bruno"}},
	} {
		var body any
		if step.body != nil {
			body = step.body
		}
		answer := s.call(step.method, step.path, body)
		if answer.optionalText("message") != step.message || step.id != "" && answer.text(step.id) == "" {
			t.Errorf("%s %s, as before 1.3: %v", step.method, step.path, answer.m)
		}
		var got any
		switch step.want.(type) {
		case item:
			got = answer.item()
		case salePayment:
			got = answer.salePayment()
		case adjustment:
			got = answer.adjustment()
		case coupon:
			got = answer.coupon()
		}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s %s: %s", step.method, step.path, diff)
		}
	}
	if ended := s.call("POST", "/sale/finalize", fields{"message": nil, "showMessage": nil}); len(ended.m) != 1 || ended.text("message") != "Venda finalizada com sucesso" {
		t.Errorf("%v", ended.m)
	}
	if _, no := s.send("DELETE", "/sale/item/2", nil); no == nil || no.status != http.StatusConflict {
		t.Errorf("without a sale: %+v", no)
	}
}

func TestTransactions(t *testing.T) {
	t.Parallel()
	s := start(t, tefip.Name)
	began := float64(time.Now().Unix())
	charge := func(reference, tPag string, amount float64) fields {
		return fields{"tPag": tPag, "amount": amount, "referenceId": reference, "installments": 1, "installmentType": "single", "details": nil}
	}
	card := s.call("POST", "/transaction", charge("cartao", "03", 10)).payment()
	if card.NSU == "" || card.Message != "Transação aprovada" || card.CAut == "" || card.TBand == "" || len(card.CNPJ) != 14 || card.TxID != "" || card.TPag != "03" || card.Acquirer != "" {
		t.Errorf("%+v", card)
	}
	pix := s.call("POST", "/transaction", charge("pix", "17", 7.5)).payment()
	if pix.TxID == "" || pix.CAut != "" || pix.TPag != "17" {
		t.Errorf("%+v", pix)
	}
	if _, no := s.send("POST", "/transaction", charge("negada", "04", 0.51)); no == nil || no.status != http.StatusForbidden {
		t.Errorf("%+v", no)
	}
	if back := s.call("POST", "/transaction/pix/reversal", nil).payment(); back.TxID != pix.TxID || back.Message != "Estorno aprovado" {
		t.Errorf("%+v", back)
	}

	all := s.list("GET", "/transaction", nil)
	if len(all) != 3 {
		t.Fatalf("%d transactions", len(all))
	}
	for i, want := range []stored{
		{payment: card, Reference: "cartao", Type: "03", Status: "paid", InstallmentType: "single", Amount: 10, Installments: 1},
		{payment: pix, Reference: "pix", Type: "17", Status: "cancelled", InstallmentType: "single", Amount: 7.5, Installments: 1},
		{Reference: "negada", Type: "04", Status: "unknown", InstallmentType: "single", Amount: 0.51, Installments: 1},
	} {
		listed, alone := all[i].stored(), s.call("GET", "/transaction/"+want.Reference, nil).stored()
		if diff := cmp.Diff(listed, alone, cmp.AllowUnexported(stored{})); diff != "" {
			t.Error(diff)
		}
		if listed.Created < began || listed.Updated < listed.Created || listed.Payment["referenceId"] != want.Reference {
			t.Errorf("%+v", listed)
		}
		if reversed := listed.Reversal["nsu"] != nil; reversed != (want.Reference == "pix") {
			t.Errorf("%s: reversal %v", want.Reference, listed.Reversal)
		}
		listed.Created, listed.Updated, listed.Payment, listed.Reversal = 0, 0, nil, nil
		if want.NSU == "" || want.Reference == "pix" {
			listed.payment, want.payment = payment{}, payment{}
		}
		if diff := cmp.Diff(want, listed, cmp.AllowUnexported(stored{})); diff != "" {
			t.Error(diff)
		}
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	s := start(t, tefip.Name)
	if got := s.call("POST", "/ask", fields{"parameters": nil, "question": fields{"type": "CPF", "defaultValue": "52998224725"}}).answered(); got != "52998224725 529.982.247-25" {
		t.Error(got)
	}
	options := []fields{{"id": 1, "name": "Tamanho médio", "value": "M"}}
	form := s.list("POST", "/ask/form", fields{"questions": []fields{{"id": 1, "type": "LIST", "options": options}, {"id": 2, "type": "MONEY", "defaultValue": "1234.50"}}})
	if len(form) != 2 || form[0].answered() != "M Tamanho médio" || form[1].answered() != "1234.50 R$ 1.234,50" {
		t.Errorf("%v", form)
	}
}

func TestDisplayWithoutABackground(t *testing.T) {
	t.Parallel()
	s := start(t, tefip.Name)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	content := []fields{{"text": fields{"value": "Olá"}}}
	images := []string{base64.StdEncoding.EncodeToString(picture.Bytes())}
	for i, shown := range []struct {
		path, want string
		body       fields
	}{
		{"/display/text", "#FFFFFF", fields{"content": content}},
		{"/display/text", "#FFFFFF", fields{"content": content, "backgroundColor": nil}},
		{"/display/text", "#000", fields{"content": content, "backgroundColor": "#000"}},
		{"/display/carousel", "#FFFFFF", fields{"images": images, "backgroundColor": nil}},
	} {
		s.call("POST", shown.path, shown.body)
		stack, _ := optional[[]any](s.call("GET", "/emulator/screen", nil), "display")
		if len(stack) != i+1 {
			t.Fatalf("%d on the display", len(stack))
		}
		if top := s.object(stack[i]); top.text("backgroundColor") != shown.want {
			t.Errorf("%s %v: %v", shown.path, shown.body, top.m)
		}
	}
	if _, no := s.send("POST", "/display/text", fields{"content": content, "backgroundColor": "#zzz"}); no == nil || no.status != http.StatusBadRequest {
		t.Errorf("%+v", no)
	}
}

func TestLogs(t *testing.T) {
	t.Parallel()
	s := start(t, tefip.Name)
	stream, err := s.http.Do(s.request("GET", "/logs/stream", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	s.call("POST", "/sale", nil)
	var followed logEntry
	lines(t, stream.Body, func(o object) bool {
		followed = o.logEntry()
		return strings.HasPrefix(followed.Message, "POST /sale ")
	})
	found := false
	for _, o := range s.list("GET", "/logs?limit=20", nil) {
		found = found || o.logEntry() == followed
	}
	if !found || followed.Created < float64(time.Now().Add(-time.Hour).Unix()) {
		t.Errorf("%+v is not in the list", followed)
	}

	// The emulator's panel is on the inner side.
	panel := s
	panel.base = s.screen
	for _, o := range panel.list("GET", "/logs?limit=1", nil) {
		o.text("id")
		o.text("createdAt")
	}

	answer, err := s.http.Do(s.request("GET", "/logs/zip/download", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	packed, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	if name := answer.Header.Get("Content-Disposition"); name != `attachment; filename="tefip_logs.zip"` || len(archive.File) != 1 || archive.File[0].Name != "tefip_logs.log" {
		t.Errorf("%s with %v", name, archive.File)
	}
}

// Whether it is on is for everybody to see; off, it is not even named.
func TestInfo(t *testing.T) {
	t.Parallel()
	if on := start(t, tefip.Name).call("GET", "/info", nil); on.text("compat") != "tefip" {
		t.Errorf("%v", on.m)
	}
	off := start(t, "")
	if info := off.call("GET", "/info", nil); len(info.m) != 9 {
		t.Errorf("%v", info.m)
	}
	off.call("POST", "/sale", nil)
	if added := off.call("POST", "/sale/item", cartItem("1", 1, nil, 5)); len(added.m) != 2 {
		t.Errorf("%v", added.m)
	}
	for path, body := range map[string]fields{
		"/sale/item": cartItem("2", 2, -1, 9), "/display/text": {"content": []fields{}},
	} {
		if _, no := off.send("POST", path, body); no == nil || no.status != http.StatusBadRequest {
			t.Errorf("%s: %+v", path, no)
		}
	}
}

func TestBeside(t *testing.T) {
	t.Parallel()
	type message struct {
		Message string `json:"message"`
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(tefip.Beside(message{"a < b"}, tefip.Answer{DisplayValue: "c"})); err != nil || out.String() != `{"message":"a < b","displayValue":"c"}`+"\n" {
		t.Errorf("%s, %v", out.String(), err)
	}
}
