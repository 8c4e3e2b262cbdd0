package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func asking(s screenView) bool { return s.Question != nil }

// paying: the customer is asked for a card or shown a PIX code.
func paying(s screenView) bool {
	return s.Busy && s.Payment != nil && (s.Payment["step"] == "card" || s.Payment["step"] == "pix")
}

func notAsking(s screenView) bool { return s.Question == nil }

// ask holds a question until it is on the screen.
func (m *terminal) ask(question string) *heldCall {
	m.t.Helper()
	h := m.holdOpen("/ask", `{"question":`+question+`}`)
	m.awaitScreen("a question", asking)
	return h
}

func (m *terminal) reply(value string) *answer {
	m.t.Helper()
	return m.call("POST", "/emulator/answer", map[string]any{"value": value})
}

const yesOrNo = `"options":[{"id":1,"name":"Sim","value":"s"},{"id":2,"name":"Não","value":"n"}]`

func TestAskEveryType(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, row := range []struct{ question, typed, value string }{
		{`"type":"TEXT"`, "  Olá, tudo bem?  ", "  Olá, tudo bem?  "},
		{`"type":null`, "x", "x"},
		{`"type":"TEXT","mask":"##-##"`, "1234", "12-34"},
		{`"type":"TEXT","mask":"##-##"`, "12-34", "12-34"},
		{`"type":"NUMBER"`, "007", "007"},
		{`"type":"PHONE"`, "(11) 98765-4321", "11987654321"},
		{`"type":"CPF"`, "529.982.247-25", "52998224725"},
		{`"type":"CNPJ"`, "11.222.333/0001-81", "11222333000181"},
		{`"type":"CNPJ"`, "12.abc.345/01de-35", "12ABC34501DE35"},
		{`"type":"CPFORCNPJ"`, "529.982.247-25", "52998224725"},
		{`"type":"CPFORCNPJ"`, "12.ABC.345/01DE-35", "12ABC34501DE35"},
		{`"type":"EMAIL"`, "Ana@Exemplo.com.br", "Ana@Exemplo.com.br"},
		{`"type":"CEP"`, "01310-100", "01310100"},
		{`"type":"DATE"`, "29/02/2028", "2028-02-29"},
		{`"type":"DATE"`, "2026-12-31", "2026-12-31"},
		{`"type":"TIME"`, "09:05", "09:05"},
		{`"type":"MONEY"`, "R$ 1.234,5", "1234.50"},
		{`"type":"MONEY"`, "12.34", "12.34"},
		{`"type":"REGEX","regex":"[A-Z]{3}|x"`, "ABC", "ABC"},
		{`"type":"LIST",` + yesOrNo, "n", "n"},
		{`"type":"BUTTON",` + yesOrNo, "s", "s"},
		{`"type":"CPF","minLength":11,"maxLength":11`, "529.982.247-25", "52998224725"}, // lengths are of the canonical value
		{`"type":"CPF","regex":"[0-9]+"`, "529.982.247-25", "52998224725"},
		{`"type":"TEXT","maxLength":3`, "çãé", "çãé"},
		{`"type":"CPF","minLength":5,"regex":"x"`, "", ""}, // not required, left empty
		{`"type":"LIST",` + yesOrNo, "", ""},
	} {
		h := m.ask(`{"id":7,` + row.question + `}`)
		m.reply(row.typed).is(200, "Resposta enviada com sucesso")
		want, _ := json.Marshal(map[string]any{"id": 7, "value": row.value})
		h.answer().ok().equals(string(want))
	}
}

func TestAskRefusesAnswers(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, row := range []struct {
		question, message string
		typed             []string
	}{
		{`{"id":1,"required":true}`, "Resposta obrigatória", []string{"", "   "}},
		{`{"id":1,"type":"CPF","required":true}`, "Resposta obrigatória", []string{""}},
		{`{"id":1,"minLength":3}`, "Resposta curta demais", []string{"ab"}},
		{`{"id":1,"maxLength":3}`, "Resposta longa demais", []string{"abcd"}},
		{`{"id":1}`, "Resposta longa demais", []string{strings.Repeat("x", 256)}},
		{`{"id":1,"type":"NUMBER"}`, "Digite apenas números", []string{"12a", "-1", "1.5"}},
		{`{"id":1,"type":"PHONE"}`, "Telefone inválido", []string{"123", "abc"}},
		{`{"id":1,"type":"CPF"}`, "CPF inválido", []string{"529.982.247-26", "111.111.111-11", "5299822472", "x"}},
		{`{"id":1,"type":"CNPJ"}`, "CNPJ inválido", []string{"11222333000182", "12ABC34501DE36", "00000000000000", "12ABC34501DEA5"}},
		{`{"id":1,"type":"CPFORCNPJ"}`, "CPF ou CNPJ inválido", []string{"52998224726", "11222333000182", "1"}},
		{`{"id":1,"type":"EMAIL"}`, "E-mail inválido", []string{"ana", "ana@", "@x.br", "a b@x.br"}},
		{`{"id":1,"type":"CEP"}`, "CEP inválido", []string{"0131010", "013101000", "abcdefgh"}},
		{`{"id":1,"type":"DATE"}`, "Data inválida", []string{"29/02/2027", "2026-13-01", "ontem"}},
		{`{"id":1,"type":"TIME"}`, "Hora inválida", []string{"24:00", "12:60", "meio-dia"}},
		{`{"id":1,"type":"MONEY"}`, "Valor inválido", []string{"-1", "1.2.3", "1,234", "abc"}},
		{`{"id":1,"type":"REGEX","regex":"[A-Z]{3}"}`, "Resposta fora do formato", []string{"ABCD", "xABC", "abc"}},
		{`{"id":1,"type":"NUMBER","regex":"1.*"}`, "Resposta fora do formato", []string{"21"}},
		{`{"id":1,"type":"LIST",` + yesOrNo + `}`, "Escolha uma das opções", []string{"Sim", "1", "talvez"}},
		{`{"id":1,"type":"BUTTON",` + yesOrNo + `}`, "Escolha uma das opções", []string{"S"}},
		{`{"id":1,"type":"CPF","errorMessage":"Confira o CPF"}`, "Confira o CPF", []string{"1", "52998224726"}},
		{`{"id":1,"required":true,"minLength":2,"errorMessage":"Ops"}`, "Ops", []string{"", "a"}},
	} {
		h := m.ask(row.question)
		for _, typed := range row.typed {
			m.reply(typed).is(422, row.message)
		}
		if s := m.screenNow(); s.Question == nil {
			t.Errorf("%s left the screen after a refused answer", row.question)
		}
		m.call("POST", "/ask/cancel", nil).ok()
		h.answer().is(409, "Pergunta cancelada pelo PDV")
	}
}

func TestAskShowsDefaultsAndWhatWasSaid(t *testing.T) {
	t.Parallel()
	m := start(t)
	shown := func(body string) (parameters, question map[string]any) {
		t.Helper()
		h := m.holdOpen("/ask", body)
		s := m.awaitScreen("a question", asking)
		m.call("POST", "/ask/cancel", nil).ok()
		h.answer()
		if s.View != "question" || s.Question.Index != 0 || s.Question.Count != 1 || len(s.Question.Answers) != 0 {
			t.Errorf("screen of a single question: %+v", s)
		}
		return s.Question.Parameters, s.Question.Question
	}
	n := func(s string) json.Number { return json.Number(s) }
	defaults := map[string]any{
		"buttonText": "Confirmar", "showCancelButton": false, "buttonCancelText": "Cancelar", "showSuccessMessage": false,
		"successMessage": nil, "successMessageInterval": n("3000"), "confirmAnswer": false,
	}
	for _, parameters := range []string{
		``, `"parameters":null,`, `"parameters":{},`,
		`"parameters":{"buttonText":null,"showCancelButton":null,"buttonCancelText":null,"showSuccessMessage":null,"successMessage":null,"successMessageInterval":null,"confirmAnswer":null},`,
	} {
		p, q := shown(`{` + parameters + `"question":{"question":"Nome?"}}`)
		want := map[string]any{
			"id": n("0"), "question": "Nome?", "type": "TEXT", "required": false, "minLength": n("0"), "maxLength": n("255"),
			"defaultValue": nil, "mask": nil, "regex": nil, "errorMessage": nil, "options": nil,
		}
		if diff := cmp.Diff(defaults, p) + cmp.Diff(want, q); diff != "" {
			t.Errorf("defaults with %s (-want +got):\n%s", parameters, diff)
		}
	}
	p, q := shown(`{"parameters":{"buttonText":"Ok","showCancelButton":true,"buttonCancelText":"Não","showSuccessMessage":true,"successMessage":"Valeu","successMessageInterval":0,"confirmAnswer":true},
		"question":{"id":-3,"question":"CPF?","type":"LIST","required":true,"minLength":1,"maxLength":9,"defaultValue":"n","mask":"#","regex":".","errorMessage":"E",` + yesOrNo + `}}`)
	wantP := map[string]any{
		"buttonText": "Ok", "showCancelButton": true, "buttonCancelText": "Não", "showSuccessMessage": true,
		"successMessage": "Valeu", "successMessageInterval": n("0"), "confirmAnswer": true,
	}
	wantQ := map[string]any{
		"id": n("-3"), "question": "CPF?", "type": "LIST", "required": true, "minLength": n("1"), "maxLength": n("9"),
		"defaultValue": "n", "mask": "#", "regex": ".", "errorMessage": "E",
		"options": []any{map[string]any{"id": n("1"), "name": "Sim", "value": "s"}, map[string]any{"id": n("2"), "name": "Não", "value": "n"}},
	}
	if diff := cmp.Diff(wantP, p) + cmp.Diff(wantQ, q); diff != "" {
		t.Errorf("what was said (-want +got):\n%s", diff)
	}
	// A question without words gets those of its type; a default that its type refuses is shown all the same.
	seen := map[any]bool{}
	for _, kind := range []string{"TEXT", "NUMBER", "PHONE", "CPF", "CNPJ", "CPFORCNPJ", "EMAIL", "CEP", "DATE", "TIME", "MONEY"} {
		_, q := shown(`{"question":{"type":"` + kind + `","question":null,"defaultValue":"???"}}`)
		if q["question"] == "" || seen[q["question"]] || q["defaultValue"] != "???" {
			t.Errorf("%s shows %v", kind, q)
		}
		seen[q["question"]] = true
	}
}

func TestAskRefusesQuestions(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, body := range []string{``, `{}`, `{"question":null}`, `{"parameters":{}}`} {
		m.call("POST", "/ask", bodyOf(body)).is(400, "Nenhuma pergunta recebida")
	}
	for _, body := range []string{``, `{}`, `{"questions":null}`, `{"questions":[]}`, `{"question":{}}`} {
		m.call("POST", "/ask/form", bodyOf(body)).is(400, "Nenhuma pergunta recebida")
	}
	for _, body := range []string{`{"questions":[{"id":1},{"id":2},{"id":1}]}`, `{"questions":[{},{"id":0},{"id":5}]}`} {
		m.call("POST", "/ask/form", body).is(400, "Existem perguntas com IDs duplicados no formulário")
	}
	for _, row := range []struct{ question, field string }{
		{`{"id":"1"}`, ".id"},
		{`{"id":1.5}`, ".id"},
		{`{"question":5}`, ".question"},
		{`{"type":"cpf"}`, ".type"},
		{`{"type":"SENHA"}`, ".type"},
		{`{"type":""}`, ".type"},
		{`{"type":1}`, ".type"},
		{`{"required":"sim"}`, ".required"},
		{`{"minLength":-1}`, ".minLength"},
		{`{"minLength":"1"}`, ".minLength"},
		{`{"maxLength":-1}`, ".maxLength"},
		{`{"maxLength":1e99}`, ".maxLength"},
		{`{"minLength":5,"maxLength":4}`, ".minLength"},
		{`{"defaultValue":1}`, ".defaultValue"},
		{`{"mask":1}`, ".mask"},
		{`{"regex":1}`, ".regex"},
		{`{"regex":"("}`, ".regex"},
		{`{"type":"REGEX","regex":"(?=a)"}`, ".regex"},
		{`{"type":"REGEX"}`, ".regex"},
		{`{"errorMessage":1}`, ".errorMessage"},
		{`{"type":"LIST"}`, ".options"},
		{`{"type":"BUTTON","options":[]}`, ".options"},
		{`{"type":"LIST","options":null}`, ".options"},
		{`{"type":"LIST","options":{}}`, ".options"},
		{`{"type":"LIST","options":[5]}`, ".options[0]"},
		{`{"type":"LIST","options":[{"name":"A","value":"a"}]}`, ".options[0].id"},
		{`{"type":"LIST","options":[{"id":1,"value":"a"}]}`, ".options[0].name"},
		{`{"type":"LIST","options":[{"id":1,"name":"A"}]}`, ".options[0].value"},
		{`{"type":"LIST","options":[{"id":1,"name":"A","value":5}]}`, ".options[0].value"},
		{`{"type":"BUTTON","options":[{"id":1,"name":"A","value":"a"},{"id":1,"name":"B","value":"b"}]}`, ".options[1].id"},
		{`5`, ""},
		{`[]`, ""},
		{`"x"`, ""},
	} {
		m.call("POST", "/ask", `{"question":`+row.question+`}`).blames("question" + row.field)
		m.call("POST", "/ask/form", `{"questions":[{"id":8},{"id":9},`+row.question+`]}`).blames("questions[2]" + row.field)
	}
	for _, row := range []struct{ parameters, field string }{
		{`5`, ""},
		{`{"buttonText":1}`, ".buttonText"},
		{`{"showCancelButton":1}`, ".showCancelButton"},
		{`{"buttonCancelText":[]}`, ".buttonCancelText"},
		{`{"showSuccessMessage":"x"}`, ".showSuccessMessage"},
		{`{"successMessage":1}`, ".successMessage"},
		{`{"successMessageInterval":-1}`, ".successMessageInterval"},
		{`{"successMessageInterval":"9"}`, ".successMessageInterval"},
		{`{"confirmAnswer":1}`, ".confirmAnswer"},
	} {
		m.call("POST", "/ask", `{"question":{},"parameters":`+row.parameters+`}`).blames("parameters" + row.field)
		m.call("POST", "/ask/form", `{"questions":[{}],"parameters":`+row.parameters+`}`).blames("parameters" + row.field)
	}
	if s := m.screenNow(); s.Question != nil {
		t.Errorf("a refused question is shown: %+v", s)
	}
}

func TestAskForm(t *testing.T) {
	t.Parallel()
	m := start(t)
	form := func(questions string) *heldCall {
		t.Helper()
		h := m.holdOpen("/ask/form", `{"questions":[`+questions+`]}`)
		m.awaitScreen("a form", asking)
		return h
	}
	h := form(`{"type":"CPF"},{"id":0,"type":"MONEY"},{"id":null}`)
	m.reply("529.982.247-25").ok()
	s := m.screenNow()
	if s.Question.Index != 1 || s.Question.Count != 3 || s.Question.Question["type"] != "MONEY" || s.Question.Answers[0]["value"] != "52998224725" {
		t.Errorf("after the first answer: %+v", s.Question)
	}
	m.reply("R$ 5").ok()
	m.reply("").ok()
	h.answer().ok().equals(`[{"id":0,"value":"52998224725"},{"id":1,"value":"5.00"},{"id":2,"value":""}]`)

	h = form(`{"id":30},{"id":0},{"id":-10,"type":"NUMBER"}`)
	for _, values := range []string{`[]`, `["a","b"]`, `["a","b","3","4"]`} {
		m.call("POST", "/emulator/answer", `{"values":`+values+`}`).blames("values")
	}
	m.call("POST", "/emulator/answer", `{"values":["a","b","x"]}`).is(422, "Digite apenas números")
	if s := m.screenNow(); s.Question.Index != 0 || len(s.Question.Answers) != 0 {
		t.Errorf("half of the values were taken: %+v", s.Question)
	}
	m.call("POST", "/emulator/answer", `{"values":["a","b","3"]}`).ok()
	h.answer().ok().equals(`[{"id":30,"value":"a"},{"id":0,"value":"b"},{"id":-10,"value":"3"}]`)

	h = form(`{},{},{}`)
	m.reply("1").ok()
	m.call("POST", "/emulator/answer", `{"values":["2","3"]}`).ok() // the ones left
	h.answer().ok().equals(`[{"id":0,"value":"1"},{"id":1,"value":"2"},{"id":2,"value":"3"}]`)

	h = form(`{},{}`)
	m.reply("1").ok()
	m.call("POST", "/emulator/answer", `{"cancel":true}`).ok()
	h.answer().is(409, "Pergunta cancelada pelo usuário")
}

func TestAskAutopilot(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	for _, row := range []struct{ question, value string }{
		{`{"type":"CPF","defaultValue":"529.982.247-25"}`, "52998224725"},
		{`{"type":"LIST",` + yesOrNo + `}`, "s"},
		{`{"type":"BUTTON","defaultValue":"n",` + yesOrNo + `}`, "n"},
	} {
		if got := m.call("POST", "/ask", `{"question":`+row.question+`}`).ok().json()["value"]; got != row.value {
			t.Errorf("%s was answered %v, want %s", row.question, got, row.value)
		}
	}
	var all []string
	for _, kind := range strings.Fields("TEXT NUMBER PHONE CPF CNPJ CPFORCNPJ EMAIL CEP DATE TIME MONEY") {
		all = append(all, fmt.Sprintf(`{"type":"%s","required":true,"defaultValue":"???"}`, kind))
	}
	all[0] = `{"type":"REGEX","regex":"[A-C]{2}[0-9]{3}","required":true}`
	var answers []map[string]any
	m.call("POST", "/ask/form", `{"questions":[`+strings.Join(all, ",")+`]}`).ok().into(&answers)
	if len(answers) != len(all) {
		t.Fatalf("%d answers to %d questions", len(answers), len(all))
	}
	for i, a := range answers {
		if a["value"] == "" || a["value"] == "???" {
			t.Errorf("%s was answered %q", all[i], a["value"])
		}
	}
	m.call("POST", "/ask", `{"question":{"type":"CPF","required":true,"minLength":12}}`).is(409, "Pergunta cancelada pelo usuário")
}
