package referee

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each mistake with its innocent neighbours; faults are given as RULE@REQUEST.
func TestRules(t *testing.T) {
	const print = "POST /print/text"
	open, ten := do(openSale, 200), item("1", "10.00")
	polls := func(callers int, pause time.Duration) func(*story) { // by turns
		return func(s *story) {
			s.clock = s.clock.Add(pause - 10*time.Millisecond - time.Second)
			do("GET /info", 200, by(fmt.Sprint(len(s.all)%callers)))(s)
		}
	}
	for _, test := range []struct {
		name  string
		story *story
		want  string
	}{
		{"nothing", tell(), "nothing-tested@0"},
		{"nothing but the documentation", tell(do("", 200)), "nothing-tested@0"},
		{"nothing before all was switched off", tell(graceOf(5 * time.Second)), ""},
		{"nothing for long", tell(times(9, do("", 200)), graceOf(5*time.Second)), "nothing-tested@0"},
		{"a whole sale", tell(open, ten, do(ask, 200), paid("a", "10.00"), closing("10.00", "10.00", "0"), do("POST /print/text", 200)), ""},

		{"busy, and no more", tell(attempt("a", "1.00", 503, busy)), "busy-not-retried@1"},
		{"busy, then tried again", tell(attempt("a", "1.00", 503, busy), paid("a", "1.00")), ""},
		{"busy until patience ends", tell(times(5, attempt("a", "1.00", 503, busy))), ""},
		{"busy print, then cancelled", tell(do("POST /print/xml", 503, busy), do(cancel, 200)), "busy-not-retried@1"},
		{"busy print, another printed", tell(do("POST /print/xml", 503, busy), do("POST /print/text", 200)), "busy-not-retried@1"},
		{"busy print, tried again", tell(do("POST /print/xml", 503, busy), do(openSale, 200), do("POST /print/xml", 500, message("Erro ao imprimir"))), ""},
		{"busy question", tell(do(ask, 503, busy), do(askForm, 200)), "busy-not-retried@1"},
		{"busy display", tell(do("POST /display/clear", 503, busy)), ""},
		{"busy with this very payment", tell(attempt("a", "1.00", 503, busy), looks("a", 200, told("approved", "1.00"))), ""},
		{"busy with a payment that was not read", tell(do(pay, 503, busy), looks("a", 200, told("approved", "1.00"))), ""},
		{"busy with another payment", tell(attempt("a", "1.00", 503, busy), looks("b", 200, told("approved", "1.00"))), "busy-not-retried@1"},
		{"busy, looked up as pending", tell(attempt("a", "1.00", 503, busy), looks("a", 200, told("pending", "1.00"))), "busy-not-retried@1"},
		{"busy reversal, another reversed", tell(do(reverse, 503, busy, ref("a")), do(reverse, 200, ref("b"))), "busy-not-retried@1"},
		{"busy when all was switched off", tell(attempt("a", "1.00", 503, busy), graceOf(5*time.Second)), ""},
		{"busy long before all was switched off", tell(attempt("a", "1.00", 503, busy), times(9, do("GET /status", 200)), graceOf(5*time.Second)), "busy-not-retried@1"},
		{"background, and no more", tell(attempt("a", "1.00", 503, background)), "background-not-retried@1"},
		{"background, then tried again", tell(attempt("a", "1.00", 503, background), paid("a", "1.00")), ""},
		{"background, then the sale cancelled", tell(attempt("a", "1.00", 503, background), do(cancel, 200)), ""},
		{"background, then paid in cash", tell(open, ten, attempt("a", "10.00", 503, background), closing("10.00", "0", "10.00")), ""},
		{"background, the next sale paid", tell(attempt("a", "10.00", 503, background), open, ten, paid("b", "25.00")), "background-not-retried@1"},

		{"busy, the sale left, the next one paid", tell(attempt("a", "10.00", 503, busy), paid("b", "25.00")), "busy-not-retried@1"},
		{"busy and not read, another paid", tell(do(pay, 503, busy), paid("b", "25.00")), ""},
		{"busy, a part paid", tell(attempt("a", "10.00", 503, busy), paid("b", "4.00")), ""},
		{"busy, tried again under another reference", tell(attempt("a", "10.00", 503, busy), paid("b", "10.00")), ""},
		{"busy, the sale left open, another asked for", tell(open, ten, attempt("a", "10.00", 503, busy), do(openSale, 409, active)), "busy-not-retried@3"},
		{"busy, paid with more in the same sale", tell(open, ten, attempt("a", "10.00", 503, busy), ten, paid("b", "20.00"), closing("20.00", "20.00", "0")), ""},
		{"busy, paid in cash", tell(open, ten, attempt("a", "10.00", 503, busy), closing("10.00", "0", "10.00")), ""},
		{"busy, the sale cancelled, the next one paid", tell(open, ten, attempt("a", "10.00", 503, busy), do(cancel, 200), open, ten, paid("b", "25.00")), ""},
		{"busy before its sale, paid in cash", tell(attempt("a", "10.00", 503, busy), open, ten, closing("10.00", "0", "10.00")), ""},
		{"busy, cancelled without credentials", tell(attempt("b", "5.00", 503, busy), do(cancel, 401)), "busy-not-retried@1"},
		{"busy, finalized unpaid", tell(open, ten, attempt("a", "10.00", 503, busy), closing("10.00", "0", "0")), "finalize-uncovered@4"},
		{"busy reversal, cancelled", tell(open, do(reverse, 503, busy, ref("a")), do(cancel, 200)), "busy-not-retried@2"},
		{"busy reversal, tried again", tell(do(reverse, 503, busy, ref("a")), do(reverse, 200, ref("a"))), ""},
		{"busy at two payments by turns", tell(times(3, func(s *story) { attempt("a", "1.00", 503, busy)(s); attempt("b", "2.00", 503, busy)(s) })), ""},

		{"busy question, the sale cancelled", tell(open, ten, do(ask, 503, busy), do(cancel, 200)), ""},
		{"busy question, given up", tell(open, ten, do(ask, 503, busy), do(cancelAsk, 409)), ""},
		{"busy question, asked again", tell(open, do(ask, 503, busy, about("CPF")), do(ask, 200, about("CPF"))), ""},
		{"busy question, another asked", tell(open, do(ask, 503, busy, about("CPF")), do(ask, 200, about("CEP"))), "busy-not-retried@2"},
		{"busy question, the next customer asked", tell(open, ten, do(ask, 503, busy, about("CPF")), paid("a", "10.00"), closing("10.00", "10.00", "0"), do(ask, 200, about("CPF"))), "busy-not-retried@3"},
		{"busy question, a payment looked up", tell(do(ask, 503, busy), looks("a", 200, told("approved", "1.00"))), "busy-not-retried@1"},
		{"busy at two customers' questions", tell(times(2, func(s *story) { open(s); do(ask, 503, busy, about("CPF"))(s); closing("0", "0", "0")(s) })), "busy-not-retried@2 busy-not-retried@5"},

		{"busy print, printed with another time on it", tell(do(print, 503, busy, about("10:00")), do(print, 200, about("10:01"))), ""},
		{"busy print, the next sale's printed", tell(do(print, 503, busy, about("a")), open, do(print, 200, about("b"))), "busy-not-retried@1"},
		{"busy print, printed after the next sale", tell(do(print, 503, busy, about("a")), open, do(print, 200, about("b")), do(print, 200, about("a"))), ""},
		{"busy print within a sale, cancelled", tell(open, ten, do(print, 503, busy), do(cancel, 200)), ""},

		{"no acquirer", tell(attempt("a", "1.00", 503, message("Nenhum adquirente configurado neste terminal"))), ""},

		{"no reference", tell(paid("", "1.00")), "payment-without-reference@1"},
		{"no reference, nor anything else right", tell(attempt("", "0", 400)), ""},
		{"under way when all ended", tell(attempt("", "0", 0, func(x *Exchange) { x.Answered = time.Time{} })), ""},
		{"a reference for two charges", tell(paid("a", "1.00"), attempt("a", "2.00", 409, used)), "reference-reused@2"},
		{"a reference again after a refusal", tell(attempt("a", "1.00", 403), paid("a", "2.00")), ""},
		{"a reference again after a lost answer", tell(paid("a", "1.00", cut), paid("a", "1.00")), ""},
		{"a reference that paid two sales", tell(
			open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0"),
			open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0")), "reference-reused@7"},
		{"a finished charge replayed for nothing", tell(open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0"), paid("a", "10.00")), ""},

		{"a lost answer, and no more", tell(paid("a", "1.00", cut)), "lost-answer-not-looked-up@1"},
		{"a lost answer, found", tell(paid("a", "1.00", cut), looks("a", 200, told("approved", "1.00"))), ""},
		{"a lost answer, found in the list", tell(paid("a", "1.00", cut), do(list, 200)), ""},
		{"a lost answer, asked for without credentials", tell(paid("a", "1.00", cut), looks("a", 401)), "lost-answer-not-looked-up@1"},
		{"another reference looked up", tell(paid("a", "1.00", cut), looks("b", 404)), "lost-answer-not-looked-up@1"},
		{"an unknown outcome, and no more", tell(attempt("a", "1.00", 503, unknown)), "lost-answer-not-looked-up@1"},
		{"an unknown outcome, looked up", tell(attempt("a", "1.00", 503, unknown), looks("a", 200, told("pending", "1.00"))), ""},
		{"stopping before the payment was read, sent again", tell(do(pay, 503, stopping), paid("a", "1.00")), ""},
		{"stopping before the payment was read, looked up", tell(do(pay, 503, stopping), looks("a", 404)), ""},
		{"stopping before the payment was read, and no more", tell(do(pay, 503, stopping)), "lost-answer-not-looked-up@1"},
		{"a lost reversal, and no more", tell(do(reverse, 200, ref("a"), cut)), "lost-answer-not-looked-up@1"},
		{"a lost reversal, sent again", tell(do(reverse, 200, ref("a"), cut), do(reverse, 409, ref("a"))), ""},
		{"charged anew after a lost answer", tell(paid("a", "1.00", cut), paid("b", "1.00")), "double-charge-danger@2"},
		{"charged anew and no reference", tell(paid("", "1.00", cut), paid("", "1.00")), "payment-without-reference@1 payment-without-reference@2 double-charge-danger@2"},
		{"charged anew once it was known to have failed", tell(paid("a", "1.00", cut), looks("a", 200, told("cancelled", "1.00")), paid("b", "1.00")), ""},
		{"charged anew once it was known not to have come", tell(paid("a", "1.00", cut), looks("a", 404), paid("b", "1.00")), ""},
		{"charged anew while it was pending", tell(paid("a", "1.00", cut), looks("a", 200, told("pending", "1.00")), paid("b", "1.00")), "double-charge-danger@3"},
		{"pending, the sale cancelled, the next customer's price the same", tell(open, ten, attempt("a", "10.00", 503, unknown), looks("a", 200, told("pending", "10.00")), do(cancel, 200), open, ten, paid("b", "10.00"), closing("10.00", "10.00", "0")), ""},
		{"never looked up, the sale cancelled, the next customer's price the same", tell(open, ten, attempt("a", "10.00", 503, unknown), do(cancel, 200), open, ten, paid("b", "10.00"), closing("10.00", "10.00", "0")), "lost-answer-not-looked-up@3"},
		{"pending, charged anew in the same sale", tell(open, ten, attempt("a", "10.00", 503, unknown), looks("a", 200, told("pending", "10.00")), paid("b", "10.00")), "double-charge-danger@5"},
		{"another charge, and the lost one never found", tell(paid("a", "1.00", cut), paid("b", "2.00")), "lost-answer-not-looked-up@1"},
		{"a lost answer when all was switched off", tell(paid("a", "1.00", cut), graceOf(5*time.Second)), ""},

		{"parts with names", tell(part("a", "4.00", "x", 200), part("a", "4.00", "y", 200)), ""},
		{"a part without a name", tell(part("a", "4.00", "", 200)), "reversal-without-id@1"},
		{"a part without a name, nor anything else right", tell(part("a", "0", "", 400)), ""},
		{"a name for two parts", tell(part("a", "4.00", "x", 200), part("a", "5.00", "x", 409, message("reversalId já utilizado em outro estorno desta transação"))), "reversal-id-reused@2"},
		{"more than is left", tell(part("a", "4.00", "x", 409, message("Valor maior do que o disponível para estorno"))), ""},
		{"a lost part, and no more", tell(part("a", "4.00", "x", 200, cut)), "lost-answer-not-looked-up@1"},
		{"a lost part, sent again", tell(part("a", "4.00", "x", 200, cut), part("a", "4.00", "x", 200)), ""},
		{"a lost part, looked up", tell(part("a", "4.00", "x", 200, cut), looks("a", 200, back("approved", "10.00", "4.00"))), ""},
		{"a lost part, all given back", tell(part("a", "4.00", "x", 200, cut), do(reverse, 200, ref("a"))), ""},
		{"a lost part, given back under another name", tell(part("a", "4.00", "x", 200, cut), part("a", "4.00", "y", 200)), "double-reversal-danger@2"},
		{"a lost part without a name, sent again", tell(part("a", "4.00", "", 200, cut), part("a", "4.00", "", 200)), "reversal-without-id@1 reversal-without-id@2 double-reversal-danger@2"},
		{"a lost part, looked up, then another like it", tell(part("a", "4.00", "x", 200, cut), looks("a", 200, back("approved", "10.00", "4.00")), part("a", "4.00", "y", 200)), ""},
		{"a lost part, another given back", tell(part("a", "4.00", "x", 200, cut), part("a", "5.00", "y", 200)), "lost-answer-not-looked-up@1"},
		{"a lost part of another payment", tell(part("a", "4.00", "x", 200, cut), part("b", "4.00", "y", 200)), "lost-answer-not-looked-up@1"},
		{"a part given back before the end", tell(open, ten, paid("a", "10.00"), part("a", "4.00", "x", 200, back("approved", "10.00", "4.00")), closing("10.00", "10.00", "0")), "finalize-unapproved@5"},
		{"a part given back, the rest in cash", tell(open, ten, paid("a", "10.00"), part("a", "4.00", "x", 200, back("approved", "10.00", "4.00")), closing("10.00", "6.00", "4.00")), ""},
		{"a part given back of a sale that is over", tell(open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0"), part("a", "4.00", "x", 200, back("approved", "10.00", "4.00"))), ""},

		{"called off in time", tell(open, ten, attempt("a", "10.00", 403, took(9*time.Second)), meanwhile, do(callOff, 202, ref("a")), do(cancel, 200)), ""},
		{"called off too late, and cancelled", tell(open, ten, paid("a", "10.00", took(9*time.Second)), meanwhile, do(callOff, 202, ref("a")), do(cancel, 200)), "cancel-taken-for-outcome@5"},
		{"called off too late, cancelled and given back", tell(open, ten, paid("a", "10.00", took(9*time.Second)), meanwhile, do(callOff, 202, ref("a")), do(cancel, 200), func(s *story) { s.clock = s.clock.Add(time.Minute) }, do(reverse, 200, ref("a"), told("reversed", "10.00"))), ""},
		{"called off too late, cancelled once that was known", tell(open, ten, paid("a", "10.00", took(9*time.Second)), meanwhile, do(callOff, 202, ref("a")), func(s *story) { s.clock = s.clock.Add(time.Minute) }, do(cancel, 200)), ""},
		{"a wish that was refused, and cancelled", tell(open, ten, paid("a", "10.00", took(9*time.Second)), meanwhile, do(callOff, 409, ref("a")), do(cancel, 200)), ""},
		{"called off and hung up", tell(attempt("a", "10.00", 0, hungUp(9*time.Second)), meanwhile, do(callOff, 202, ref("a"))), "lost-answer-not-looked-up@1"},
		{"called off, hung up and looked up", tell(attempt("a", "10.00", 0, hungUp(9*time.Second)), meanwhile, do(callOff, 202, ref("a")), func(s *story) { s.clock = s.clock.Add(time.Minute) }, looks("a", 200, told("cancelled", "10.00"))), ""},
		{"a question called off and hung up", tell(do(ask, 0, hungUp(9*time.Second)), meanwhile, do(callOff, 202)), ""},
		{"busy, then called off", tell(attempt("a", "1.00", 503, busy), do(callOff, 404, ref("a"))), ""},
		{"busy, another called off", tell(attempt("a", "1.00", 503, busy), do(callOff, 202, ref("b"))), "busy-not-retried@1"},
		{"busy question, then called off", tell(open, do(ask, 503, busy), do(callOff, 404)), ""},
		{"the running operation, without a pause", tell(times(31, func(s *story) { soon(s); do("GET /operation", 200)(s) })), "polling-too-fast@1"},
		{"the running operation's stream", tell(times(31, func(s *story) { soon(s); do("GET /operation/stream", 200)(s) })), ""},

		{"finalized while it was being paid", tell(open, ten, paid("a", "10.00", took(9*time.Second)), meanwhile, closing("10.00", "10.00", "0")), "finalize-during-payment@4"},
		{"finalized while a busy payment was turned away", tell(open, ten, paid("a", "10.00"), attempt("b", "10.00", 503, busy, took(1500*time.Millisecond)), meanwhile, closing("10.00", "10.00", "0"), attempt("b", "10.00", 403)), ""},
		{"finalized after a refusal", tell(open, ten, attempt("a", "10.00", 403), closing("10.00", "10.00", "0")), "finalize-unapproved@4"},
		{"finalized in cash after a refusal", tell(open, ten, attempt("a", "10.00", 403), closing("10.00", "0", "10.00")), ""},
		{"finalized without any payment here", tell(open, ten, closing("10.00", "10.00", "0")), "finalize-unapproved@3"},
		{"finalized half paid", tell(open, ten, paid("a", "5.00"), closing("10.00", "5.00", "0")), "finalize-uncovered@4"},
		{"finalized unpaid", tell(open, ten, closing("10.00", "0", "0")), "finalize-uncovered@3"},
		{"nothing to pay", tell(open, closing("0", "0", "0")), ""},
		{"paid and not recorded", tell(open, ten, paid("a", "10.00"), closing("10.00", "0", "0")), ""},
		{"two cards", tell(open, ten, paid("a", "4.00"), paid("b", "6.00"), closing("10.00", "10.00", "0")), ""},
		{"card and too much cash", tell(open, ten, paid("a", "4.00"), closing("10.00", "4.00", "50.00")), ""},
		{"paid before the sale", tell(paid("a", "10.00"), open, ten, closing("10.00", "10.00", "0")), ""},
		{"paid, cancelled, and sold again", tell(open, ten, paid("a", "10.00"), do(cancel, 200), open, ten, closing("10.00", "10.00", "0")), ""},
		{"reversed before the end", tell(open, ten, paid("a", "10.00"), do(reverse, 200, ref("a"), told("reversed", "10.00")), closing("10.00", "10.00", "0")), "finalize-unapproved@5"},
		{"a lost approval, found", tell(open, ten, paid("a", "10.00", cut), looks("a", 200, told("approved", "10.00")), closing("10.00", "10.00", "0")), ""},
		{"a lost approval, found in the list", tell(open, ten, paid("a", "10.00", cut), do(list, 200), closing("10.00", "10.00", "0")), ""},
		{"a lost approval, taken for one", tell(open, ten, paid("a", "10.00", cut), closing("10.00", "10.00", "0")), "lost-answer-not-looked-up@3 finalize-unapproved@4"},
		{"entries that take others back", tell(open, ten, closing("10.00", "10.00", "0", func(x *Exchange) {}), func(s *story) { s.all[2].Sale.Cancels = true }), ""},
		{"a finalize that was refused", tell(do(finalize, 409)), ""},

		{"a refused item charged", tell(open, ten, refusedItem("2", "5.00"), paid("a", "15.00"), closing("10.00", "15.00", "0")), "refused-item-charged@3"},
		{"a refused item mended", tell(open, ten, refusedItem("2", "5.00"), item("2", "5.00"), paid("a", "15.00"), closing("15.00", "15.00", "0")), ""},
		{"a refused item left out", tell(open, ten, refusedItem("2", "5.00"), paid("a", "10.00"), closing("10.00", "10.00", "0")), ""},
		{"too much for another reason", tell(open, ten, refusedItem("2", "5.00"), paid("a", "11.00"), closing("10.00", "11.00", "0")), ""},

		{"charged twice", tell(open, ten, paid("a", "10.00"), paid("b", "10.00"), closing("10.00", "10.00", "0")), "sale-overcharged@4"},
		{"charged twice, both recorded", tell(open, ten, paid("a", "10.00"), paid("b", "10.00"), closing("10.00", "20.00", "0")), "sale-overcharged@4"},
		{"charged in parts that are too much", tell(open, ten, paid("a", "6.00"), paid("b", "6.00"), closing("10.00", "12.00", "0")), "sale-overcharged@4"},
		{"charged again after it was known to be approved", tell(open, ten, paid("a", "10.00", cut), looks("a", 200, told("approved", "10.00")), paid("b", "10.00"), closing("10.00", "10.00", "0")), "sale-overcharged@5"},
		{"charged twice, the second given back", tell(open, ten, paid("a", "10.00"), paid("b", "10.00"), do(reverse, 200, ref("b"), told("reversed", "10.00")), closing("10.00", "10.00", "0")), ""},
		{"charged twice, the second given back afterwards", tell(open, ten, paid("a", "10.00"), paid("b", "10.00"), closing("10.00", "10.00", "0"), do(reverse, 200, ref("b"), told("reversed", "10.00"))), ""},
		{"charged before the sale, twice", tell(paid("a", "10.00"), paid("b", "10.00"), open, ten, closing("10.00", "10.00", "0")), ""},
		{"charged before and within the sale", tell(paid("a", "10.00"), open, ten, paid("b", "10.00"), closing("10.00", "10.00", "0")), ""},
		{"one charge with a tip", tell(open, ten, paid("a", "12.00"), closing("10.00", "12.00", "0")), ""},
		{"two charges, then a discount", tell(open, ten, ten, paid("a", "10.00"), paid("b", "10.00"), do("POST /sale/discount", 200), closing("10.00", "20.00", "0")), ""},
		{"two charges, then all taken out", tell(open, ten, ten, paid("a", "10.00"), paid("b", "10.00"), do("DELETE /sale/clear", 200), closing("0", "20.00", "0")), ""},
		{"two charges, then an item taken out", tell(open, ten, ten, paid("a", "10.00"), paid("b", "10.00"), do("DELETE /sale/item/{itemId}", 200), closing("10.00", "20.00", "0")), ""},
		{"lost, not in the list, charged anew", tell(open, ten, paid("a", "10.00", cut), do(list, 200), paid("b", "10.00"), closing("10.00", "10.00", "0")), ""},
		{"entries that take a charge back", tell(open, ten, paid("a", "10.00"), paid("b", "10.00"), closing("10.00", "10.00", "0"), func(s *story) { s.all[4].Sale.Cancels = true }), ""},
		{"charged again right after the end", tell(open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0"), paid("b", "10.00")), "sale-overcharged@5"},
		{"charged again right after the end, then the next sale", tell(open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0"), paid("b", "10.00"), open, ten, paid("c", "10.00"), closing("10.00", "10.00", "0")), "sale-overcharged@5"},
		{"the next customer charged before the sale", tell(open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0"), paid("b", "10.00"), open, ten, closing("10.00", "10.00", "0")), ""},
		{"the next customer charged, the sale still open", tell(open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0"), paid("b", "10.00"), open, ten), ""},
		{"another amount after the end", tell(open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0"), paid("b", "7.00")), ""},
		{"charged again after the end and given back", tell(open, ten, paid("a", "10.00"), closing("10.00", "10.00", "0"), paid("b", "10.00"), do(reverse, 200, ref("b"), told("reversed", "10.00"))), ""},
		{"charged after the end of a sale paid in cash", tell(open, ten, closing("10.00", "0", "10.00"), paid("b", "10.00")), ""},
		{"charged first, always", tell(times(3, func(s *story) {
			paid(fmt.Sprint(len(s.all)), "10.00")(s)
			open(s)
			ten(s)
			closing("10.00", "10.00", "0")(s)
		})), ""},

		{"items into somebody's sale", tell(open, ten, do(openSale, 409, active), ten), "open-sale-ignored@4"},
		{"the open sale looked at", tell(open, ten, do(openSale, 409, active), do(seeSale, 200), ten), ""},
		{"the open sale cancelled", tell(open, ten, do(openSale, 409, active), do(cancel, 200), open, ten), ""},
		{"an empty sale opened twice", tell(open, do(openSale, 409, active), ten), ""},
		{"the answer of the first was lost", tell(do(openSale, 200, cut), do(openSale, 409, active), ten), ""},

		{"a question hung up", tell(do(ask, 0, hungUp(30*time.Second))), "timeout-too-short@1"},
		{"a question hung up in time", tell(do(ask, 0, hungUp(60*time.Second))), ""},
		{"a question hung up in time, as far as the clocks tell", tell(do(ask, 0, hungUp(59950*time.Millisecond))), ""},
		{"a question hung up a second early", tell(do(ask, 0, hungUp(58900*time.Millisecond))), "timeout-too-short@1"},
		{"a question cancelled", tell(do(ask, 409, message("Pergunta cancelada pelo PDV"))), ""},
		{"a payment hung up, and looked up", tell(attempt("a", "1.00", 0, hungUp(10*time.Second)), looks("a", 200, told("approved", "1.00"))), "timeout-too-short@1"},
		{"a payment hung up in time, and looked up", tell(attempt("a", "1.00", 0, hungUp(90*time.Second)), looks("a", 200, told("approved", "1.00"))), ""},
		{"a payment hung up", tell(attempt("a", "1.00", 0, hungUp(10*time.Second))), "lost-answer-not-looked-up@1 timeout-too-short@1"},
		{"a print hung up", tell(do("POST /print/text", 0, hungUp(time.Second))), ""},
		{"the log's stream hung up", tell(do("GET /status", 200), do("", 0, hungUp(time.Second))), ""},
		{"hung up when all was switched off", tell(do(ask, 0, hungUp(10*time.Second)), graceOf(5*time.Second)), ""},

		{"wrong credentials", tell(times(3, do("GET /status", 401))), "wrong-credentials@1"},
		{"wrong credentials, twice", tell(times(2, do("GET /status", 401)), do("GET /status", 200), times(2, do("GET /status", 401))), ""},
		{"no credentials", tell(times(3, do("GET /status", 401, anonymous))), "wrong-credentials@1"},
		{"the challenge answered", tell(times(9, do(seeSale, 401, anonymous)), times(9, do(seeSale, 200))), ""},

		{"a loop without a pause", tell(times(31, func(s *story) { soon(s); do("GET /info", 200)(s) })), "polling-too-fast@1"},
		{"a loop that reads this and that", tell(times(20, func(s *story) { soon(s); do("GET /info", 200)(s); soon(s); looks("a", 404)(s) })), "polling-too-fast@1"},
		{"twice a second", tell(times(200, func(s *story) { soon(s); s.clock = s.clock.Add(400 * time.Millisecond); do("GET /info", 200)(s) })), ""},
		{"three callers that pause", tell(times(120, polls(3, 48*time.Millisecond))), ""},
		{"three callers that do not", tell(times(120, polls(3, 25*time.Millisecond))), "polling-too-fast@1 polling-too-fast@2 polling-too-fast@3"},
		{"a connection for each, with a pause", tell(times(400, polls(1000, 48*time.Millisecond))), ""},
		{"a connection for each, without a pause", tell(times(200, polls(1000, 15*time.Millisecond))), "polling-too-fast@1"},
		{"many connections at once", tell(times(200, func(s *story) {
			polls(1000, 15*time.Millisecond)(s)
			if len(s.all)%20 == 0 {
				meanwhile(s)
				s.clock = s.clock.Add(4 * time.Millisecond)
			}
		})), ""},
		{"many quick sales", tell(times(50, func(s *story) { soon(s); do("GET /info", 200)(s); soon(s); open(s) })), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := verdict(test.story); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func verdict(s *story) string {
	var got []string
	for _, f := range Judge(Watch{Exchanges: s.all, Start: time.Unix(1_800_000_000, 0), End: s.clock.Add(time.Second), Grace: s.grace}) {
		got = append(got, fmt.Sprintf("%s@%d", f.Rule, f.Request))
	}
	return strings.Join(got, " ")
}

func TestEveryRuleHasWords(t *testing.T) {
	for _, w := range Rules() {
		if w.Title == "" || w.Remedy == "" || w.Rule.Words() != w {
			t.Errorf("%+v", w)
		}
	}
}
