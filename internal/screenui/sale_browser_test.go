//go:build !race || everything

package screenui_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/thorough"
)

func TestSaleOnTheScreen(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	m.must("POST", "/sale", object{"customerName": "Ana Souza", "customerDocument": "52998224725", "sellerName": "Davi", "additionalInfo": "Mesa 4"})
	for _, words := range []string{"Ana Souza", "529.982.247-25", "Vendedor: Davi", "Mesa 4", "0 itens"} {
		p.says(".sale-head", words)
	}
	var ids []string
	for _, body := range []object{
		{"code": "1", "description": "Café", "quantity": 2, "unitPrice": 5.5, "total": 11},
		{"code": "2", "description": "Queijo", "quantity": 0.35, "unitPrice": 60, "discount": 1, "total": 20},
		{"code": "3", "description": "Pão", "quantity": 1, "unitPrice": 8, "addition": 0.5, "total": 8.5, "additionalInfo": "sem glúten"},
	} {
		ids = append(ids, m.must("POST", "/sale/item", body)["itemId"].(string))
	}
	row := func(i int) string { return fmt.Sprintf(`[data-item="%s"]`, ids[i]) }
	p.says(row(0), "2 × R$ 5,50")
	p.says(row(1), "0,35 × R$ 60,00 −R$ 1,00")
	p.says(row(2), "+R$ 0,50 sem glúten")
	p.says(`[data-sum="total"]`, "R$ 39,50")

	m.must("POST", "/sale/item/"+ids[1]+"/cancel", nil)
	p.says(row(1)+".is-canceled", "cancelado")
	p.sees(`getComputedStyle(document.querySelector('%s .item-name')).textDecorationLine === "line-through"`, row(1))
	p.says(`[data-sum="total"]`, "R$ 19,50")
	p.says(".sale-count", "2 itens")
	m.must("DELETE", "/sale/item/"+ids[2], nil)
	p.lacks(row(2))
	p.says(`[data-sum="total"]`, "R$ 11,00")

	less := m.must("POST", "/sale/discount", object{"description": "Cupom de aniversário", "value": 3})["discountId"].(string)
	more := m.must("POST", "/sale/addition", object{"value": 2, "additionalInfo": "até 5 km"})["additionId"].(string)
	line := func(id string) string { return fmt.Sprintf(`[data-adjustment="%s"]`, id) }
	p.says(line(less), "Cupom de aniversário Desconto −R$ 3,00")
	p.says(line(more), "Acréscimo até 5 km +R$ 2,00")
	p.says(`[data-sum="subtotal"]`, "R$ 11,00")
	p.says(`[data-sum="discount"]`, "−R$ 3,00")
	p.says(`[data-sum="addition"]`, "R$ 2,00")
	p.says(`[data-sum="total"]`, "R$ 10,00")
	m.must("PATCH", "/sale/discount/"+less, object{"description": "Fidelidade", "value": 4})
	p.says(line(less), "Fidelidade Desconto −R$ 4,00")
	m.must("PUT", "/sale", object{"total": 9.5}) // the caller's total is what the customer sees, and owes
	p.says(`[data-sum="total"]`, "R$ 9,50")
	p.lacks(`[data-sum="due"]`) // the same figure twice
	m.must("PUT", "/sale", object{"total": nil})
	m.must("DELETE", "/sale/discount/clear", nil)
	m.must("DELETE", "/sale/addition/"+more, nil)
	p.lacks(line(less))
	p.lacks(line(more))
	p.lacks(`.sum:not(.hero)`) // what is zero

	m.must("POST", "/sale/payment", object{"tPag": "17", "value": 5})
	p.says(".sale-payments", "PIX")
	p.says(`[data-sum="due"]`, "Falta pagar R$ 6,00")
	paid := m.must("POST", "/sale/payment", object{"tPag": "money", "value": 10})["paymentId"].(string)
	p.says(`[data-sum="change"]`, "Troco R$ 4,00")
	p.says(`[data-payment="`+paid+`"]`, "Dinheiro")
	m.must("PATCH", "/sale/payment/"+paid, object{"value": 6})
	p.finds(`[data-sum="settled"]`)
	rest := []string{paid}
	for range 4 {
		rest = append(rest, m.must("POST", "/sale/payment", object{"tPag": "money", "value": 1})["paymentId"].(string))
	}
	p.says(".sale-payments", "+2 anteriores")
	p.sees(`document.querySelectorAll(".sale-payments [data-payment]").length === 4`)
	for _, id := range rest {
		m.must("DELETE", "/sale/payment/"+id, nil)
	}
	p.lacks(`[data-payment="` + paid + `"]`)
	p.says(`.hero[data-sum="due"]`, "R$ 6,00")

	m.must("POST", "/sale/finalize", object{"message": "Volte sempre", "buttonCloseText": "Até logo", "messageInterval": 60000})
	p.says(`[data-view="closing"]`, "Venda finalizada Volte sempre")
	p.says(`[data-do="close"]`, "Até logo")
	p.push("close")
	p.view("idle")

	m.must("POST", "/sale", object{})
	p.says(`[data-view="sale"] h1`, "Sua compra")
	m.must("POST", "/sale/payment", object{"tPag": "money", "value": 5})
	m.must("POST", "/sale/cancel", object{"messageInterval": 600000, "showCloseButton": false})
	p.says(`[data-view="closing"]`, "Venda cancelada Foram pagos R$ 5,00 nesta venda. Devolva ao cliente.")
	p.lacks(`[data-do="close"]`)
	m.must("POST", "/sale", object{})
	p.view("sale")
	m.must("POST", "/sale/cancel", object{"messageInterval": 300, "showCloseButton": false})
	p.view("idle") // by itself; a busy machine may never show what does not stay
}

// A payment's result and the message of the sale it paid are one movement: the message's time begins when it is seen.
func TestClosingFollowsTheResult(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m, browsertest.Moving)
	sell := func(ending object) {
		t.Helper()
		m.must("POST", "/sale", object{})
		m.must("POST", "/sale/item", object{"code": "1", "description": "Café", "quantity": 1, "unitPrice": 149.9, "total": 149.9})
		p.paysByCard("approved")
		m.must("POST", "/sale/payment", object{"tPag": "credit", "value": 149.9})
		m.must("POST", "/sale/payment", object{"tPag": "money", "value": 12.5})
		m.must("POST", "/sale/finalize", ending)
		if closing := m.must("GET", "/emulator/screen", nil)["closing"]; closing == nil {
			t.Error("the message was gone before anybody could see it")
		}
		p.verdict("approved", "Aprovado")
		p.dismiss()
	}
	sell(object{"messageInterval": 1})
	p.view("idle")
	sell(object{"message": "Obrigado!", "messageInterval": 600000})
	p.says(`[data-view="closing"].goes-on`, "Venda finalizada Obrigado! Total R$ 149,90 Troco R$ 12,50")
	p.sees(`parseFloat(getComputedStyle(document.querySelector(".closing-change b")).fontSize) > 2 * parseFloat(getComputedStyle(document.querySelector(".closing-total")).fontSize)`)
	p.fits("closing")
	const passed = `document.querySelector(".closing-time").getAnimations()[0].effect.getComputedTiming().progress * 600000`
	p.sees(passed + " > 2000")
	before := browsertest.Eval[float64](t, p.ctx, passed)
	p.do(chromedp.Reload())
	p.view("closing")
	if after := browsertest.Eval[float64](t, p.ctx, passed); after < before {
		t.Errorf("of the message's time %v ms had passed, after a reload %v", before, after)
	}
}

// watchPlaces notes in every frame where the fixed parts of the sale are.
const watchPlaces = `void (() => {
	window.places = new Set();
	const look = () => {
		if (!document.querySelector("[data-view=sale]")) return;
		places.add([".bar", ".sale-head", ".sum.hero", ".sale-totals"].map(s => {
			const {x, y, width, height} = document.querySelector(s).getBoundingClientRect();
			return s + " " + [x, y, width, height].join();
		}).join("; "));
		requestAnimationFrame(look);
	};
	look();
})()`

func TestLongSale(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m, browsertest.Moving)
	wide := p.another(browsertest.Window(1024, 768))
	m.must("POST", "/sale", object{})
	m.must("POST", "/sale/item", item("Sacola"))
	m.must("POST", "/sale/payment", object{"tPag": "money", "value": 3}) // from now on the large figure is what is due
	for _, p := range []*page{p, wide} {
		p.finds(`.hero[data-sum="due"]`)
		p.lacks(".has-toast")
		browsertest.Eval[bool](t, p.ctx, browsertest.Rest)
		p.do(chromedp.Evaluate(watchPlaces, nil))
	}
	many := thorough.Rounds(200, 500)
	for i := 1; i < many; i++ {
		m.must("POST", "/sale/item", object{
			"code": fmt.Sprint(i), "description": fmt.Sprint("Produto de nome comprido número ", i+1), "quantity": 1 + i%3, "unitPrice": 9.99, "total": 9.99 * float64(1+i%3),
		})
		if i%100 == 50 {
			m.must("POST", "/sale/payment", object{"tPag": "money", "value": 3})
		}
	}
	for _, p := range []*page{p, wide} {
		p.says(".sale-count", fmt.Sprint(many, " itens"))
		p.says(fmt.Sprintf(`.vlist-row[aria-posinset="%d"]`, many), fmt.Sprint("Produto de nome comprido número ", many))
		if places := browsertest.Eval[[]string](t, p.ctx, `[...places]`); len(places) != 1 {
			t.Errorf("while items came, what should stay moved: %q", places)
		}
		p.scrolls(many)
	}
}

// scrolls goes to the top of the list, through its middle and back to its end.
func (p *page) scrolls(many int) {
	p.t.Helper()
	drawn := func(first, last int) {
		p.t.Helper()
		// Whatever is in sight of the box is drawn, and little more.
		p.sees(`(() => {
			const box = document.querySelector(".vlist-box").getBoundingClientRect();
			const rows = [...document.querySelectorAll(".vlist-row")];
			const seen = rows.filter(r => r.getBoundingClientRect().bottom > box.top + 1 && r.getBoundingClientRect().top < box.bottom - 1);
			const height = seen.reduce((sum, r) => sum + r.getBoundingClientRect().height, 0);
			return rows.length <= 60 && height >= box.height - 1 && seen.some(r => r.ariaPosInSet >= %d && r.ariaPosInSet <= %d);
		})()`, first, last)
	}
	scroll := func(to string) {
		p.do(chromedp.Evaluate(`void (document.querySelector(".vlist-box").scrollTop = `+to+`)`, nil))
	}
	drawn(many, many)
	scroll("0")
	drawn(1, 1)
	scroll(`document.querySelector(".vlist-all").offsetHeight / 2`)
	drawn(many/2-20, many/2+20)
	id := p.m.must("POST", "/sale/item", item("Mais um"))["itemId"].(string)
	p.says(`[data-do="newest"]`, "1 item novo")
	drawn(many/2-20, many/2+20) // whoever reads is not torn away
	p.push("newest")
	p.says(`[data-item="`+id+`"]`, "Mais um")
	p.lacks(`[data-do="newest"]`)
	p.m.must("DELETE", "/sale/item/"+id, nil)
	p.lacks(`[data-item="` + id + `"]`)
	drawn(many, many)
}
