package client_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/apptest/behindhub"
)

// picture is a small one that can be printed and shown.
func picture(t *testing.T) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 16, 16))
	for i := range 16 {
		img.SetGray(i, i, color.Gray{255})
	}
	var b bytes.Buffer
	must(t, png.Encode(&b, img))
	return b.Bytes()
}

// recorder notes what is sent.
type recorder struct {
	before string // the terminal's own paths
	mu     sync.Mutex
	seen   []string
}

func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	r.mu.Lock()
	r.seen = append(r.seen, q.Method+" "+strings.TrimPrefix(q.URL.EscapedPath(), r.before))
	r.mu.Unlock()
	return http.DefaultTransport.RoundTrip(q)
}

// Every operation of the interface has its call, and the terminal understands each of them.
func TestWholeInterface(t *testing.T) {
	t.Parallel()
	p, _ := start(t, "--platform", "android")
	sent := &recorder{}
	wholeInterface(t, connect(t, p.Base, client.WithTransport(sent)), sent)
}

// Through a hub only the address and the credentials are others.
func TestWholeInterfaceThroughAHub(t *testing.T) {
	t.Parallel()
	p, _ := start(t, "--platform", "android")
	hub := behindhub.Start(t)
	path := hub.Before(t, p.Data)
	sent := &recorder{before: path}
	c, err := client.New(hub.Plain()+path, hub.User, hub.Password, client.WithTransport(sent))
	must(t, err)
	t.Cleanup(c.Close)
	wholeInterface(t, c, sent)
}

func wholeInterface(t *testing.T, c *client.Client, sent *recorder) {
	t.Helper()
	ctx := t.Context()

	must(t, c.StartSale(ctx, client.Sale{CustomerName: "Ana", SellerName: "Bruno", CustomerDocument: "52998224725"}))
	must(t, c.UpdateSale(ctx, client.SaleChange{SellerName: client.Clear[string](), AdditionalInfo: client.Set("Mesa 4")}))
	id, err := c.AddItem(ctx, client.Item{ID: "a/b ç?.", Code: "789", Description: "Café 500 g", Quantity: "2", UnitPrice: "18.90", Discount: "1.80", Total: "36.00"})
	must(t, err)
	if id != "a/b ç?." {
		t.Errorf("the item's id came back as %q", id)
	}
	must(t, c.UpdateItem(ctx, id, client.ItemChange{Quantity: client.Set(client.Decimal("3")), Discount: client.Clear[client.Decimal](), Total: client.Set(client.Cents(5670))}))
	second, err := c.AddItem(ctx, client.Item{Code: "2", Description: "Pão de queijo kg", Quantity: "0.412", UnitPrice: "39.90", Total: "16.44"})
	must(t, err)
	must(t, c.CancelItem(ctx, second))
	third, err := c.AddItem(ctx, client.Item{ID: "..", Code: "3", Description: "Bala", Quantity: "1", UnitPrice: "0.10", Total: "0.10"})
	must(t, err)
	must(t, c.RemoveItem(ctx, third))
	cash, err := c.AddPayment(ctx, client.SalePayment{Type: client.TypeMoney, Value: "50"})
	must(t, err)
	must(t, c.UpdatePayment(ctx, cash, client.SalePaymentChange{Value: client.Set(client.Decimal("60.00")), Type: client.Set(client.TypePIX)}))
	gone, err := c.AddPayment(ctx, client.SalePayment{ID: "p 2", Value: "1"})
	must(t, err)
	must(t, c.RemovePayment(ctx, gone))

	coupon, err := c.AddDiscount(ctx, client.Adjustment{ID: "cupom/1", Description: "Cupom", Value: "2.00"})
	must(t, err)
	must(t, c.UpdateDiscount(ctx, coupon, client.AdjustmentChange{Value: client.Set(client.Decimal("-1.50"))}))
	delivery, err := c.AddAddition(ctx, client.Adjustment{Value: "1.50"})
	must(t, err)
	must(t, c.UpdateAddition(ctx, delivery, client.AdjustmentChange{Description: client.Set("Entrega")}))
	extra, err := c.AddAddition(ctx, client.Adjustment{Value: "7"})
	must(t, err)
	must(t, c.RemoveAddition(ctx, extra))
	other, err := c.AddDiscount(ctx, client.Adjustment{Value: "7"})
	must(t, err)
	must(t, c.RemoveDiscount(ctx, other))

	v, err := c.Sale(ctx)
	must(t, err)
	if diff := cmp.Diff([][]client.Adjustment{{{ID: coupon, Description: "Cupom", Value: "1.50"}}, {{ID: delivery, Description: "Entrega", Value: "1.50"}}},
		[][]client.Adjustment{v.Discounts, v.Additions}); diff != "" {
		t.Error(diff)
	}
	if v.Sale.OpenedAt.IsZero() {
		t.Error("the sale was opened at no time")
	}
	if diff := cmp.Diff(client.Sale{CustomerName: "Ana", CustomerDocument: "52998224725", AdditionalInfo: "Mesa 4"}, v.Sale.Sale); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]client.Item{
		{ID: id, Code: "789", Description: "Café 500 g", Quantity: "3", UnitPrice: "18.90", Total: "56.70"},
		{ID: second, Code: "2", Description: "Pão de queijo kg", Canceled: true, Quantity: "0.412", UnitPrice: "39.90", Total: "16.44"},
	}, v.Items); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]client.SalePayment{{ID: cash, Type: client.TypePIX, Value: "60.00"}}, v.Payments); diff != "" {
		t.Error(diff)
	}
	if !v.Summary.Change.Equal("3.3") || v.Summary.ItemCount != 1 {
		t.Errorf("summary %+v", v.Summary)
	}
	sold, err := c.FinalizeSale(ctx, client.Closing{Message: "Obrigado!", MessageInterval: new(0), ShowCloseButton: new(false)})
	must(t, err)
	must(t, c.StartSale(ctx, client.Sale{Total: "5.00"}))
	for _, list := range []client.List{client.Items, client.Payments, client.Discounts, client.Additions} {
		must(t, c.Clear(ctx, list))
	}
	must(t, c.ClearSale(ctx))
	_, err = c.CancelSale(ctx, client.Closing{ShowResultScreen: new(false)})
	must(t, err)
	past, err := c.EndedSale(ctx, sold)
	must(t, err)
	if past.ID != sold || past.Status != client.SaleFinalized || past.ClosedAt.Before(past.OpenedAt) || !cmp.Equal(past.Items, v.Items) || past.Summary != v.Summary {
		t.Errorf("the ended sale %+v", past)
	}
	ended, err := c.EndedSales(ctx, client.SaleFilter{Status: client.SaleCancelled, Since: past.OpenedAt, Until: time.Now().Add(time.Hour), Limit: 3})
	must(t, err)
	if len(ended) != 1 || ended[0].Sale.Total != "" {
		t.Errorf("cancelled %+v", ended)
	}

	answer, err := c.Ask(ctx, client.Parameters{ShowCancelButton: true}, client.Question{ID: 7, Type: client.AskCPF, DefaultValue: "529.982.247-25"})
	must(t, err)
	if answer != (client.Answer{ID: 7, Value: "52998224725"}) {
		t.Errorf("answered %+v", answer)
	}
	answers, err := c.AskForm(ctx, client.Parameters{}, client.Question{Text: "Nome?", DefaultValue: "Ana"},
		client.Question{Type: client.AskList, Options: []client.Choice{{ID: 1, Name: "Sim", Value: "s"}, {ID: 2, Name: "Não", Value: "n"}}})
	must(t, err)
	if diff := cmp.Diff([]client.Answer{{ID: 0, Value: "Ana"}, {ID: 1, Value: "s"}}, answers); diff != "" {
		t.Error(diff)
	}
	must(t, c.CancelAsk(ctx))

	must(t, c.PrintImage(ctx, picture(t)))
	must(t, c.PrintText(ctx, client.Write(client.Text{Value: "Recibo", Size: 24, Bold: true, Align: client.Center}), client.Divide(), client.Skip()))
	xml, err := os.ReadFile("../../internal/fiscal/testdata/nfce.xml")
	must(t, err)
	must(t, c.PrintXML(ctx, xml))
	must(t, c.PrintACBr(ctx, "</ce><n>Recibo</n>\n</linha_simples>\n</corte>"))
	must(t, c.PrintText(ctx, client.DrawQR(client.QRCode{Content: "https://exemplo.com.br", Size: 160, Level: "Q"}), client.DrawBars(client.Barcode{Content: "789100010010", Type: "ean13", Height: 60, ShowText: new(false)})))
	must(t, c.OpenDrawer(ctx))
	must(t, c.Notify(ctx, "Caixa 3", "Chame o gerente"))

	drawn := func(begins string) func([]byte, error) {
		return func(document []byte, err error) {
			must(t, err)
			if !bytes.HasPrefix(document, []byte(begins)) {
				t.Errorf("a document that begins with %.8q, not %q", document, begins)
			}
		}
	}
	drawn("\x89PNG")(c.RenderImage(ctx, picture(t), client.Drawing{}))
	drawn("%PDF")(c.RenderText(ctx, client.Drawing{Format: "pdf"}, client.Write(client.Text{Value: "Recibo"})))
	drawn("\x89PNG")(c.RenderXML(ctx, xml, client.Drawing{Format: "png", Width: 384}))
	drawn("\x1b@")(c.RenderACBr(ctx, "Recibo\n</corte>", client.Drawing{Format: "escpos"}))

	must(t, c.DisplayImage(ctx, picture(t)))
	must(t, c.DisplayFixedImage(ctx, picture(t)))
	must(t, c.DisplayText(ctx, client.DisplayPage{Content: []client.Instruction{client.Write(client.Text{Value: "Caixa livre"})}, BackgroundColor: "#fff"}))
	must(t, c.DisplayCarousel(ctx, client.Carousel{Images: [][]byte{picture(t)}, IntervalMs: new(500), Transition: "zoom", BackgroundColor: "#000"}))
	must(t, c.PopDisplay(ctx))
	must(t, c.ClearDisplay(ctx))

	paid, err := c.Pay(ctx, client.Payment{Method: client.Credit, Amount: "56.70", Reference: "pedido/1", Installments: 3, Plan: client.Seller, Details: map[string]any{"caixa": 4}})
	must(t, err)
	if paid.NSU == "" || paid.Message != "Transação aprovada" || paid.Details.Amount != "56.70" || paid.Details.Installments != 3 || string(paid.Details.Request) != `{"caixa":4}` {
		t.Errorf("paid %+v", paid)
	}
	known, err := c.Transaction(ctx, "pedido/1")
	must(t, err)
	if diff := cmp.Diff(paid, known); diff != "" {
		t.Error(diff)
	}
	all, err := c.Transactions(ctx, client.TransactionFilter{Status: client.Approved, Since: paid.Details.CreatedAt.AddDate(0, 0, -1), Limit: 5})
	must(t, err)
	if len(all) != 1 || all[0].NSU != paid.NSU {
		t.Errorf("listed %+v", all)
	}
	part, err := c.ReversePart(ctx, "pedido/1", client.Refund{Amount: "6.70", ID: "troca-1"})
	must(t, err)
	if d := part.Details; d.Status != client.Approved || part.Message != "Estorno aprovado" || d.Reversed != "6.70" || d.Reversal != nil ||
		len(d.Reversals) != 1 || d.Reversals[0].ID != "troca-1" || d.Reversals[0].Amount != "6.70" || d.Reversals[0].NSU == "" {
		t.Errorf("part reversed %+v", part)
	}
	back, err := c.Reverse(ctx, "pedido/1")
	must(t, err)
	if back.Details.Status != client.Reversed || back.Message != "Estorno aprovado" || back.Details.Reversal == nil {
		t.Errorf("reversed %+v", back)
	}

	entries, err := c.Logs(ctx, client.LogFilter{Level: "info", Source: "http", From: paid.Details.CreatedAt.AddDate(0, 0, -1), To: paid.Details.CreatedAt.AddDate(0, 0, 1), Limit: 3, Search: "/sale/item"})
	must(t, err)
	if len(entries) != 3 || !strings.Contains(entries[0].Message, "/sale/item") {
		t.Errorf("logs %+v", entries)
	}
	var packed bytes.Buffer
	must(t, c.DownloadLogs(ctx, client.LogFilter{Limit: 10, Search: "x"}, &packed))
	if _, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len())); err != nil {
		t.Error(err)
	}
	runs, err := c.StreamOperation(ctx)
	must(t, err)
	for o, err := range runs {
		must(t, err)
		if o != nil {
			t.Errorf("nothing runs, yet %+v", o)
		}
		break
	}
	if o, err := c.Operation(ctx); err != nil || o != nil {
		t.Errorf("nothing runs, yet %+v, %v", o, err)
	}
	if err := c.CancelOperation(ctx, client.Wish{Reference: "pedido/1"}); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("cancelled nothing: %v", err)
	}
	stream, err := c.StreamLogs(ctx)
	must(t, err)
	must(t, c.CancelAsk(ctx))
	for e, err := range stream {
		must(t, err)
		if strings.Contains(e.Message, "/ask/cancel") {
			break
		}
	}

	health, err := c.Status(ctx)
	must(t, err)
	info, err := c.Info(ctx)
	must(t, err)
	if health.Status != "ok" || info.Mode != "emulator" || info.Platform != "android" || !info.Active || info.Busy {
		t.Errorf("%+v %+v", health, info)
	}
	again, err := c.Restart(ctx)
	must(t, err)
	if !again.StartedAt.After(health.StartedAt) {
		t.Errorf("restarted at %v, started at %v", again.StartedAt, health.StartedAt)
	}
	for operation, shape := range operations(t) {
		if !matches(sent.seen, shape) {
			t.Errorf("no call of the client sends %s", operation)
		}
	}
}

// operations are those of the description, with the shape of their requests; not PUT, which does what PATCH does, the documentation, the emulator, nor what
// Prometheus reads.
func operations(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	text, err := os.ReadFile("../../internal/httpapi/apidoc/openapi.yaml")
	must(t, err)
	paths, _, _ := strings.Cut(string(text), "\ncomponents:")
	all, at := map[string]*regexp.Regexp{}, ""
	for line := range strings.Lines(paths) {
		if m := regexp.MustCompile(`^  (/\S*):`).FindStringSubmatch(line); m != nil {
			at = m[1]
		}
		m := regexp.MustCompile(`^    (get|post|patch|delete):`).FindStringSubmatch(line)
		if m == nil || at == "/" || regexp.MustCompile(`^/(emulator|docs|openapi|metrics)`).MatchString(at) {
			continue
		}
		operation := strings.ToUpper(m[1]) + " " + at
		all[operation] = regexp.MustCompile("^" + regexp.MustCompile(`\{[a-zA-Z]+\}`).ReplaceAllString(operation, "[^/]+") + "$")
	}
	if len(all) < 30 {
		t.Fatalf("the description has only %d operations", len(all))
	}
	return all
}

func matches(seen []string, shape *regexp.Regexp) bool {
	for _, s := range seen {
		if shape.MatchString(s) {
			return true
		}
	}
	return false
}
